import type { FormattedError } from './formatted-error.ts'

/** What units are spent on, as an error names it. */
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
 * The maximum work for one request, including all operations of a batch. A unit is one or two microseconds: parsing a
 * token, or producing a field of the answer.
 *
 * Code whose work a request can multiply spends units before it works, or right afterwards if only the result shows how
 * many. A cached result costs as much as the first time, so the same request always gets the same answer. When the budget
 * is spent, work ends early, and the request is answered with `error` instead of an incomplete result.
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

  /** @returns whether enough units were left */
  spend(work: Work, units: number): boolean {
    this.#spent[work] += units
    this.left -= units
    return this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0
  }

  /** Why the request is refused, including what the units were spent on. */
  get error(): FormattedError {
    const spent = kinds.flatMap((kind) => (this.#spent[kind] > 0 ? `${kind} ${this.#spent[kind]}` : []))
    return {
      message: `The request costs more than ${this.#limit} units of work (option "graphql.maxCost"): ${spent.join(', ')}.`,
    }
  }
}

/** Units for lexing, comparing or serialising the characters of a string. */
export function costOfText(length: number): number {
  return length >> 6
}
