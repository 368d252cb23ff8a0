import type { Delay } from '../schema/fault-schema.ts'
import type { RawRequest } from '../http/raw-request.ts'

/** The longest wait that a curve gives, in milliseconds: it has no bound of its own. */
const longest = 60_000
const defaultSigma = 0.5

/**
 * Milliseconds that a request waits for its answer. What varies is taken from the method, the path, the query and, where
 * the endpoint reads it, the body: so the same request waits the same, on every host and after every restart.
 */
export function waitOf(delay: Delay, raw: RawRequest): number {
  if (typeof delay === 'number') return delay
  const seed = hash(raw)
  if ('min' in delay) return Math.floor(delay.min + fraction(seed) * (delay.max - delay.min + 1))
  const { median, sigma = defaultSigma } = delay
  return Math.min(longest, Math.round(median * Math.exp(sigma * normal(seed))))
}

/** @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv (FNV-1a, 32 bits) */
function hash({ method, path, search, body }: RawRequest): number {
  let state = 0x811c9dc5
  const text = `${method} ${path}?${search} `
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
  if (body) for (let i = 0; i < body.length; i++) state = Math.imul(state ^ body[i]!, 0x01000193)
  return state
}

/** A number from 0 to below 1 for a seed; neighbouring seeds have nothing in common (the last steps of MurmurHash3). */
function fraction(seed: number): number {
  let state = seed
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32
}

/** A number of the standard normal distribution (Box and Muller). */
function normal(seed: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - fraction(seed)))
  return radius * Math.cos(2 * Math.PI * fraction(seed ^ 0x9e3779b9))
}
