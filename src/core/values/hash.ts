export const hashStart = 0x811c9dc5

/** 32-bit FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). */
export function addToHash(hash: number, data: string | Uint8Array): number {
  let state = hash
  if (typeof data === 'string') {
    for (let i = 0; i < data.length; i++) state = Math.imul(state ^ data.charCodeAt(i), 0x01000193)
  } else {
    for (let i = 0; i < data.length; i++) state = Math.imul(state ^ data[i]!, 0x01000193)
  }
  return state
}

/** A number below 2^32, unrelated to that of a similar text. */
export function hash32(data: string | Uint8Array, start = hashStart): number {
  return mixHash(addToHash(start, data))
}

/** Eight digits. */
export function hex32(hash: number): string {
  return hash.toString(16).padStart(8, '0')
}

/** Similar hashes give unrelated integers below 2^32 (MurmurHash3's finalizer). */
export function mixHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
