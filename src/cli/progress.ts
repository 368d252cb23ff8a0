import type { Terminal } from './terminal.ts'

/** Milliseconds until the first line, and between two. */
const interval = 1000

export type Progress = (text: () => string) => void

/** Says how far a command is, at most once a second, and nothing of what takes less. */
export function createProgress({ note }: Pick<Terminal, 'note'>, now = () => performance.now()): Progress {
  let next = now() + interval
  return (text) => {
    if (now() < next) return
    note(text())
    next = now() + interval
  }
}
