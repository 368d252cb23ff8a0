import type { PreparedResponse } from '../response/prepare-response.ts'

/** Answers that were worked out for an operation. */
export interface AnswerCache {
  get: (key: string) => PreparedResponse | undefined
  set: (key: string, response: PreparedResponse) => void
}

/** Bytes, roughly, that the answers of one endpoint may take. */
const maxKeptBytes = 16_777_216

/** What an entry takes besides its key and its body. */
const entryOverhead = 400

/**
 * Keeps answers up to a number of bytes, those that were asked for last. Two generations: when the young one has half of
 * the bytes, it becomes the old one, and what was the old one is gone at once. (A map whose oldest entry is deleted for
 * each new one is slow: V8 skips all the holes to find it.)
 */
export function createAnswerCache(limit = maxKeptBytes): AnswerCache {
  let young = new Map<string, PreparedResponse>()
  let old = new Map<string, PreparedResponse>()
  let size = 0
  const sizeOf = (key: string, { body }: PreparedResponse) => key.length * 2 + body.length + entryOverhead
  function set(key: string, response: PreparedResponse): void {
    const added = sizeOf(key, response)
    if (added > limit / 8 || young.has(key)) return
    if (size + added > limit / 2) {
      old = young
      young = new Map()
      size = 0
    }
    young.set(key, response)
    size += added
  }
  return {
    get(key) {
      const known = young.get(key)
      if (known) return known
      const older = old.get(key)
      if (older) set(key, older)
      return older
    },
    set,
  }
}
