import type { Terminal } from './terminal.ts'

/** Milliseconds between two lines, where there is no terminal. */
const interval = 10_000

export interface Counts {
  found: number
  /** Sad paths with a verdict, and those of them that an earlier run has tried. */
  tried: number
  kept: number
  planned: number
}

/** Shows a bar on a terminal; elsewhere a line every ten seconds. */
export function showProgress({ note, status }: Pick<Terminal, 'note' | 'status'>, counts: Readonly<Counts>) {
  const begin = performance.now()
  const line = () => describeProgress(counts, performance.now() - begin)
  const timer = status ? undefined : setInterval(() => note(line()), interval)
  return {
    tick: () => {
      const done = Math.round((20 * counts.tried) / counts.planned)
      status?.(`[${'#'.repeat(done).padEnd(20, '-')}] ${line()}`)
    },
    end: () => {
      clearInterval(timer)
      status?.('')
    },
  }
}

/** @param elapsed milliseconds since the first sad path was opened */
export function describeProgress({ found, tried, kept, planned }: Counts, elapsed: number): string {
  const rest = planned - tried
  const done = tried - kept
  // Pages that are open have part of their time behind them.
  const begun = Math.min(2, rest / 2)
  const seconds = Math.ceil(((elapsed / (done + begun)) * (rest - begun)) / 1000)
  const left = rest === 0 || done === 0 ? '' : `, about ${seconds} s left`
  return `${found} found, ${tried} of ${planned} tried${left}`
}
