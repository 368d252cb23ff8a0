import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { reasonOf } from '../../../core/values/thrown.ts'
import { newFixturesFolder } from '../../../loader/find/find-fixtures.ts'
import { isDataFile } from '../../../loader/find/fixture-names.ts'
import { displayPath, isInside } from '../../../loader/paths.ts'
import { decodeText } from '../../../loader/read/read-whole-file.ts'
import { isReallyInside } from '../../../loader/watch/links.ts'
import type { InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'

/** The text of a file, and what the developer has to know about it. */
export interface Proposed {
  file: string
  text: string
  notes: string[]
  /** Of a sad path. */
  scenario?: string
}

/** A fixture file as it is: what an edit is made from, and compared with when it is written. */
export interface EditedFile {
  path: string
  /** Without a byte order mark, with `\n` at the ends of lines. Empty for a new file. */
  text: string
  /** A hash of its bytes; empty for a new file. */
  version: string
  isJson: boolean
}

/**
 * One of the project's fixture files, or a new one in the folder of the fixtures.
 *
 * @param file relative to the project's root
 * @throws HttpError
 */
export function readEdited({ options, store }: InspectedServer, file: string): EditedFile {
  const path = resolve(options.root, file)
  const folder = newFixturesFolder(options)
  const shown = displayPath(options.root, folder)
  const isThere = existsSync(path)
  const isInFolder = isInside(folder, path) && isReallyInside(folder, dirname(path))
  const isOwn = editableFiles(store).includes(file)
  if (isOwn && !isDataFile(path)) throw isCode(file)
  // One that is empty has no routes yet.
  if (isThere && (isOwn || (isInFolder && isDataFile(path)))) return readNow(path)
  if (!isThere && isInFolder && !/\p{Cc}/u.test(file) && /\.ya?ml$/i.test(path))
    return { path, text: '', version: '', isJson: false }
  throw isThere && isInFolder
    ? exists(file)
    : new HttpError(
        400,
        'api-file-invalid',
        `No fixture file can be written at "${file}".`,
        `Give a path inside ${shown} that ends in .yaml, such as ${shown}/orders/failed.yaml.`,
      )
}

/** As messages show them. TypeScript is included, so that the answer can say why such a file is not changed. */
export function editableFiles({ current }: InspectedServer['store']): string[] {
  return current!.own.map(({ shown }) => shown)
}

export function isCode(file: string): HttpError {
  return unwritable(`${file} is code, and only YAML and JSON files are changed here`)
}

export function unwritable(reason: string): HttpError {
  return new HttpError(
    409,
    'api-fixture-unwritable',
    `No fixture can be written: ${reason}.`,
    'Write the route in your editor, or into a new file.',
  )
}

export function readNow(path: string): EditedFile {
  const bytes = readFileSync(path)
  const version = createHash('sha256').update(bytes).digest('base64url')
  const text = decodeText(bytes).replaceAll('\r\n', '\n')
  return { path, text, version, isJson: /\.json\w*$/i.test(path) }
}

/** What a write has replaced. */
export interface Written {
  path: string
  /** `undefined` if the file was new. */
  before: Buffer | undefined
  /** Of what was written. */
  version: string
}

/**
 * Writes a file next to it and renames it, so nobody reads half a file. A symbolic link stays a link.
 *
 * @throws HttpError if the file is not what the text was made from
 */
export function writeEdited(path: string, version: string, content: string | Buffer | undefined): Written {
  try {
    return writeNow(path, version, content)
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

function writeNow(path: string, version: string, content: string | Buffer | undefined): Written {
  if (version === '') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content!, { flag: 'wx' })
    return { path, before: undefined, version: readNow(path).version }
  }
  if (!existsSync(path) || readNow(path).version !== version) throw hasChanged(path)
  const real = realpathSync(path)
  const before = readFileSync(real)
  if (content === undefined) {
    rmSync(real)
    return { path, before, version: '' }
  }
  const aside = join(dirname(real), `.${basename(real)}.${randomUUID()}.tmp`)
  try {
    writeFileSync(aside, typeof content === 'string' ? encodedLike(before, content) : content, {
      flag: 'wx',
      mode: statSync(real).mode,
    })
    if (readNow(path).version !== version) throw hasChanged(path)
    renameSync(aside, real)
  } finally {
    rmSync(aside, { force: true })
  }
  return { path, before, version: readNow(path).version }
}

/** With the byte order mark and the ends of lines that the file had. */
function encodedLike(before: Buffer, text: string): Buffer {
  const isUtf16 = decodeText(before) !== before.toString('utf8').replace(/^\uFEFF/, '')
  if (isUtf16) throw unwritable('the file is in UTF-16')
  const mark = before.toString('utf8').startsWith('\uFEFF') ? '\uFEFF' : ''
  return Buffer.from(mark + (before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text))
}

export function exists(file: string): HttpError {
  return new HttpError(
    409,
    'api-file-exists',
    `The file ${file} exists already.`,
    'Choose another name, or copy the YAML.',
  )
}

export function hasChanged(path: string): HttpError {
  return new HttpError(
    409,
    'api-file-changed',
    `The file ${path} has changed since.`,
    'Nothing was written. Look at the file again.',
  )
}
