import type { ServerResponse } from 'node:http'

/** Answers that are still to come, or that never will: a server can't close before all of them have ended. */
export interface OpenAnswers {
  /** Keeps an answer in mind until it has ended, or its client has left. */
  track: (res: ServerResponse) => void
  /** An answer that is as good as given, by us or by whoever comes next. */
  forget: (res: ServerResponse) => void
  /** The same for one that may never end by itself; `false` where none may stay open any more. */
  hold: (res: ServerResponse) => boolean
  /** Does something in so many milliseconds, unless the answer has ended by then. */
  later: (res: ServerResponse, milliseconds: number, step: () => void) => void
  /** Ends all of them. What is asked for after that is neither delayed nor left open. */
  close: () => void
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Set<ServerResponse>()
  let isClosed = false

  function track(res: ServerResponse): void {
    if (isClosed) return
    open.add(res)
    res.once('close', () => open.delete(res))
  }

  return {
    track,
    forget: (res) => void open.delete(res),
    hold(res) {
      if (isClosed) res.destroy()
      else track(res)
      return !isClosed
    },
    later(res, milliseconds, step) {
      if (isClosed) return step()
      track(res)
      const timer = setTimeout(step, milliseconds)
      res.once('close', () => clearTimeout(timer))
    },
    close() {
      isClosed = true
      for (const res of open) res.destroy()
    },
  }
}
