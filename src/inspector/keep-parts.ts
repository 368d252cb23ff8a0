import { oncePerObject } from '../core/values/collections.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'

/* What the journal keeps of a request: so much that it can be looked at, and nothing that would keep a whole body in memory. */

/** Bytes that are kept of each body. */
export const bodyCap = 65_536

/** A copy of the first bytes of a large body: a part of it would keep the whole in memory. */
export function firstBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length <= bodyCap ? bytes : new Uint8Array(bytes.subarray(0, bodyCap))
}

const utf8 = new TextEncoder()

/** Most responses are prepared once and sent many times, so they are also cut once. */
export const cutResponse = oncePerObject((response: PreparedResponse): PreparedResponse => {
  const first = response.body.slice(0, bodyCap) // a part of a string keeps the whole string in memory, so it is encoded
  return { ...response, body: typeof first === 'string' ? utf8.encode(first) : new Uint8Array(first) }
})

const maxName = 200

/**
 * The beginning of a name: clients choose it, and it can have a megabyte. It is part of the query text, so the name of a
 * large query is copied.
 */
export function keepName(name: string | undefined, body: Uint8Array | undefined): string | undefined {
  if (name === undefined) return undefined
  if (name.length > maxName) return copyOf(`${name.slice(0, maxName)}…`)
  return body && body.length > bodyCap ? copyOf(name) : name
}

/** A string of its own: a slice keeps the whole string in memory. */
function copyOf(text: string): string {
  return new TextDecoder().decode(utf8.encode(text))
}
