const usual = {
  changed: ['it has changed since', 'Nothing was written. Look at the file again.'],
  exists: ['it exists already', 'Choose another name.'],
  outside: [
    'a link leads out of the project',
    'Replace the link by a copy, or name the folder in the option "fixtures".',
  ],
  'read-only': ['it is read-only', 'Change its permissions, so that it may be written.'],
  'hard-link': [
    'it has several names (hard links), and the others would keep the old content',
    'Replace it by a copy, so that it has one name.',
  ],
  encoding: ['it is not in UTF-8', 'Save the file in UTF-8 first.'],
  /** The system refuses it, as where the disk is full. */
  failed: ['the system refuses it', 'Check the disk, the folder and its permissions.'],
} as const

/** Why a file is not written. */
export type WriteRefusal = keyof typeof usual

/** The error of what writes files of the user, if they are refused. */
export function refusalOf(write: () => void): FileError | undefined {
  try {
    write()
    return undefined
  } catch (error) {
    if (error instanceof FileError) return error
    throw error
  }
}

/** A file of the user that is not written, and why: nothing was changed. */
export class FileError extends Error {
  /** Advice to the user: how the file can be written. */
  readonly fix: string

  /** @param reason the end of a sentence: `it is read-only` */
  constructor(
    readonly refusal: WriteRefusal,
    readonly path: string,
    readonly reason: string = usual[refusal][0],
  ) {
    super(`${path} can't be written: ${reason}.`)
    this.fix = usual[refusal][1]
  }
}
