export interface TimeLimit {
  milliseconds: number
  error: () => Error
  /** Ends the waiting early, with the same error. */
  signal?: AbortSignal | undefined
  mayExit?: boolean
}

/** A later result or rejection is ignored. Web standards only, so that it runs in every host. */
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
