/** Where in the user's files something was found. Lines and columns count from 1. */
export interface SourceLocation {
  /** Path of the file, relative to the project's root if it is inside. */
  file: string
  /** From 1. Absent where only the file is known. */
  line?: number
  /** From 1. Absent where only the line is known. */
  column?: number
  /** JSON pointer (RFC 6901) into the value of the file, such as `/0/response/status`. */
  pointer?: string
}
