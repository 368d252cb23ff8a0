import type { Browser } from 'playwright-core'
import { explore } from '../../../src/explore/explore.ts'
import { verdicts, type Verdict } from '../../../src/explore/judge/judge.ts'
import type { TruthPage } from './page.ts'
import { truthPages } from './serve-pages.ts'

export interface Pair {
  page: string
  id: string
  label: Verdict
  verdict: Verdict | 'none'
  reason: string
}

/** Explores pages, and compares what a person says with what the tool says. */
export async function compareWithTruth(
  browser: Browser,
  origin: string,
  wanted: (page: TruthPage, id: string) => boolean,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  const queue = truthPages.entries()
  const work = async () => {
    for (const [index, page] of queue) {
      const labels = Object.entries(page.labels).flatMap(([label, list]) =>
        list.map((id) => [id, label as Verdict] as const),
      )
      const mine = labels.filter(([id]) => wanted(page, id))
      if (mine.length === 0) continue
      const found = new Map<string, { verdict: Verdict; reason: string }>()
      await explore(browser, `${origin}/${index}`, {
        only: mine.map(([id]) => id),
        patience: { quiet: 300, limit: 4000 },
        max: 1000,
        pages: 6,
        onFinding: ({ id, verdict, reason }) => void found.set(id, { verdict, reason }),
      })
      for (const [id, label] of mine) {
        const { verdict = 'none' as const, reason = '' } = found.get(id) ?? {}
        pairs.push({ page: page.name, id, label, verdict, reason })
      }
    }
  }
  await Promise.all([work(), work(), work()])
  return pairs
}

/** Rows are what a person says, columns what the tool says. */
export function confusionMatrix(pairs: readonly Pair[]): string {
  const count = (label: Verdict, verdict: Verdict) =>
    pairs.filter((one) => one.label === label && one.verdict === verdict).length
  const row = (label: string, cells: readonly unknown[]) =>
    label.padEnd(10) + cells.map((cell) => String(cell).padStart(10)).join('')
  return [
    row('', verdicts),
    ...verdicts.map((label) =>
      row(
        label,
        verdicts.map((verdict) => count(label, verdict)),
      ),
    ),
  ].join('\n')
}
