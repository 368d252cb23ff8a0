import type { FormattedError } from './formatted-error.ts'

/** What work is done for, as an error names it. */
const kinds = [
  'parsing',
  'selectors',
  'validation',
  'variables',
  'introspection',
  'fields',
  'errors',
] as const
export type Work = (typeof kinds)[number]

/**
 * The work that one request may cause, all operations of a batch together. One unit is what it takes to parse a token:
 * about two microseconds.
 *
 * Whoever does work that a request can multiply spends units first, or right after where only the outcome tells how many.
 * A cached result costs what it cost at first, so the same request always gets the same answer. Where more is spent
 * than there is, the work ends early, and the request is answered with `error` in place of what came of it.
 */
export class Budget {
  /** Units left; negative once too many were spent. */
  left: number
  readonly #limit: number
  readonly #spent = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Work, number>

  /** @param limit units; without one, everything is allowed */
  constructor(limit = Infinity) {
    this.#limit = limit
    this.left = limit
  }

  /** @returns whether there were as many units left */
  spend(work: Work, units: number): boolean {
    this.#spent[work] += units
    this.left -= units
    return this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0
  }

  /** Why the request is not answered. It says what the units went to. */
  get error(): FormattedError {
    const spent = kinds.flatMap((kind) => (this.#spent[kind] > 0 ? `${kind} ${this.#spent[kind]}` : []))
    return {
      message: `The request costs more than ${this.#limit} units of work (option "graphql.maxCost"): ${spent.join(', ')}.`,
    }
  }
}

/** Units for texts: characters are lexed, compared and serialised. */
export function costOfText(length: number): number {
  return length >> 6
}
