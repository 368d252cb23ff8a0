/* The source of the pages is read in editors, reviews and terminals, too: its lines are short. */
import { expect, it } from 'vitest'
import { allBlocks, pages, readPage } from './pages.ts'

const limit = 120

/** What a program prints, or sends, is shown as it is. */
const verbatim = ['text', 'txt', 'json', 'http', 'diff']

/**
 * Tables that are still too wide, by their long lines. A new one fails: use a list, or sections. When one has become shorter,
 * correct its number.
 */
const wideTables: Record<string, number> = {
  'docs/backend.md': 13,
  'docs/control-api.md': 6,
  'docs/demo-builds.md': 5,
  'docs/faults.md': 15,
  'docs/import.md': 9,
  'docs/inspector.md': 15,
  'docs/record.md': 9,
  'docs/scenarios.md': 8,
  'docs/virtual-module.md': 14,
}

it.each(pages)('%s', (page) => {
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
  const isTable = ({ text }: { text: string }) => /^\s*\|/.test(text)
  expect(long.filter((line) => !isTable(line)).map(({ line }) => `${page}:${line}`)).toEqual([])
  expect(long.filter(isTable)).toHaveLength(wideTables[page] ?? 0)
})
