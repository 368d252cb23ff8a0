import type { ApiError } from '../api.ts'

/** An error of the control API, thrown by its handlers. */
export class Problem extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 500,
    readonly code: string,
    message: string,
    readonly fix: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }

  toJSON(): ApiError {
    const { message, code, fix } = this
    return { error: { message, code, fix } }
  }
}
