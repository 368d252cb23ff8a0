/** Milliseconds between two pieces, at least. */
const shortestPause = 20
/** More of them make no difference that anyone could see. */
const mostPieces = 1000

/** The pieces that a body comes in over so many milliseconds, all of nearly the same length, none empty. */
export function splitForDribble(bytes: Uint8Array, milliseconds: number): Uint8Array[] {
  const count = Math.max(1, Math.min(bytes.length, mostPieces, Math.floor(milliseconds / shortestPause)))
  const end = (index: number) => Math.floor((bytes.length * index) / count)
  return Array.from({ length: count }, (_, index) => bytes.subarray(end(index), end(index + 1)))
}
