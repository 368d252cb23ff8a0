import type { FormattedError } from './formatted-error.ts'

/** What units are spent on, as an error names it. */
export type Work =
  'parsing' | 'selectors' | 'validation' | 'variables' | 'introspection' | 'fields' | 'errors'

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
  // `private`, since every GraphQL request has a budget, and `#` fields are slow to create.
  private readonly limit: number
  private readonly spent: Record<Work, number> = {
    parsing: 0,
    selectors: 0,
    validation: 0,
    variables: 0,
    introspection: 0,
    fields: 0,
    errors: 0,
  }

  /** @param limit units; without one, everything is allowed */
  constructor(limit = Infinity) {
    this.limit = limit
    this.left = limit
  }

  /** @returns whether enough units were left */
  spend(work: Work, units: number): boolean {
    this.spent[work] += units
    this.left -= units
    return this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0
  }

  /** Why the request is refused, including what the units were spent on. */
  get error(): FormattedError {
    const spent = Object.entries(this.spent).flatMap(([work, units]) => (units > 0 ? `${work} ${units}` : []))
    return {
      message: `The request costs more than ${this.limit} units of work (option "graphql.maxCost"): ${spent.join(', ')}.`,
    }
  }
}

/** Units for lexing, comparing or serialising the characters of a string. */
export function costOfText(length: number): number {
  return length >> 6
}
