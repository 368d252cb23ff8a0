/** Numbers from 0 to less than 1, the same for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** An integer from 0 to less than the end. */
    below: (end) => Math.floor(next() * end),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (share) => next() < share,
  }
}

/** The seed of one request: the same requests are sent whatever the order. */
export function seedOf(run, index) {
  return Math.imul(run ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b)
}
