import { expect, it } from 'vitest'
import { createProgress } from '../../src/cli/terminal.ts'

it('says nothing of what takes less than a second, then a line a second', () => {
  const notes: string[] = []
  let time = 0
  const progress = createProgress({ note: (text) => void notes.push(text) }, () => time)
  for (time of [0, 500, 999, 1000, 1500, 1999, 2000, 5000]) progress(() => `at ${time}`)
  expect(notes).toEqual(['at 1000', 'at 2000', 'at 5000'])
})
