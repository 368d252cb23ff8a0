import { KnownHeads, type KeptHeaders } from '../core/http/known-heads.ts'
import type { Headers } from '../core/http/raw-request.ts'
import type { EndpointMatch } from '../core/table/match.ts'

/** What is known of a request before its body is read. */
export interface RequestHead {
  method: string
  /** Request target as received. */
  url: string
  headers: Headers
  /** The endpoint that it was for; `undefined` when there is none, or when its fixture file has changed since. */
  match: EndpointMatch | undefined
}

interface KnownHead {
  head: RequestHead
  headers: KeptHeaders
}

/**
 * Gives requests with equal heads the same object. What a journal keeps of each request outlives a young collection of the
 * garbage collector: V8 copies it, and then enlarges the memory for new objects until it exceeds the processor's cache,
 * which makes all other code slower. Of a repeated request, nothing new is kept.
 */
export class RequestHeads {
  readonly #known = new KnownHeads<KnownHead>()

  keep(method: string, url: string, headers: Headers, match: EndpointMatch | undefined): RequestHead {
    const known = this.#known.of(url)
    if (known) for (const one of known) if (isSame(one, method, headers, match)) return one.head
    const kept = this.#known.noteUrl(url, headers)
    if (!kept) return { method, url, headers: { ...headers }, match } // the next middleware may change its own
    const head: RequestHead = { method, url, headers: kept.headers, match }
    this.#known.add(url, { head, headers: kept })
    return head
  }

  /** Forgets all heads, and so the endpoints that they are for. */
  clear(): void {
    this.#known.clear()
  }
}

function isSame(known: KnownHead, method: string, headers: Headers, match: EndpointMatch | undefined) {
  const { head } = known
  if (head.method !== method) return false
  // Of two middlewares with the same URL, each may have a path prefix of its own.
  if (head.match?.endpoint !== match?.endpoint || head.match?.path !== match?.path) return false
  return known.headers.equal(headers)
}
