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
 * The work that one request may cause, all operations of a batch together. A unit is one or two microseconds: a token
 * parsed, or a field of the answer.
 *
 * Code whose work a request can multiply spends units before it works, or right after where only the result tells how
 * many. A cached result costs what it cost at first, so the same request always gets the same answer. Once the budget is
 * spent, work ends early, and the request is answered with `error` instead of an incomplete result.
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

  /** Why the request is not answered. It says what the units went to. */
  get error(): FormattedError {
    const spent = kinds.flatMap((kind) => (this.#spent[kind] > 0 ? `${kind} ${this.#spent[kind]}` : []))
    return {
      message: `The request costs more than ${this.#limit} units of work (option "graphql.maxCost"): ${spent.join(', ')}.`,
    }
  }
}

/** Units for the characters of a text, which are lexed, compared or serialised. */
export function costOfText(length: number): number {
  return length >> 6
}
