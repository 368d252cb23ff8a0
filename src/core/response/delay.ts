import { addToHash, hashStart, mixHash } from '../values/hash.ts'
import type { Delay } from '../schema/fault-schema.ts'
import type { RawRequest } from '../http/raw-request.ts'

type Seed = Pick<RawRequest, 'method' | 'path' | 'search' | 'body'>

/** The longest wait, in milliseconds, since a delay curve has no upper bound. */
const longest = 60_000
const defaultSigma = 0.5

/** A varying delay is derived from the request, so it is the same on every host and after a restart. */
export function waitOf(delay: Delay, raw: Seed): number {
  if (typeof delay === 'number') return delay
  const seed = hash(raw)
  if ('min' in delay) return Math.floor(delay.min + fraction(seed) * (delay.max - delay.min + 1))
  const { median, sigma = defaultSigma } = delay
  return Math.min(longest, Math.round(median * Math.exp(sigma * normal(seed))))
}

function hash({ method, path, search, body }: Seed): number {
  const state = addToHash(hashStart, `${method} ${path}?${search} `)
  return body ? addToHash(state, body) : state
}

function fraction(seed: number): number {
  return mixHash(seed) / 2 ** 32
}

/** The standard normal distribution (Box–Muller). */
function normal(seed: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - fraction(seed)))
  return radius * Math.cos(2 * Math.PI * fraction(seed ^ 0x9e3779b9))
}

/** Minimum milliseconds between two chunks. */
const shortestPause = 20
/** More chunks make no visible difference. */
const maxChunks = 1000

/** Chunks of nearly equal length, never empty. */
export function splitForDribble(bytes: Uint8Array, milliseconds: number): Uint8Array[] {
  const count = Math.max(1, Math.min(bytes.length, maxChunks, Math.floor(milliseconds / shortestPause)))
  const end = (index: number) => Math.floor((bytes.length * index) / count)
  return Array.from({ length: count }, (_, index) => bytes.subarray(end(index), end(index + 1)))
}
