import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { FileError } from '../../../files/file-error.ts'
import { readTextFile, type TextFile, withPlainEnds } from '../../../files/text-file.ts'
import { isFixturePlace, newFixturesFolder, ownFolders } from '../../../loader/find/find-fixtures.ts'
import type { FixtureState } from '../../../loader/fixture-state.ts'
import { schemaLine } from '../../../loader/schema-line.ts'
import { FixtureText } from '../../../writer/fixture-text.ts'
import { isDataFile } from '../../../loader/find/fixture-names.ts'
import { displayPath, isInside } from '../../../files/paths.ts'
import { isReallyInside } from '../../../files/links.ts'
import type { InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { showDiagnostic } from '../../explain.ts'
import { isError } from '../../../core/diagnostics/severity.ts'

/** The text of a file, and what the developer has to know about it. */
export interface Proposed {
  file: string
  text: string
  notes: string[]
  /** Only for a sad path. */
  scenario?: string
}

export interface EditedFile extends TextFile {
  isJson: boolean
}

/**
 * One of the project's fixture files, or a new one where the server finds it. Data that a fixture sends, or that nothing uses,
 * is no fixture file, and never becomes one.
 *
 * @param file relative to the project's root
 * @throws HttpError, FileError
 */
export function readEdited({ options, store }: InspectedServer, file: string): EditedFile {
  const { root } = options
  const path = resolve(root, file)
  const own = store.current!.own.find(({ shown }) => shown === file)
  if (own && !isDataFile(path)) throw isCode(file)
  const folder = newFixturesFolder(options)
  const isThere = existsSync(path)
  const isInFolder = isInside(folder, path) && isReallyInside(folder, path)
  if (isThere && own) {
    if (own.isDatabase)
      throw unwritable(
        `${file} is a database of json-server, whose lists are collections, and has no routes`,
        `Write the route into a fixture file, and name that in the option "fixtures", too.`,
      )
    return readNow(options, path)
  }
  if (!isInFolder || !(isThere || (/\.ya?ml$/i.test(path) && !/\p{Cc}/u.test(file)))) {
    if (isThere && isInFolder) throw new FileError('exists', file)
    const shown = displayPath(root, folder)
    throw new HttpError(400, 'api-file-invalid', {
      message: `No fixture file can be written at "${file}".`,
      fix: `Give a path inside ${shown} that ends in .yaml, such as ${shown}/orders/failed.yaml.`,
    })
  }
  if (!isDataFile(path)) throw new FileError('exists', file)
  if (!isFixturePlace(options, path)) throw notServed(options, file)
  if (!isThere) return { path, text: '', version: '', isJson: false }
  if (!hasNoRoutesYet(store.current!, file)) throw notFixture(store, path, file)
  return readNow(options, path)
}

/** The text with routes at its end; that of a new file begins with the line that names the schema. */
export function withRoutes(
  { path, text, version, isJson }: EditedFile,
  added: object[],
  yaml: string,
): string {
  if (version !== '') return new FixtureText(text, isJson).withRoutes(added, yaml)
  return `${schemaLine(path)}${yaml.trimEnd()}\n`
}

export function notServed({ fixtures }: InspectedServer['options'], file: string): HttpError {
  return unwritable(
    `${file} would not be served: the option "fixtures" is ${JSON.stringify(fixtures)}`,
    'Add the file or its folder to the option "fixtures", or to the arguments of "serve".',
  )
}

/** An empty file, or an empty list. */
function hasNoRoutesYet({ diagnostics }: FixtureState, file: string): boolean {
  return diagnostics.some((one) => one.code === 'fixture-empty' && one.file === file)
}

function notFixture({ current }: InspectedServer['store'], path: string, file: string): HttpError {
  const user = current!.own.find(({ dependencies }) => dependencies.includes(path))
  return unwritable(
    user
      ? `${file} is data that ${user.shown} uses, and not a list of routes`
      : `${file} is data, and not a list of routes`,
    'Write the route into a fixture file, or into a new one.',
  )
}

export function isCode(file: string): HttpError {
  return unwritable(`${file} is code, and only YAML and JSON files are changed here`)
}

export function unwritable(
  reason: string,
  fix = 'Write the route in your editor, or into a new file.',
): HttpError {
  return new HttpError(409, 'api-fixture-unwritable', {
    message: `No fixture can be written: ${reason}.`,
    fix,
  })
}

/** @throws FileError where a link leads out of the project: what is outside is not even shown */
export function readNow(options: InspectedServer['options'], path: string): EditedFile {
  if (!ownFolders(options).some((folder) => isReallyInside(folder, path)))
    throw new FileError('outside', path)
  return { ...readTextFile(path), isJson: /\.json\w*$/i.test(path) }
}

/** A file that is not written, as the control API says it. */
export function fileProblem({ refusal, message, fix }: FileError): HttpError {
  const codes: Partial<Record<FileError['refusal'], string>> = {
    changed: 'api-file-changed',
    exists: 'api-file-exists',
  }
  return new HttpError(409, codes[refusal] ?? 'api-file-unwritable', { message, fix })
}

/**
 * Reads a text as the server would, before it is written: a file that loads is never replaced by one that does not. A file
 * with errors may keep some of them, since they are corrected one after the other.
 *
 * @throws HttpError
 */
export async function checkLoads(
  { store, options }: InspectedServer,
  path: string,
  text: string,
): Promise<void> {
  const before = store.current!
  const file = displayPath(options.root, path)
  const after = await store.check(path, withPlainEnds(text))
  const isBroken = before.diagnostics.some((one) => one.file === file && one.severity === 'error')
  const wrong = newDiagnostics(before, after, file).find(isError)
  if (wrong && !isBroken) throw invalidFixture(wrong, options.root)
  if (!hasNoRoutesYet(after, file) && !after.own.some(({ shown }) => shown === file))
    throw unwritable(
      `the text for ${file} is not a list of routes`,
      'Write a list of routes, as in - path: /items.',
    )
}

/** Problems of the file, and of other files that the change breaks. */
export function newDiagnostics(before: FixtureState, after: FixtureState, file: string): Diagnostic[] {
  const known = new Set(before.diagnostics.map((one) => JSON.stringify(one)))
  return after.diagnostics.filter((one) => one.file === file || !known.has(JSON.stringify(one)))
}

/** @param text what the place is in, if it is not the file of the diagnostic */
export function invalidFixture(diagnostic: Diagnostic, root: string, text = diagnostic.file): HttpError {
  const { message, fix, line = 1, column = 1, frame } = showDiagnostic(diagnostic, root)
  const place = `line ${line}, column ${column}`
  return new HttpError(400, 'api-fixture-invalid', {
    message: `${message} (${place} of ${text})${frame ? `\n${frame}\n` : ''}`,
    fix,
  })
}
