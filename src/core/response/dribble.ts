/** Minimum milliseconds between two chunks. */
const shortestPause = 20
/** More chunks make no visible difference. */
const maxChunks = 1000

/** Splits a body into the chunks that are sent over a number of milliseconds: of nearly equal length, never empty. */
export function splitForDribble(bytes: Uint8Array, milliseconds: number): Uint8Array[] {
  const count = Math.max(1, Math.min(bytes.length, maxChunks, Math.floor(milliseconds / shortestPause)))
  const end = (index: number) => Math.floor((bytes.length * index) / count)
  return Array.from({ length: count }, (_, index) => bytes.subarray(end(index), end(index + 1)))
}
