/** Thrown when the return value of a function can't be sent. */
export class InvalidResponse extends Error {
  constructor(
    reason: string,
    readonly fix: string,
  ) {
    super(reason)
  }
}
