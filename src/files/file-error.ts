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
