import { oncePerObject } from './collections.ts'
import { forEachObject } from './values.ts'

type Work = 'parsing' | 'validation' | 'variables' | 'introspection' | 'fields' | 'errors' | 'parts' | 'time'

/**
 * The work for what others send or have written. For one request or batch, a unit is one or two microseconds: a token of
 * a document, or a field of the answer. When it is spent, the request is answered with `error` instead of an incomplete
 * result.
 */
export class Budget {
  /** Negative once too many units were spent. */
  left: number
  readonly #limit: number
  readonly #whole: Budget | undefined
  readonly #spent = new Map<Work, number>()

  /**
   * @param limit units; without one, everything is allowed
   * @param whole the budget that this one is a part of
   */
  constructor(limit = Infinity, whole?: Budget) {
    this.#limit = limit
    this.#whole = whole
    this.left = limit
  }

  spend(work: Work, units: number): boolean {
    if (units === 0) return !this.isSpent
    this.#spent.set(work, (this.#spent.get(work) ?? 0) + units)
    this.left -= units
    this.#whole?.spend(work, units)
    return !this.isSpent
  }

  get isSpent(): boolean {
    return this.left < 0 || this.#whole?.isSpent === true
  }

  get error(): { message: string } {
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
