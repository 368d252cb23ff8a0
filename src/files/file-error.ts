import { reasonOf } from '../core/values/thrown.ts'

/** Why a file is not written. */
export type Refusal =
  | 'changed'
  | 'exists'
  | 'outside'
  | 'read-only'
  | 'hard-link'
  | 'encoding'
  /** The system refuses it, as where the disk is full. */
  | 'failed'

/** A file of the user that is not written, and why: nothing was changed. */
export class FileError extends Error {
  /**
   * @param reason the end of a sentence: `it is read-only`
   * @param fix what the user can do
   */
  constructor(
    readonly refusal: Refusal,
    readonly path: string,
    readonly reason: string,
    readonly fix: string,
  ) {
    super(`${path} can't be written: ${reason}.`)
  }
}

export function hasChanged(path: string): FileError {
  return new FileError(
    'changed',
    path,
    'it has changed since',
    'Nothing was written. Look at the file again.',
  )
}

export function exists(path: string): FileError {
  return new FileError('exists', path, 'it exists already', 'Choose another name.')
}

export function outside(path: string): FileError {
  return new FileError(
    'outside',
    path,
    'a link leads out of the project',
    'Replace the link by a copy, or name the folder in the option "fixtures".',
  )
}

export function failed(path: string, error: unknown): FileError {
  return new FileError('failed', path, reasonOf(error), 'Check the disk, the folder and its permissions.')
}
