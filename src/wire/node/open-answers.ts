import type { ServerResponse } from 'node:http'

/** Answers that are delayed or stay open on purpose. The server can't close before they end. */
export interface OpenAnswers {
  /** Tracks an answer until it ends or its client leaves. */
  track: (res: ServerResponse) => void
  /** Stops tracking an answer that is about to be sent, here or by the next middleware. */
  forget: (res: ServerResponse) => void
  /** Tracks an answer that may never end; `false` if the client has left or the server is closing. */
  hold: (res: ServerResponse) => boolean
  /** Runs a step after some milliseconds, unless the answer has ended by then. */
  later: (res: ServerResponse, milliseconds: number, step: () => void) => void
  /** Ends all answers. Later ones are neither delayed nor left open. */
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
      if (res.destroyed) return false
      track(res)
      return true
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
