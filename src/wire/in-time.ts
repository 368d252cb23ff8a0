/** How long to wait for a promise. */
export interface TimeLimit {
  milliseconds: number
  /** What is thrown afterwards. */
  error: () => Error
  /** Ends the waiting early, with the same error. */
  signal?: AbortSignal | undefined
  /** Whether the process may exit meanwhile. */
  mayExit?: boolean
}

/**
 * The result of a promise, if it settles in time. A later result or rejection is ignored. It uses only web standards, so
 * that it runs in every host.
 */
export async function inTime<T>(
  work: T | PromiseLike<T>,
  { milliseconds, error, signal, mayExit }: TimeLimit,
): Promise<T> {
  let stop = () => {}
  const late = new Promise<never>((_, reject) => {
    stop = () => reject(error())
  })
  const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(stop, milliseconds)
  if (mayExit) timer.unref?.()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
