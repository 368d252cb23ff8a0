import type { ServerResponse } from 'node:http'
import { clearTimeout, setTimeout } from './timers.ts'

/** Answers that are delayed or stay open on purpose. The server can't close before they end. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>()
  #isClosed = false

  /** Tracks an answer until it ends or its client leaves. */
  track(res: ServerResponse): void {
    if (this.#isClosed) return
    this.#open.add(res)
    res.once('close', () => this.#open.delete(res))
  }

  /** Stops tracking an answer that is about to be sent, here or by the next middleware. */
  forget(res: ServerResponse): void {
    this.#open.delete(res)
  }

  /** Tracks an answer that may never end; `false` if the client has left or the server is closing. */
  hold(res: ServerResponse): boolean {
    if (this.#isClosed) res.destroy()
    if (res.destroyed) return false
    this.track(res)
    return true
  }

  /** Runs a step after some milliseconds, unless the answer has ended by then. */
  later(res: ServerResponse, milliseconds: number, step: () => void): void {
    if (this.#isClosed) return step()
    this.track(res)
    const timer = setTimeout(step, milliseconds)
    res.once('close', () => clearTimeout(timer))
  }

  /** Ends all answers. Later ones are neither delayed nor left open. */
  close(): void {
    this.#isClosed = true
    for (const res of this.#open) res.destroy()
  }
}
