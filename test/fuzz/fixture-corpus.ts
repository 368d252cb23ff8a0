/* Fixture files that were found to be trouble, and what they come to: so many routes, or the first diagnostic. */

export interface Case {
  name: string
  extension: 'yaml' | 'json' | 'jsonc' | 'json5' | 'ts'
  text: string
  /** The number of routes without a diagnostic; else `code line:column message` of the first diagnostic. */
  expected: number | RegExp
}

const nest = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const bomb = (levels: number) =>
  Array.from({ length: levels }, (_, i) =>
    i === 0 ? '- &a0 [x, x, x, x, x, x, x, x, x]' : `- &a${i} [${Array(9).fill(`*a${i - 1}`).join(', ')}]`,
  ).join('\n')

export const corpus: Case[] = [
  { name: 'nothing', extension: 'json', text: '', expected: 0 },
]
