import { expect, it, onTestFinished, vi } from 'vitest'
import { describeProgress, showProgress } from '../../src/cli/explore-progress.ts'

/** Seconds after which each sad path had a verdict, in runs on two busy cores. */
const runs: [page: string, verdicts: number[]][] = [
  ['of a small page, one of whose requests never gets an answer', [1.3, 1.6, 1.9, 2.0, 2.5, 2.7, 2.9, 2.9, 3.3, 3.3, 3.5, 4.0, 4.0, 4.2, 4.4, 4.5, 4.9, 5.0, 5.4, 5.8, 5.8, 5.8, 6.2, 6.5, 6.6, 6.8, 6.9, 7.2, 7.2, 7.5, 7.7, 8.1, 8.1, 8.1, 8.1, 8.2, 8.3, 8.9, 10.0, 10.3]],
  ['of the playground', [2.1, 2.1, 3.5, 3.5, 4.2, 4.2, 6.5, 6.8, 6.8, 7.0, 7.0, 7.7, 9.3, 10.0, 10.0, 10.2, 10.6, 11.3, 11.4, 11.7, 12.5, 12.6, 12.6, 13.2, 13.7, 13.7, 13.7, 13.8, 13.8, 14.2, 14.5, 14.5, 15.4, 15.4, 16.1, 16.4, 16.5, 16.5, 17.7, 18.3]],
] // prettier-ignore

it.each(runs)('the time left is right within a factor of two, after ten sad paths %s', (_, verdicts) => {
  for (const [index, time] of verdicts.entries()) {
    const real = verdicts.at(-1)! - time
    if (index < 9 || real < 3) continue
    const counts = { found: 0, kept: 0, tried: index + 1, planned: verdicts.length }
    const left = Number(/about (\d+) s left/.exec(describeProgress(counts, time * 1000))?.[1])
    expect(left / real, `after ${time} s`).toBeGreaterThan(0.5)
    expect(left / real, `after ${time} s`).toBeLessThan(2)
  }
})

it.each([
  [{ found: 0, tried: 0, kept: 0, planned: 40 }, '0 found, 0 of 40 tried'],
  [{ found: 3, tried: 20, kept: 0, planned: 40 }, '3 found, 20 of 40 tried, about 9 s left'],
  // An earlier run has tried ten: they took none of this time.
  [{ found: 3, tried: 20, kept: 10, planned: 40 }, '3 found, 20 of 40 tried, about 15 s left'],
  [{ found: 3, tried: 10, kept: 10, planned: 40 }, '3 found, 10 of 40 tried'],
  [{ found: 3, tried: 40, kept: 0, planned: 40 }, '3 found, 40 of 40 tried'],
])('after ten seconds, %o is: %s', (counts, line) => {
  expect(describeProgress(counts, 10_000)).toBe(line)
})

it('a terminal has a bar, and a log a line every ten seconds until it ends', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [shown, logged]: string[][] = [[], []]
  const counts = { found: 1, tried: 10, kept: 0, planned: 40 }
  const note = (text: string) => void logged!.push(text)
  const all = [
    showProgress({ note, status: (text) => void shown!.push(text) }, counts),
    showProgress({ note }, counts),
  ]
  for (const { tick } of all) tick()
  vi.advanceTimersByTime(10_000)
  counts.tried = 20
  vi.advanceTimersByTime(10_000)
  for (const { tick, end } of all) {
    tick()
    end()
  }
  vi.advanceTimersByTime(10_000)
  expect(shown).toEqual(['[#####---------------] 1 found, 10 of 40 tried, about 0 s left', '[##########----------] 1 found, 20 of 40 tried, about 17 s left', '']) // prettier-ignore
  expect(logged).toEqual(['1 found, 10 of 40 tried, about 24 s left', '1 found, 20 of 40 tried, about 17 s left']) // prettier-ignore
})
