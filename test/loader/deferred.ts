export interface Deferred {
  promise: Promise<void>
  resolve: () => void
}

/** A promise that is resolved from outside. */
export function createDeferred(): Deferred {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
