import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { newFixturesFolder, ownFolders } from '../../../loader/find/find-fixtures.ts'
import { isDataFile } from '../../../loader/find/fixture-names.ts'
import { displayPath } from '../../../files/paths.ts'
import { writeYaml } from '../../../writer/write-yaml.ts'
import type { ChangedFile, Edit, EditRequest } from '../../api/api.ts'
import { diffText } from '../../../files/diff-text.ts'
import { FixtureText } from '../../../writer/fixture-text.ts'
import { matchRoute } from '../../edit/match-route.ts'
import { requestNow, unmetOf, type RoutesNow } from '../../edit/request-now.ts'
import { writeRoute } from '../../edit/write-route.ts'
import { showDiagnostic } from '../../explain.ts'
import type { JournalEntry } from '../../journal.ts'
import { checkThisMachine } from '../access.ts'
import { addRoutes } from './add-routes.ts'
import { findKnown } from '../collections.ts'
import type { ApiHandlers, InspectedServer, Site } from '../context.ts'
import { FileError } from '../../../files/file-error.ts'
import { edited, withPlainEnds } from '../../../files/text-file.ts'
import { writeFile, type NewContent, type FileBefore } from '../../../files/write-files.ts'
import {
  checkLoads,
  newDiagnostics,
  isCode,
  readEdited,
  unwritable,
  withRoutes,
  type Proposed,
} from './edit-file.ts'
import { findEntry } from '../explain-route.ts'
import { tryAgain } from '../../try-request.ts'
import { HttpError } from '../json.ts'
import { withSavedItems } from './save-items.ts'
import { SadPaths } from '../../sad-paths.ts'

/** Only this machine sees and changes files. */
export function createEditHandlers(server: InspectedServer) {
  const { options, store } = server
  let last: FileBefore | undefined

  async function show(
    entry: JournalEntry | undefined,
    site: Site,
    { file, text, notes, scenario }: Proposed,
  ): Promise<Edit> {
    const { path, text: before, version } = readEdited(server, file)
    const state = await store.check(path, text)
    const answer = entry && (await tryAgain(server, site, entry, scenario, state))
    return {
      file,
      text,
      version,
      diff: diffText(before, text),
      diagnostics: newDiagnostics(store.current!, state, file).map((one) =>
        showDiagnostic(one, options.root),
      ),
      ...(answer && { answer }),
      ...(scenario !== undefined && { scenario }),
      notes,
      files: store.current!.own.map(({ shown }) => shown).filter(isDataFile),
    }
  }

  async function writeText(path: string, version: string, text: string): Promise<ChangedFile> {
    await checkLoads(server, path, text)
    return write(path, version, edited(text))
  }

  async function write(path: string, version: string, content: NewContent['content']): Promise<ChangedFile> {
    last = writeFile(path, content, { within: ownFolders(options), expected: version })
    await store.read(path)
    const linesOf = (bytes?: Buffer) => withPlainEnds(bytes?.toString() ?? '').split('\n')
    const old = linesOf(last.before)
    const line = linesOf(existsSync(path) ? readFileSync(path) : undefined).findIndex(
      (text, index) => text !== old[index],
    )
    return { file: displayPath(options.root, path), line: Math.max(0, line) + 1 }
  }

  return {
    /** Does what `POST edit` and then `PUT edit` do. */
    'POST /fixture': async ({ req, body, site }) => {
      const { request, file: inFolder, dryRun = false } = body
      if (!dryRun) checkThisMachine(req, 'write files')
      const entry = findEntry(server, request)
      const given = inFolder && relative(options.root, resolve(newFixturesFolder(options), inFolder))
      if (given !== undefined && readEdited(server, given).version !== '')
        throw new FileError('exists', given)
      const asked = { request, ...(given !== undefined && { file: given }) }
      const { file, text: yaml, notes } = await propose(server, entry, site, asked)
      if (!dryRun) await writeText(readEdited(server, file).path, '', yaml)
      return { file, yaml, isWritten: !dryRun, ...(notes.length > 0 && { note: notes.join(' ') }) }
    },

    'POST /edit': async ({ req, body, site }) => {
      const { file, text, request } = body
      if (file !== undefined || body.route !== undefined) checkThisMachine(req, 'see its fixture files')
      const entry = request === undefined ? undefined : findEntry(server, request)
      const isGiven = file !== undefined && text !== undefined
      return show(
        entry,
        site,
        isGiven ? { file, text: withPlainEnds(text), notes: [] } : await propose(server, entry, site, body),
      )
    },

    'PUT /edit': async ({ req, body: { file, text, version } }) => {
      checkThisMachine(req, 'write files')
      const { path, version: now } = readEdited(server, file)
      if (version === '' && now !== '') throw new FileError('exists', file)
      return writeText(path, version, text)
    },

    'POST /save': async ({ req, client, body: { collection } }) => {
      checkThisMachine(req, 'write files')
      const { path, version, text } = await withSavedItems(
        server,
        findKnown(server, collection, client),
        client,
      )
      return write(path, version, edited(text))
    },

    'DELETE /edit': async ({ req }) => {
      checkThisMachine(req, 'write files')
      if (!last)
        throw new HttpError(409, 'api-undo-nothing', {
          message: 'There is no change to take back.',
          fix: 'Only the last change of this page can be taken back, until the server stops.',
        })
      const { path, before, version } = last
      const undone = await write(path, version, before)
      last = undefined
      return undone
    },
  } satisfies Partial<ApiHandlers>
}

/** @throws HttpError, UneditableError */
async function propose(
  server: InspectedServer,
  entry: JournalEntry | undefined,
  site: Site,
  asked: EditRequest,
): Promise<Proposed> {
  const { route: id, file, routes, replace, widen } = asked
  if (file !== undefined && routes !== undefined) return addRoutes(server, file, routes, replace)
  if (!entry)
    throw new HttpError(400, 'api-body-invalid', {
      message: 'Nothing says what to write.',
      fix: 'Give "request", the id of a recorded request, or "file" with "routes".',
    })
  return id === undefined ? addRoute(server, entry, site, asked) : matchOne(server, entry, site, id, widen)
}

function matchOne(server: InspectedServer, entry: JournalEntry, site: Site, id: string, isWidened = false) {
  const request = requestNow(routesNow(server, site), entry)
  const route = server.store
    .current!.table.endpoints.flatMap(({ routes }) => routes)
    .find((one) => one.id === id)
  if (!route) throw unwritable(`there is no route "${id}" any more`)
  const { file } = route.source
  if (route.source.isTemplate) throw unwritable('the starter templates are a part of the package')
  if (!isDataFile(file)) throw isCode(file)
  const { text, isJson } = readEdited(server, file)
  return { file, ...matchRoute(new FixtureText(text, isJson), route, unmetOf(route, request), isWidened) }
}

async function addRoute(
  server: InspectedServer,
  entry: JournalEntry,
  site: Site,
  { file: given, sadPath }: EditRequest,
): Promise<Proposed> {
  const { options, store } = server
  const sadPaths = new SadPaths(server, site)
  const made = await writeRoute(routesNow(server, site), entry, sadPath, sadPaths)
  const { definition, scenario, notes } = made
  const path = freePath(newFixturesFolder(options), made.name)
  const file = given ?? displayPath(options.root, path)
  const before = readEdited(server, file)
  return {
    file,
    text: withRoutes(before, [definition], writeYaml([definition])),
    ...(scenario !== undefined && { scenario }),
    notes: [
      ...notes,
      ...(before.version === '' && store.current!.files.length === 0 && store.current!.hasTemplates
        ? ['With the first fixture file, the starter templates no longer answer.']
        : []),
    ],
  }
}

function routesNow({ store, options }: InspectedServer, { bases }: Site): RoutesNow {
  const { table, checked } = store.current!
  return { table, checker: checked.checker, graphql: options.graphql, bases }
}

function freePath(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.yaml`)
    if (!existsSync(path)) return path
  }
}
