import type { PreparedResponse } from '../response/prepare-response.ts'
import { LruMap } from '../values/lru-map.ts'

/** The answer to an operation, and the units of work that it took. */
interface CachedResponse {
  response: PreparedResponse
  cost: number
}

export type ResponseCache = Pick<LruMap<string, CachedResponse>, 'get' | 'set'>

/** Approximate maximum bytes of the cached answers of one endpoint. */
const maxCachedBytes = 16_777_216

/** Bytes of an entry besides its key and its body: headers, also those for another media type. */
const entryOverhead = 1_000

/** Caches answers up to a number of bytes: the least recently used are removed first, and large ones are not cached. */
export function createResponseCache(cachedBytes = maxCachedBytes): ResponseCache {
  return new LruMap({
    max: cachedBytes,
    maxEntry: cachedBytes / 8,
    sizeOf: ({ response }, key) => key.length * 2 + response.body.length + entryOverhead,
  })
}
