import { oncePerObject } from '../core/values/collections.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'

/* What the journal keeps of a request: so much that it can be looked at, and nothing that would keep a whole body in memory. */

/** Bytes that are kept of each body. */
export const bodyCap = 65_536

/** The first bytes of a body, and the size of the whole. */
export interface CutBody {
  bytes: Uint8Array
  size: number
}

/** Bodies up to this many bytes, as nearly every request has, are copied into memory that is used again. */
const maxCopied = 1024

/** The first bytes of a body. Used again for later requests, since a new object for each of them is expensive to keep. */
export class KeptBody {
  private size = 0
  private space: Uint8Array | undefined
  /** The bytes of a larger body. */
  private uncopied: Uint8Array | undefined

  set(bytes: Uint8Array): void {
    this.clear()
    this.size = bytes.length
    if (bytes.length <= maxCopied) (this.space ??= new Uint8Array(maxCopied)).set(bytes)
    // A part of a body would keep the whole in memory.
    else this.uncopied = bytes.length <= bodyCap ? bytes : new Uint8Array(bytes.subarray(0, bodyCap))
  }

  get(): CutBody {
    const { size, uncopied } = this
    return { bytes: uncopied ?? this.space!.slice(0, size), size }
  }

  clear(): void {
    this.uncopied = undefined
  }
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
