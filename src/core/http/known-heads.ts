import { textOf, type Headers } from './raw-request.ts'

/** What is remembered at most: URLs that came once, heads in all, and those for one URL. */
const maxUrls = 100
const maxHeads = 200
const maxPerUrl = 16

/** Characters of a URL and of the headers, names included: those of nearly every request. */
const maxUrl = 2000
const maxHeaders = 6000

/**
 * What is known of the last requests, for later ones with an equal head: the same URL, the same headers, and whatever else
 * the caller compares. It has at most 200 heads of 8000 characters and 100 URLs of 2000: 1.8 MB.
 *
 * Of the first request for a URL, only the URL is noted. A URL with a timestamp never comes again, and what outlives a young
 * collection of the garbage collector is expensive: remembering each of them takes 10 to 18 % of the CPU time of its request.
 */
export class KnownHeads<T extends { readonly headers: KeptHeaders }> {
  readonly #seen = new Set<string>()
  readonly #byUrl = new Map<string, T[]>()
  #count = 0

  /** The last requests for a URL that are remembered. The headers of another need not be read if there is none. */
  of(url: string): readonly T[] | undefined {
    return this.#byUrl.get(url)
  }

  /**
   * Notes the URL of a request that was not found.
   *
   * @returns a copy of its headers for `add`; `undefined` for the first request for a URL, and for large ones
   */
  noteUrl(url: string, headers: Headers): KeptHeaders | undefined {
    if (url.length > maxUrl) return undefined
    if (!this.#byUrl.has(url) && !this.#seen.has(url)) {
      if (this.#seen.size === maxUrls) this.#seen.clear()
      this.#seen.add(url)
      return undefined
    }
    return lengthOf(headers) > maxHeaders ? undefined : new KeptHeaders(headers)
  }

  /** Remembers a request that was not found. The oldest one for its URL is forgotten if there are many. */
  add(url: string, one: T): void {
    if (this.#count === maxHeads) this.clear()
    const known = this.#byUrl.get(url)
    if (known?.length === maxPerUrl) known.shift()
    else this.#count++
    if (known) known.push(one)
    else this.#byUrl.set(url, [one])
    this.#seen.delete(url)
  }

  clear(): void {
    this.#seen.clear()
    this.#byUrl.clear()
    this.#count = 0
  }
}

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

function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += name.length + (textOf(headers[name])?.length ?? 0)
  return length
}
