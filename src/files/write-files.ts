import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isReallyInside, realPlace } from './links.ts'
import { attempt, reasonOf } from '../core/values/thrown.ts'
import { FileError } from './file-error.ts'

export interface Writing {
  /** The folders of which a file has to be in one, whatever links say. Default: anywhere. */
  within?: readonly string[]
}

/** Bytes that depend on those that the file has now: a text that was edited keeps the rest as it is. */
export type Edited = (before: Buffer | undefined, path: string) => Uint8Array

export interface NewContent {
  path: string
  /** The whole file; `undefined` removes it. */
  content: string | Uint8Array | Edited | undefined
  /** The version of the file that the content was made from; empty if it has to be new. Default: whatever is there. */
  expected?: string
}

export interface FileBefore {
  path: string
  /** `undefined` if the file was new. */
  before: Buffer | undefined
  /** The version that the file has now; empty if it was removed. */
  version: string
}

/**
 * Writes files of the user: all of them, or none. Each is written to a file beside it, read back, and renamed, so that nobody
 * reads half of it, also on a full disk. A symbolic link stays a link; mode and owner are kept.
 *
 * @throws FileError
 */
export function writeFiles(files: readonly NewContent[], writing: Writing = {}): FileBefore[] {
  const staged: Staged[] = []
  const written: FileBefore[] = []
  let path = ''
  try {
    for (const file of files) {
      path = file.path
      staged.push(stage(file, writing))
    }
    for (const one of staged) {
      path = one.path
      written.push(swapIn(one))
    }
    return written
  } catch (error) {
    for (const one of written.reverse()) takeBack(one)
    throw error instanceof FileError ? error : new FileError('failed', path, reasonOf(error))
  } finally {
    const isLost = written.length < files.length
    for (const { aside, newFolder } of staged.reverse()) {
      if (aside !== undefined) rmSync(aside, { force: true })
      if (isLost && newFolder !== undefined) removeEmpty(dirname(aside!), newFolder)
    }
  }
}

/** @throws FileError */
export function writeFile(
  path: string,
  content: NewContent['content'],
  { within, ...expected }: Writing & Pick<NewContent, 'expected'> = {},
): FileBefore {
  return writeFiles([{ path, content, ...expected }], within && { within })[0]!
}

interface Staged {
  path: string
  /** The file at the end of links. */
  real: string
  before: Buffer | undefined
  bytes: Uint8Array | undefined
  /** The file beside it, which has the bytes. */
  aside: string | undefined
  /** The first of the folders that were made for it. */
  newFolder: string | undefined
}

function stage({ path, content, expected }: NewContent, { within }: Writing): Staged {
  checkWithin(path, within)
  const real = realPlace(path)
  const before = existsSync(real) ? readFileSync(real) : undefined
  const whole = typeof content === 'function' ? content(before, path) : content
  const bytes = typeof whole === 'string' ? Buffer.from(whole) : whole
  checkVersion(path, before, expected)
  if (before) checkWritable(path, real)
  if (!bytes) return { path, real, before, bytes, aside: undefined, newFolder: undefined }
  const folder = dirname(real)
  const newFolder = mkdirSync(folder, { recursive: true })
  const aside = join(folder, `.${basename(real)}.${randomUUID()}.tmp`)
  try {
    writeFileSync(aside, bytes, { flag: 'wx' })
    if (before) keepRights(real, aside)
    if (!readFileSync(aside).equals(bytes)) throw new Error('the disk has other bytes than were written')
  } catch (error) {
    rmSync(aside, { force: true })
    if (newFolder !== undefined) removeEmpty(folder, newFolder)
    throw error
  }
  return { path, real, before, bytes, aside, newFolder }
}

/** Looks once more: between two names, somebody else may have saved the file. */
function swapIn({ path, real, before, bytes, aside }: Staged): FileBefore {
  const now = existsSync(real) ? readFileSync(real) : undefined
  checkVersion(path, now, before ? versionOf(before) : '')
  if (!bytes || aside === undefined) {
    rmSync(real, { force: true })
    return { path, before, version: '' }
  }
  if (before) renameSync(aside, real)
  else giveName(aside, real)
  return { path, before, version: versionOf(bytes) }
}

/** A rename would replace a file that has appeared in the meantime; a second name does not. Not every disk has them. */
function giveName(aside: string, path: string): void {
  try {
    linkSync(aside, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new FileError('exists', path)
    renameSync(aside, path)
  }
}

function takeBack({ path, before }: FileBefore): void {
  try {
    if (before) writeFile(path, before)
    else rmSync(path, { force: true })
  } catch {
    // The reason why another file could not be written holds for this one, too.
  }
}

/** The mode as it is: that of a new file is cut by the umask. Only root may give a file to another owner. */
function keepRights(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from)
  const own = statSync(to)
  if (own.uid !== uid || own.gid !== gid) {
    try {
      chownSync(to, uid, gid)
    } catch {
      // The file is the user's from now on, as after a save in an editor.
    }
  }
  chmodSync(to, mode)
}

export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

function checkWithin(path: string, within: Writing['within']): void {
  if (within && !within.some((folder) => isReallyInside(folder, path))) throw new FileError('outside', path)
}

function checkVersion(path: string, bytes: Buffer | undefined, expected: string | undefined): void {
  if (expected === undefined || expected === (bytes ? versionOf(bytes) : '')) return
  throw expected === '' ? new FileError('exists', path) : new FileError('changed', path)
}

/** A rename asks for the rights of the folder only. */
function checkWritable(path: string, real: string): void {
  const { mode, nlink } = lstatSync(real)
  if ((mode & 0o222) === 0 || !mayWrite(real)) throw new FileError('read-only', path)
  if (nlink > 1)
    throw new FileError(
      'hard-link',
      path,
      `it has ${nlink} names (hard links), and the others would keep the old content`,
    )
}

/** Whether a file that is there would be written over. */
export function mayReplace(path: string, { within }: Required<Writing>): boolean {
  const isReplaced = () => {
    checkWithin(path, within)
    checkWritable(path, realPlace(path))
    return true
  }
  return attempt(isReplaced) ?? false
}

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The folders that were made for a file which was not written. */
function removeEmpty(folder: string, first: string): void {
  try {
    for (let one = folder; one.length >= first.length; one = dirname(one)) rmdirSync(one)
  } catch {
    // Another program has put a file into it.
  }
}
