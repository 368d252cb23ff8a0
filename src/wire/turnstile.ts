/** A function that waits until fewer than so many are in, and returns one that leaves. */
export function createTurnstile(places: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let free = places
  return async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let isIn = true
    return () => {
      const next = isIn ? waiting.shift() : undefined
      if (isIn && !next) free++
      isIn = false
      next?.()
    }
  }
}
