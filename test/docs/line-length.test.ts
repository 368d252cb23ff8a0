/* The source of the pages is read in editors, reviews and terminals, too: its lines are short, those of tables too. */
import { expect, it } from 'vitest'
import { allBlocks, pages, readPage } from './pages.ts'

const limit = 120

/** What a program prints, or sends, is shown as it is. */
const verbatim = ['text', 'txt', 'json', 'http', 'diff']

it.each([...pages, 'CONTRIBUTING.md', 'SECURITY.md'])('%s', (page) => {
  const outputs = new Set(
    allBlocks
      .filter((block) => block.page === page && verbatim.includes(block.language))
      .flatMap(({ line, text }) => text.split('\n').map((_, index) => line + 1 + index)),
  )
  const long = readPage(page)
    .split('\n')
    .flatMap((text, index) =>
      text.length > limit && !outputs.has(index + 1) ? [{ text, line: index + 1 }] : [],
    )
    .filter(({ text }) => !/^\s*\S*https?:\S+$/.test(text))
  expect(long.map(({ line }) => `${page}:${line}`)).toEqual([])
})
