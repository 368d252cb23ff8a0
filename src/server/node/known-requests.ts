import type { Exchange } from '../../core/answer/exchange.ts'
import type { RequestHead, Target } from '../../core/answer/receive.ts'
import { KnownHeads, type KeptHeaders } from '../../core/http/known-heads.ts'
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

/**
 * The last requests of one middleware. For an equal one, it is known which endpoint it is for and whether it may be answered,
 * and often the whole answer. To compare its headers takes less time than to decide again.
 */
export class KnownRequests {
  readonly #heads = new KnownHeads<Compared>()
  #table: RouteTable | undefined

  /** The last requests for a URL to these routes. */
  of(table: RouteTable, url: string): readonly Compared[] | undefined {
    if (table === this.#table) return this.#heads.of(url)
    this.#heads.clear() // so that old routes are not kept
    this.#table = table
    return undefined
  }

  /** Remembers a request that `of` has not found for these routes, unless it is the first one for its URL, or large. */
  keep(ownUrl: string, head: RequestHead, target: Target, exchange: Exchange): KnownRequest | undefined {
    const { method, url, isSecure, allowedOrigin } = head
    const headers = this.#heads.noteUrl(url, head.headers)
    if (!headers) return undefined
    const journalHead = { method, url, headers: headers.headers, match: target.match }
    // After its decision, an exchange has the whole body.
    const kept = exchange.needsBody ? exchange.again(headers.headers) : exchange
    const one = { ownUrl, isSecure, allowedOrigin, headers, head: journalHead, target, exchange: kept }
    this.#heads.add(url, one)
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
