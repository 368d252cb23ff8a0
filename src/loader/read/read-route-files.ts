import { textFileOf } from '../../core/stream/stream.ts'
import { isUtf8 } from 'node:buffer'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { withItems } from '../../core/fixture/parse-collection.ts'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import { withWrittenNumbers } from '../../core/fixture/written-numbers.ts'
import { exactJson } from '../../core/values/exact-number.ts'
import type { Route, SequencePart } from '../../core/fixture/route.ts'
import { contentTypeOf, FileBody } from '../../core/response/prepare-response.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { displayPath, isInside, toPosix } from '../../files/paths.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { GenerateItems } from '../../core/schema/generate-schema.ts'
import type { FixtureResponse } from '../../core/schema/schema.ts'
import { findMalformed } from '../../reader/read-fixture-text.ts'
import { explainFile, invalidList, noList } from './explain-file.ts'
import { isDataFile } from '../find/fixture-names.ts'
import { readData } from '../../reader/read-data.ts'
import {
  decodeText,
  needsDecoding,
  UnusableFileError,
  FileTooLargeError,
  maxFileSize,
  readWholeFile,
} from '../../files/read-whole-file.ts'
import type { KeyPath } from '../../core/values/values.ts'

/** The options that decide what a fixture file is, and what its items are made from. */
export type Project = Pick<ResolvedOptions, 'root'> &
  Partial<Pick<ResolvedOptions, 'fixtures' | 'graphql'>> & { world?: ResolvedOptions['world'] }

interface RouteFiles {
  routes: Route[]
  diagnostics: Diagnostic[]
  files: string[]
}

/** Files are read in advance, so that the table has all that is sent. A route whose file can't be read gets an error. */
export async function readRouteFiles(
  project: Project,
  fixturePath: string,
  routes: readonly Route[],
  note: (path: string) => void = () => {},
): Promise<RouteFiles> {
  const { root } = project
  const read: RouteFiles = { routes: [], diagnostics: [], files: [] }
  for (const route of routes) {
    if (route.sequence && !route.error) {
      const parts: SequencePart[] = []
      let error: Diagnostic | undefined
      for (const part of route.sequence.parts) {
        const made = await readOne({ ...route, ...part })
        error ??= made.error
        parts.push({ response: made.response })
      }
      read.routes.push({ ...route, sequence: { ...route.sequence, parts }, error })
    } else read.routes.push(await readOne(route))
  }
  return read

  async function readOne(route: Route): Promise<Route> {
    const { items } = route.paging ?? {}
    if (items && 'generate' in items && !route.error)
      return keep(route, await generate(route, items.generate))
    const name = fileOf(route)
    if (name === undefined || route.error) return route
    if (typeof name === 'object') return keep(route, readChoice(route, name.$text))
    const path = resolve(dirname(fixturePath), name)
    read.files.push(path)
    note(path)
    return keep(route, await readNamed(route, name, path))
  }

  async function generate(route: Route, given: GenerateItems): Promise<Route | Diagnostic> {
    const { collection, contentSource = {} } = route
    const folder = dirname(fixturePath)
    const name = given.schema?.split('#')[0]
    const path = name === undefined ? undefined : resolve(folder, name)
    try {
      if (path !== undefined) note(path)
      if (path !== undefined && !isInside(realpathSync(root), realpathSync(path)))
        return diagnoseFile('body-file-outside-root', contentSource, { path: given.schema! })
      const { generateItems } = await import('./generate-items.ts')
      const graphqlSchema = project.graphql?.schema ?? []
      const { items, files } = await generateItems(given, {
        root,
        folder,
        graphqlSchema,
        id: collection?.id ?? 'id',
      })
      files.forEach(note)
      read.files.push(...files)
      return withItems(route, items, () => ({ file: '', ...contentSource }))
    } catch (error) {
      if (path !== undefined) read.files.push(path)
      const what = given.schema ?? `type ${given.type}`
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      const problem =
        error instanceof UnusableFileError || (isMissing && name !== undefined)
          ? explainFile(error, root, fixturePath, name ?? '', true)
          : { reason: reasonOf(error), fix: 'Correct the schema, or its place in the file.' }
      return diagnoseFile('body-file-unreadable', contentSource, { path: what, ...problem })
    }
  }

  async function readNamed(route: Route, name: string, path: string): Promise<Route | Diagnostic> {
    const place = route.contentSource ?? {}
    try {
      if (!isInside(realpathSync(root), realpathSync(path)))
        return diagnoseFile('body-file-outside-root', place, { path: name })
      // Bytes of a picture are no text.
      const look = (text: string) => read.diagnostics.push(...findMalformed(text, displayPath(root, path)))
      return await withFile(root, route, name, path, look)
    } catch (error) {
      if (error instanceof FileTooLargeError) {
        const details = { path: name, megabytes: Math.ceil(error.size / 1e6), limit: maxFileSize / 1e6 }
        return diagnoseFile('body-file-too-large', place, details)
      }
      const problem = explainFile(error, root, fixturePath, name, route.paging !== undefined)
      return diagnoseFile('body-file-unreadable', place, { path: name, ...problem })
    }
  }

  function keep(route: Route, made: Route | Diagnostic): Route {
    if (!('code' in made)) return made
    read.diagnostics.push(made)
    return { ...route, error: made }
  }

  /** All files of the folder, so that a request never decides about a path. */
  function readChoice(route: Route, text: string): Route | Diagnostic {
    const place = route.contentSource ?? {}
    const base = dirname(fixturePath)
    const [folderName = ''] = /^[^{}\\]*\//.exec(text) ?? []
    const folder = resolve(base, folderName)
    try {
      if (!isInside(base, folder) || !isInside(realpathSync(base), realpathSync(folder)))
        throw new UnusableFileError(
          'it does not begin with a folder beside the fixture file',
          'Begin with one: { $text: "orders/{params.id}.json" }.',
        )
      const paths = filesIn(folder)
      for (const path of [folder, ...paths]) note(path)
      read.files.push(folder, ...paths)
      const files = Object.fromEntries(paths.map((path) => [toPosix(relative(base, path)), readBody(path)]))
      const $file = `${toPosix(relative(base, folder))}/${text.slice(folderName.length)}`
      return { ...route, response: { ...route.response, file: undefined, body: { $file, files } } }
    } catch (error) {
      const problem = explainFile(error, root, fixturePath, folderName, false)
      return diagnoseFile('body-file-unreadable', place, { path: text, ...problem })
    }
  }
}

const maxFiles = 1000

/** Neither hidden files nor links, which newer versions of Node follow to other folders. */
function filesIn(folder: string): string[] {
  const realFolder = realpathSync(folder)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/(?:^|[\\/])\./.test(relative(folder, path)))
    .filter((path) => realpathSync(path) === join(realFolder, relative(folder, path)))
  const size = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  if (paths.length <= maxFiles && size <= maxFileSize) return paths
  throw new UnusableFileError(
    `its folder has more than ${maxFiles} files or ${maxFileSize / 1e6} MB`,
    'Name a folder that has only the files to send.',
  )
}

function fileOf({ response, paging }: Route): FixtureResponse['file'] {
  if (paging) return 'file' in paging.items ? paging.items.file : undefined
  return typeof response === 'function' ? undefined : (response.file ?? textFileOf(response))
}

/** @param look is called with what is read as text */
async function withFile(
  root: string,
  route: Route,
  name: string,
  path: string,
  look: (text: string) => void,
): Promise<Route | Diagnostic> {
  const { paging, collection, response } = route
  if (paging) {
    const { text, items, at } = await readItems(root, name, path)
    look(text)
    const file = displayPath(root, path)
    const own = { ...route, collection: collection && { ...collection, file } }
    const made = withItems(own, items, () => ({ file }))
    if (!('code' in made)) return made
    const place = await at() // the file is read again
    return withItems(own, items, (index) => place(index === undefined ? [] : [index]))
  }
  if (typeof response === 'object' && textFileOf(response) !== undefined) {
    const text = decodeText(readWholeFile(path))
    look(text)
    return { ...route, response: { ...response, stream: { ...response.stream, text } } }
  }
  const body = readBody(path)
  if (path.endsWith('.json') && !isUtf8(body.bytes)) look(decodeText(Buffer.from(body.bytes)))
  return { ...route, response: { ...response, file: undefined, body } }
}

function readBody(path: string): FileBody {
  const bytes = readWholeFile(path)
  // JSON is sent in UTF-8, without a byte order mark.
  const sent = path.endsWith('.json') && needsDecoding(bytes) ? Buffer.from(decodeText(bytes)) : bytes
  return new FileBody(sent, contentTypeOf(path))
}

export async function readItems(root: string, name: string, path: string) {
  const bytes = readWholeFile(path)
  if (!isDataFile(path))
    throw new UnusableFileError(
      'items are read from .json, .jsonc, .json5, .yaml and .yml files',
      'Convert it to one of these formats, and name that file.',
    )
  const text = decodeText(bytes)
  if (text.trim() === '')
    throw new UnusableFileError('it is empty', 'Write a list into it, [] for one without items.')
  // A list can be long, and needs no positions; an error is explained by the other parser.
  const { value } = (path.endsWith('.json') && exactJson(text)) || (await readValue(root, path, text))
  if (!Array.isArray(value)) throw noList(value, name)
  const file = displayPath(root, path)
  const at = async () => {
    const source = await readData(text, file)
    return (keys: KeyPath) => ({ file, ...('locate' in source && source.locate(keys, 'value')) })
  }
  return { text, items: value as unknown[], at }
}

async function readValue(root: string, path: string, text: string): Promise<{ value: unknown }> {
  const source = await readData(text, displayPath(root, path))
  if ('diagnostic' in source) throw invalidList(source.diagnostic)
  const { value, written } = source
  if (!written) return source
  const at = (keys: KeyPath) => ({ file: displayPath(root, path), ...source.locate(keys.slice(2), 'value') })
  const exact = withWrittenNumbers({ paginate: { items: value } }, (keys) => written(keys.slice(2)), at)
  if (exact.diagnostics.length > 0) throw invalidList(exact.diagnostics[0]!)
  return { value: exact.definition.paginate.items }
}
