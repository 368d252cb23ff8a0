/* What `explore` says of pages whose sad paths a person has judged. */
import { expect, it } from 'vitest'
import { isProblem } from '../../src/explore/judge/judge.ts'
import { compareWithTruth, confusionMatrix } from '../explore/ground-truth/ground-truth.ts'
import { serveTruthPages } from '../explore/ground-truth/serve-pages.ts'
import { isThorough } from '../sampling.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()

/** In `npm test` two of each of these pages; the slow run has those of Apollo and of Vue, which take a bundle each. */
const representative = [
  'a placeholder is replaced only if the answer is fine',
  'Japanese: a status is forgotten, a broken body is not',
  'a toast that vanishes',
  'a toast that is always there, with transform: translateY(200%)',
  'a message that stays transparent',
  'data of a default',
  'D3: text of an SVG',
  'a closed shadow root',
]

it('agrees with a person', async () => {
  const { origin, close } = await serveTruthPages(isThorough ? undefined : ['react'])
  const firsts = (ids: readonly string[]) => ids.slice(0, 1)
  const pairs = await compareWithTruth(browser(), origin, ({ name, labels }, id) => {
    const some = Object.values(labels).slice(0, 2).flatMap(firsts)
    return isThorough || (representative.includes(name) && some.includes(id))
  })
  await close()
  const wrong = pairs.filter(({ label, verdict }) => label !== verdict)
  const shown = wrong.map((pair) => Object.values(pair).join(' | ')).join('\n')
  if (isThorough) console.log(`${confusionMatrix(pairs)}\n${shown}`)
  expect(wrong.length / pairs.length, shown).toBeLessThanOrEqual(0.05)
  const bad = pairs.filter(({ label }) => isProblem(label))
  const missed = bad.filter(({ verdict }) => verdict === 'handled' || verdict === 'unreached')
  expect(missed.length / bad.length, shown).toBeLessThanOrEqual(0.02)
  // A page that handles all of its sad paths is not blamed for one.
  const good = pairs.filter(({ page }) => !bad.some((pair) => pair.page === page))
  expect(good.filter(({ verdict }) => isProblem(verdict as never))).toEqual([])
})
