import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { RawRequest } from '../../core/http/raw-request.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { newFixturesFolder } from '../../loader/find-fixtures.ts'
import { displayPath, isInside } from '../../loader/paths.ts'
import { isReallyInside } from '../../loader/watch/links.ts'
import { belowBase, slug, whyUnwritable } from '../../writer/endpoint-path.ts'
import { readRequest } from '../explain.ts'
import type { JournalEntry } from '../journal.ts'
import { rawRequestOf } from '../show.ts'
import { fileNameFor, writeFixture } from '../write-fixture.ts'
import { checkThisMachine } from './access.ts'
import type { ApiHandlers, InspectedServer, Site } from './context.ts'
import { HttpError } from './json.ts'
import { findEntry } from './requests.ts'
import { brokenAnswer } from './sad-paths.ts'

/** Only for pages of this machine. */
export function createFileHandlers(
  server: InspectedServer,
): Pick<ApiHandlers, 'POST /fixture' | 'POST /open'> {
  return { 'POST /fixture': createFixtureWriter(server), 'POST /open': createEditorOpener(server) }
}

/** Writes only new files inside the folder of the fixtures. */
function createFixtureWriter(server: InspectedServer): ApiHandlers['POST /fixture'] {
  const { options, store } = server

  return ({ req, body, site }) => {
    const { request: id, sadPath, file, dryRun = false } = body
    const found = findEntry(server, id)
    const request = requestOf(found, site)
    const name = fileNameFor(request)
    const scenario = sadPath === undefined ? undefined : `${name}-${slug(sadPath.split(' #')[1] ?? '')}`
    const entry = sadPath === undefined ? found : broken(server, found, sadPath)
    const written = writeFixture(entry, request, scenario)
    if ('reason' in written) throw unwritable(written.reason)
    const folder = newFixturesFolder(options)
    const path = file === undefined ? freePath(folder, scenario ?? name) : checkedPath(folder, file)
    const notes = [
      ...(written.omitted.length > 0
        ? [`Credentials, and what differs with each answer, are left out: ${written.omitted.join(', ')}.`]
        : []),
      ...(written.isPlaceholder ? ['The answer is a placeholder: nothing has answered this request.'] : []),
      ...(entry.route?.selector && scenario === undefined
        ? [`The route "${entry.route.name}" matches too, and answers if its file comes first.`]
        : []),
      ...(store.current!.files.length === 0 && store.current!.hasTemplates
        ? ['With the first fixture file, the starter templates no longer answer.']
        : []),
    ]
    const result = {
      file: displayPath(options.root, path),
      yaml: written.yaml,
      isWritten: !dryRun,
      ...(scenario !== undefined && { scenario }),
      ...(notes.length > 0 && { note: notes.join(' ') }),
    }
    if (!dryRun) {
      checkThisMachine(req, 'write files')
      write(folder, path, written.yaml)
    }
    return result
  }
}

/** The entry as if its answer had gone wrong. */
function broken(server: InspectedServer, entry: JournalEntry, sadPath: string): JournalEntry {
  const response = brokenAnswer(server, entry, sadPath)
  if (response) return { ...entry, answeredBy: 'route', response, responseSize: response.body.length }
  throw unwritable(`its answer does not have the sad path "${sadPath}"`)
}

/** The body of a request that no route has the path of is not known. */
function requestOf(entry: JournalEntry, { bases }: Site): ParsedRequest {
  const { match, body } = entry
  const raw = rawRequestOf(entry)
  if (!match) {
    if (entry.answeredBy !== 'passed-on') throw unwritable('its fixture file has changed since')
    const base = bases.find((one) => belowBase(raw.path, one) !== undefined)
    const why = base === undefined ? 'its path is outside of the base' : whyUnwritable(raw.path)
    if (base === undefined || why !== undefined) throw unwritable(why!)
    const { method, url, search, headers } = raw
    const path = belowBase(raw.path, base)!
    return new ParsedRequest(new RawRequest({ method, url, path, search, headers }), {}, undefined)
  }
  if (body && body.bytes.length < body.size)
    throw unwritable(`its body has ${body.size} bytes and is not kept as a whole`)
  const read = readRequest(match, raw)
  if ('refused' in read) throw unwritable(`its body can't be read: ${read.refused}`)
  return read.request
}

function unwritable(reason: string): HttpError {
  return new HttpError(
    409,
    'api-fixture-unwritable',
    `No fixture can be written: ${reason}.`,
    'Write the route by hand, or send the request again.',
  )
}

function freePath(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.yaml`)
    if (!existsSync(path)) return path
  }
}

function checkedPath(folder: string, file: string): string {
  const path = resolve(folder, file)
  const fix = `Give a path inside ${folder} that ends in .yaml, such as orders/failed.yaml.`
  if (/\p{Cc}/u.test(file) || !isInside(folder, path) || !/\.ya?ml$/i.test(path))
    throw new HttpError(400, 'api-file-invalid', `No fixture file can be written at "${file}".`, fix)
  if (existsSync(path)) throw exists(path)
  return path
}

function exists(path: string): HttpError {
  return new HttpError(
    409,
    'api-file-exists',
    `The file ${path} exists already.`,
    'Choose another name, or copy the YAML.',
  )
}

function write(folder: string, path: string, yaml: string): void {
  try {
    if (!isReallyInside(folder, dirname(path)))
      throw new HttpError(
        400,
        'api-file-invalid',
        `${path} is outside of the folder of the fixtures.`,
        `Choose a place inside ${folder}.`,
      )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, yaml, { flag: 'wx' })
  } catch (error) {
    if (error instanceof HttpError) throw error
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(path)
    throw new HttpError(
      409,
      'api-file-unwritable',
      `${path} can't be written: ${reasonOf(error)}.`,
      'Check the folder and its permissions, or copy the YAML.',
    )
  }
}

/** Opens only files that routes and diagnostics name. */
function createEditorOpener(server: InspectedServer): ApiHandlers['POST /open'] {
  return async ({ req, body: { file, line, column } }) => {
    const { table, diagnostics } = server.store.current!
    const isKnown =
      table.endpoints.some(({ routes }) => routes.some(({ source }) => source.file === file)) ||
      diagnostics.some((diagnostic) => diagnostic.file === file)
    const path = resolve(server.options.root, file)
    if (!isKnown || !existsSync(path))
      throw new HttpError(
        404,
        'api-file-unknown',
        `No route is in the file "${file}".`,
        'GET routes lists the files of the routes.',
      )
    checkThisMachine(req, 'open files in its editor')
    const place = [path, line, line === undefined ? undefined : (column ?? 1)].filter(
      (part) => part !== undefined,
    )
    await launch(place.join(':'))
    return { opened: place.join(':') }
  }
}

async function launch(place: string): Promise<void> {
  const { default: launchEditor } = await import('launch-editor')
  // A missing editor is reported right away, a found one never.
  const failed = await new Promise<string | undefined>((done) => {
    launchEditor(place, undefined, (_file, message) => done(message ?? 'it could not be started'))
    setImmediate(done, undefined)
  })
  if (failed === undefined) return
  throw new HttpError(
    409,
    'api-editor-unknown',
    `No editor was opened: ${failed.trim()}.`,
    'Set the variable LAUNCH_EDITOR to the command of your editor, such as "code".',
  )
}
