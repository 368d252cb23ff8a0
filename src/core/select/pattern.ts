import { RE2JS } from 're2js'

/** A pattern that can be tested against hostile text. */
export interface Pattern {
  /** Whether a part of the text fits. A text that is longer than `maxLength` never does. */
  test: (text: string) => boolean
  /** Characters that a text may have. */
  maxLength: number
}

const shorten = 'Write a shorter pattern, or one for the part of the text that matters.'

/** Characters that a pattern may have, since compiling it takes time, too. */
const maxSource = 2000
/** What its counted repetitions, such as `{2,100}`, may add up to. */
const maxRepetitions = 1000
/** Instructions of RE2 that a pattern may compile to; `[a-z]{0,100}` has 200. */
const maxInstructions = 1000
/** Instructions times characters: what testing a text takes at most. It is some tenths of a second. */
const maxWork = 4_000_000

/**
 * Compiles a regular expression of RE2's syntax.
 *
 * RE2 takes time in proportion to the length of the text and to the size of the pattern. Both are limited. JavaScript's
 * own engine can take forever (`(a+)+$` against thirty characters), and one request would stop the dev server; no checker
 * tells all such patterns from the harmless ones. The price is that look-around and backreferences do not exist.
 *
 * @param flags `i`, `m` and `s` as in JavaScript; others mean nothing for a test and are ignored
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(source: string, flags: string): Pattern | { reason: string; fix?: string } {
  if (source.length > maxSource) {
    return {
      reason: `it is too long: it has ${source.length} characters, and the limit is ${maxSource}.`,
      fix: shorten,
    }
  }
  const repetitions = [...source.matchAll(/\{(?:\d+,)?(\d+),?\}/g)].reduce(
    (sum, [, most]) => sum + Number(most),
    0,
  )
  if (repetitions > maxRepetitions) {
    return {
      reason: `it repeats too much: its counted repetitions add up to ${repetitions}, and the limit is ${maxRepetitions}.`,
      fix: 'Lower the numbers in braces, or write "*" or "+" instead.',
    }
  }
  let bits = 0
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE
  if (flags.includes('m')) bits |= RE2JS.MULTILINE
  if (flags.includes('s')) bits |= RE2JS.DOTALL
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(source, bits)
  } catch (error) {
    return { reason: `${(error as Error).message.replace(/^error parsing regexp: /, '')}.` }
  }
  const size = pattern.programSize()
  if (size > maxInstructions) {
    return {
      reason: `it is too large: it compiles to ${size} instructions, and the limit is ${maxInstructions}.`,
      fix: shorten,
    }
  }
  const maxLength = Math.floor(maxWork / size)
  return { maxLength, test: (text) => text.length <= maxLength && pattern.test(text) }
}
