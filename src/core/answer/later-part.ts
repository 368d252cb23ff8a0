/** A part of what answers requests that many servers never need. It is imported with the first request that does. */
export interface LaterPart<T> {
  /** `undefined` until it has been imported. */
  loaded: T | undefined
  load: () => Promise<T>
}

/**
 * @param importPart imports its file. It is in the host's file: bundlers leave out an `import()` only with the file that has
 * it.
 */
export function createLaterPart<T>(importPart: () => Promise<T>): LaterPart<T> {
  const part: LaterPart<T> = {
    loaded: undefined,
    async load() {
      return (part.loaded = await importPart())
    },
  }
  return part
}

/**
 * Calls a function with a part: at once, or when the part has been imported. A promise that rejects needs no listener: the client
 * may be gone by then, and nobody waits.
 */
export function withPart<T, R>(part: LaterPart<T>, use: (loaded: T) => R | Promise<R>): R | Promise<R> {
  if (part.loaded) return use(part.loaded)
  const later = part.load().then(use)
  later.catch(() => {})
  return later
}
