import type { Omission } from './exchange.ts'

/** Collects what is left out. The same thing in several exchanges of an endpoint is one entry. */
export class Omissions {
  readonly #found = new Map<string, Omission>()

  add(what: string, why: string, where: string): void {
    const key = JSON.stringify([what, why, where])
    const known = this.#found.get(key)
    if (known) known.count++
    else this.#found.set(key, { what, why, where, count: 1 })
  }

  /** Sorted by where they were. */
  list(): Omission[] {
    return [...this.#found.values()].sort(
      (a, b) => compareText(a.where, b.where) || compareText(a.what, b.what) || compareText(a.why, b.why),
    )
  }
}

const numeric = new Intl.Collator('en', { numeric: true })

/** An order that is the same everywhere, and in which `7` stands before `10`. */
export function compareText(a: string, b: string): number {
  return numeric.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
