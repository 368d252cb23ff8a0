import type { IntrospectionQuery } from 'graphql/index.js'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { withGraphQLJs } from '../core/graphql/with-graphql-js.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { MockApiError } from '../core/diagnostics/format.ts'
import { diagnoseGraphQL } from '../core/diagnostics/graphql-texts.ts'
import type { SchemaSource } from '../core/graphql-schema/create-checker.ts'
import type { DocumentChecker } from '../core/graphql/result.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { isSameList } from '../core/values/collections.ts'
import { displayPath } from '../files/paths.ts'
import { searchFiles } from './find/search-files.ts'
import { decodeText } from '../files/read-whole-file.ts'
import { stalePaths, takeStamp, takeStamps, type Stamp } from './watch/file-stamps.ts'
import type { Changes } from './watch/watch-fixtures.ts'
import { isError } from '../core/diagnostics/severity.ts'

export interface SchemaFiles {
  readonly checked: LoadedChecker
  update: (exported: readonly SchemaSource[]) => Promise<boolean>
  findStale: () => Promise<Changes>
}

export interface LoadedChecker {
  checker?: DocumentChecker | undefined
  /** Why there is no checker although there should be. */
  schemaError?: Diagnostic | undefined
  diagnostics: readonly Diagnostic[]
  files: readonly string[]
}

/** The checker is reused while the schema is the same, and the last good one is kept when the schema has errors. */
export function createSchemaFiles(
  root: string,
  { strict, schema, scalars }: ResolvedOptions['graphql'],
  watch: (paths: Iterable<string>) => void,
): SchemaFiles {
  const none: LoadedChecker = { diagnostics: [], files: [] }
  let checked = none
  let key: string | undefined
  let stamps: ReadonlyMap<string, Stamp> = new Map()

  async function load(exported: readonly SchemaSource[]): Promise<LoadedChecker> {
    try {
      return await check(exported)
    } catch (error) {
      if (!(error instanceof MockApiError)) throw error // graphql-js is not installed
      return { diagnostics: error.diagnostics, schemaError: error.diagnostics[0], files: [] }
    }
  }

  async function check(exported: readonly SchemaSource[]): Promise<LoadedChecker> {
    if (!strict && schema.length === 0 && exported.length === 0) {
      key = undefined
      return none
    }
    // The whole of graphql-js is imported only when it is needed, since that costs more than everything else.
    const { createChecker } = await withGraphQLJs(() => import('../core/graphql-schema/create-checker.ts'))
    const read = await readSchema(root, schema)
    const sources = [...read.sources, ...exported]
    const newKey = JSON.stringify([sources, read.diagnostics])
    if (newKey === key) return checked
    key = newKey
    const made =
      read.diagnostics.length > 0 ? { diagnostics: read.diagnostics } : createChecker(sources, { scalars })
    const checker = ('checker' in made ? made.checker : undefined) ?? checked.checker
    const fault = made.diagnostics.find(isError)
    return {
      checker,
      schemaError: checker ? undefined : fault,
      diagnostics: made.diagnostics,
      files: read.files,
    }
  }

  return {
    get checked() {
      return checked
    },
    async update(exported) {
      const before = checked
      const known = takeStamps(before.files)
      checked = await load(exported)
      stamps = new Map(checked.files.map((path) => [path, known.get(path) ?? takeStamp(path)]))
      watch(checked.files)
      return checked !== before
    },
    findStale: async () => ({
      paths: await stalePaths([{ stamps }]),
      structure: !isSameList(findSchemaFiles(root, schema).files, checked.files),
    }),
  }
}

/** If there are diagnostics, a part is missing. */
interface ReadSchema {
  sources: SchemaSource[]
  diagnostics: Diagnostic[]
  /** Absolute paths of the files that were found, readable or not. */
  files: string[]
}

const sdlNames = ['.graphql', '.graphqls', '.gql']

/** The answer to an introspection query has to be named: folders have JSON of all kinds. */
function isSchemaFile(path: string, place: string): boolean {
  return sdlNames.includes(extname(path)) || [path, place].every((name) => extname(name) === '.json')
}

/** Places are as in the option `fixtures`, and may be outside the root, like the schema of another package. Never throws. */
export async function readSchema(root: string, places: readonly string[]): Promise<ReadSchema> {
  const { files, diagnostics } = findSchemaFiles(root, places)
  const sources: SchemaSource[] = []
  for (const path of files) {
    const file = displayPath(root, path)
    try {
      const text = decodeText(await readFile(path))
      sources.push({ file, text: extname(path) === '.json' ? await sdlOf(text) : text })
    } catch (error) {
      diagnostics.push(unreadable(file, (error as Error).message))
    }
  }
  return { sources, diagnostics, files }
}

/** SDL of a published introspection result, with or without `data`, as Shopify and others have one. */
async function sdlOf(text: string): Promise<string> {
  const { buildClientSchema, printSchema } = await import('graphql/index.js')
  const json = JSON.parse(text) as IntrospectionQuery & { data?: IntrospectionQuery }
  return printSchema(buildClientSchema(json.data ?? json))
}

function findSchemaFiles(root: string, places: readonly string[]): Pick<ReadSchema, 'files' | 'diagnostics'> {
  const isNegated = (place: string) => place.startsWith('!')
  const negated = places.filter(isNegated)
  const files = new Set<string>()
  const diagnostics: Diagnostic[] = []
  for (const place of places) {
    if (isNegated(place)) continue
    // The schema of an installed package has to be named explicitly.
    const all = searchFiles(root, [place, ...negated], { inPackages: place.includes('node_modules') })
    const own = all.filter((path) => isSchemaFile(path, place))
    for (const file of own) files.add(file)
    const [only] = all
    if (own.length > 0) continue
    if (only === resolve(root, place))
      diagnostics.push(unreadable(displayPath(root, only), `its name ends in "${extname(only)}".`))
    else diagnostics.push(diagnoseGraphQL('schema-not-found', {}, { place }))
  }
  return { files: [...files].sort(), diagnostics }
}

function unreadable(file: string, reason: string): Diagnostic {
  return diagnoseGraphQL('schema-unreadable', { file }, { reason })
}
