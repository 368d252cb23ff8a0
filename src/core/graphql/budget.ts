import { oncePerObject } from '../values/collections.ts'
import { forEachObject } from '../values/values.ts'
import type { FormattedError } from './formatted-error.ts'

type Work = 'parsing' | 'validation' | 'variables' | 'introspection' | 'fields' | 'errors'

/**
 * The work for one request or batch, in units of one or two microseconds: a token of a document, or a field of the
 * answer. When it is spent, the request is answered with `error` instead of an incomplete result.
 */
export class Budget {
  /** Negative once too many units were spent. */
  left: number
  readonly #limit: number
  readonly #spent = new Map<Work, number>()

  /** @param limit units; without one, everything is allowed */
  constructor(limit = Infinity) {
    this.#limit = limit
    this.left = limit
  }

  spend(work: Work, units: number): boolean {
    if (units === 0) return !this.isSpent
    this.#spent.set(work, (this.#spent.get(work) ?? 0) + units)
    this.left -= units
    return this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0
  }

  get error(): FormattedError {
    const spent = [...this.#spent].map(([work, units]) => `${work} ${units}`)
    return {
      message: `The request costs more than ${this.#limit} units of work (option "graphql.maxCost"): ${spent.join(', ')}.`,
    }
  }
}

/** Units for a long string or a large object, which aliases and batches can multiply. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 8
  return typeof value === 'object' && value !== null ? weightOfObject(value) : 0
}

const weightOfObject = oncePerObject((value: object): number => {
  let values = 0
  forEachObject(value, (_, parts) => {
    for (const part of parts) values += typeof part === 'string' ? 1 + (part.length >> 4) : 1
  })
  return values >> 4
})
