import { LRUCache } from 'lru-cache'
import type { PreparedResponse } from '../response/prepare-response.ts'

/** An answer that was worked out for an operation, and the units of work that it took. */
export interface KeptAnswer {
  response: PreparedResponse
  cost: number
}

export type AnswerCache = Pick<LRUCache<string, KeptAnswer>, 'get' | 'set'>

/** Bytes, roughly, that the answers of one endpoint may take. */
const maxKeptBytes = 16_777_216

/** What an entry takes besides its key and its body: headers, also those under another media type. */
const entryOverhead = 1_000

/** Keeps answers within a number of bytes; the least recently used leave first, and large ones are not kept. */
export function createAnswerCache(keptBytes = maxKeptBytes): AnswerCache {
  return new LRUCache({
    maxSize: keptBytes,
    maxEntrySize: keptBytes / 8,
    sizeCalculation: ({ response }, key) => key.length * 2 + response.body.length + entryOverhead,
  })
}
