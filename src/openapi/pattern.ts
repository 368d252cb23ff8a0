import { createContext, Script } from 'node:vm'
import RandExp from 'randexp' // maintained again since 2026; what it makes has no bound of its own
import { attempt } from '../core/values/thrown.ts'
import { sizeOf } from './size-of.ts'

const tokens = /\[(?:\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}|[{}\]]/gs
/** Escapes that the flag `u` does not have. A hyphen has one within brackets alone. */
const needless = /\\([^A-Za-z\d^$\\.*+?()[\]{}|/-])|\\(-)/g
const needlessInside = /\\([^A-Za-z\d^$\\.*+?()[\]{}|/-])/g

/** The pattern for the flag `u`, which JSON Schema wants; `undefined` for a pattern of another language. */
export function toUnicodePattern(pattern: string): string | undefined {
  const isReadable = (text: string, flags: string) => attempt(() => new RegExp(text, flags)) !== undefined
  if (isReadable(pattern, 'u')) return pattern
  const strict = pattern.replace(tokens, (token) => {
    if (token.startsWith('['))
      return token
        .replace(needlessInside, '$1')
        .replace(/(\\[dwsDWS])-(?!\])/g, '$1\\-')
        .replace(/(?<![[\\])-(?=\\[dwsDWS])/g, '\\-')
    if (token.startsWith('\\')) return token.replace(needless, '$1$2')
    return token.length > 1 ? token : `\\${token}`
  })
  return isReadable(pattern, '') && isReadable(strict, 'u') ? strict : undefined
}

/** Price of a millisecond, in parts, for work that was given up. */
export const partsOfTime = 1000

const sandbox: { test?: () => unknown } = {}
const context = createContext(sandbox)
const script = new Script('test()')

/** `undefined` if it takes too long: `^([a-z]+)+\d$` would take years. Only Node's `vm` can stop a regular expression. */
export function testInTime<T>(
  test: () => T,
  milliseconds: number,
  before = process.cpuUsage(),
): T | undefined {
  sandbox.test = test
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const { user, system } = process.cpuUsage(before)
    // The limit is one on the time of the clock, which passes without a pattern on a busy machine: what all tries took counts.
    return user + system < 500 * milliseconds ? testInTime(test, milliseconds, before) : undefined
  }
}

/** Milliseconds for all texts of a pattern. */
const longestMaking = 500

/** Short texts that may match: what a pattern looks for around them is not followed. The same each time. */
export function* textsOfPattern(
  pattern: string,
  index: number,
  shortest: number,
  spend: (parts: number) => void,
): Generator<string> {
  if (/\{\d{4}/.test(pattern)) return // would take long
  let left = longestMaking
  const exact = Array.from({ length: Math.min(shortest, 100) }, (_, less) => shortest - less)
  for (const firstCharacter of [48, 32])
    for (const more of [index, index + 1, 2, 8, 35, ...exact]) {
      const start = performance.now()
      const text = testInTime(() => matchingText(pattern, firstCharacter, more), Math.ceil(left))
      left -= performance.now() - start
      spend(text === undefined ? partsOfTime * longestMaking : sizeOf(text))
      if (text !== undefined) yield text
      if (left <= 0) return
    }
}

function matchingText(pattern: string, firstCharacter: number, more: number): string {
  // It skips what a text looks ahead for, and does not know what it looks behind for.
  const maker = new RandExp(pattern.replace(/(?<!\\)\(\?<(?=[!=])/g, '(?'))
  maker.max = 100
  if (firstCharacter > 32) maker.defaultRange.subtract(32, firstCharacter - 1)
  let choices = 0
  maker.randInt = (low, high) => {
    if (choices++ > 10_000) throw new Error(`the pattern ${pattern.slice(0, 100)} asks for a very long text`)
    return Math.min(high, low + more)
  }
  return maker.gen()
}
