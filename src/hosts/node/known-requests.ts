import type { Exchange } from '../../core/answer/exchange.ts'
import type { RequestHead, Target } from '../../core/answer/receive.ts'
import { KeptHeaders } from '../../core/http/kept-headers.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import type { RequestHead as JournalHead } from '../../inspector/request-heads.ts'

/** What was decided about a request from everything but its body. */
export interface KnownRequest {
  target: Target
  exchange: Exchange
  /** What the journal keeps of it, and of all equal ones. */
  head: JournalHead
}

interface Compared extends KnownRequest {
  /** As the middleware sees it: without the path that it is mounted at. */
  ownUrl: string
  isSecure: boolean
  allowedOrigin: string | undefined
  headers: KeptHeaders
}

/** Maximum URLs and requests per URL that are remembered, and the length of a URL: that of nearly every request. */
const maxUrls = 100
const maxPerUrl = 16
const maxLength = 2000

/**
 * The last requests of one middleware. An application sends the same few requests again and again; for an equal one, it is
 * known which endpoint it is for and whether it may be answered, and often the whole answer. To compare its headers takes
 * less time than to decide again.
 */
export class KnownRequests {
  readonly #byUrl = new Map<string, Compared[]>()
  #table: RouteTable | undefined

  /** The last requests for a URL to these routes. Its headers need not be read when there is none. */
  of(table: RouteTable, url: string): readonly Compared[] | undefined {
    if (table === this.#table) return this.#byUrl.get(url)
    this.#byUrl.clear() // so that old routes are not kept
    this.#table = table
    return undefined
  }

  /** Remembers a request that was not found. Returns `undefined` when its URL is too long. */
  keep(ownUrl: string, head: RequestHead, target: Target, exchange: Exchange): KnownRequest | undefined {
    const { method, url, isSecure, allowedOrigin } = head
    if (url.length > maxLength || target.table !== this.#table) return undefined
    const headers = new KeptHeaders(head.headers)
    const journalHead = { method, url, headers: headers.headers, match: target.match }
    const one = { ownUrl, isSecure, allowedOrigin, headers, head: journalHead, target, exchange }
    const known = this.#byUrl.get(url)
    if (!known) {
      if (this.#byUrl.size === maxUrls) this.#byUrl.clear()
      this.#byUrl.set(url, [one])
    } else {
      if (known.length === maxPerUrl) known.shift()
      known.push(one)
    }
    return one
  }
}

/** The one of some requests for a URL that is equal to another. What it was answered with must not depend on anything else. */
export function findEqual(
  requests: readonly Compared[],
  ownUrl: string,
  { method, headers, isSecure, allowedOrigin }: RequestHead,
): KnownRequest | undefined {
  for (const one of requests) {
    if (
      one.head.method === method &&
      one.ownUrl === ownUrl &&
      one.isSecure === isSecure &&
      one.allowedOrigin === allowedOrigin &&
      one.headers.equal(headers)
    )
      return one
  }
  return undefined
}
