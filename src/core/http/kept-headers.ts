import type { Headers } from './raw-request.ts'

/** A copy of a request's headers, which those of later requests are compared with. */
export class KeptHeaders {
  readonly headers: Headers
  private readonly names: readonly string[]
  private readonly values: readonly unknown[]

  constructor(headers: Headers) {
    this.headers = { ...headers } // the next middleware may change its own
    this.names = Object.keys(headers)
    this.values = Object.values(headers)
  }

  /** Whether other headers have the same names and values, in the same order. */
  equal(headers: Headers): boolean {
    const { names, values } = this
    let count = 0
    // Faster than `Object.keys`, and nothing is allocated.
    for (const name in headers) {
      if (names[count] !== name || values[count] !== headers[name]) return false
      count++
    }
    return count === names.length
  }
}
