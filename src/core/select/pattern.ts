import type { RE2JS } from 're2js'

export interface Pattern {
  /** Whether a part of the string matches. A string longer than `maxLength` never does. */
  test: (text: string) => boolean
  maxLength: number
}

let re2: typeof RE2JS | undefined

/** RE2 doubles a fetch handler and takes 10 ms of a start. Until it is loaded, the tests of a pattern throw. */
export async function loadPatterns(): Promise<void> {
  re2 ??= (await import('re2js')).RE2JS
}

const shorten = 'Write a shorter pattern, or one for the part of the text that matters.'

/** Maximum length of a pattern, since compiling it takes time, too. */
const maxSource = 2000
/** Maximum sum of its counted repetitions, such as `{2,100}`. */
const maxRepetitions = 1000
/** Maximum RE2 instructions of a compiled pattern; `[a-z]{0,100}` has 200. */
const maxInstructions = 1000
/** Maximum of instructions times characters, which takes a few tenths of a second to test. */
const maxWork = 4_000_000

/**
 * RE2 takes time proportional to the string and the pattern, which are both limited. JavaScript's own engine can take
 * exponential time, as for `(a+)+$`, and block the dev server.
 *
 * @param flags `i`, `m` and `s` as in JavaScript; others are ignored, since they do not affect a test
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(source: string, flags: string): Pattern | { reason: string; fix?: string } {
  if (source.length > maxSource) {
    return {
      reason: `it is too long: it has ${source.length} characters, and the limit is ${maxSource}.`,
      fix: shorten,
    }
  }
  if (source.includes('\b')) {
    return {
      reason: 'it has a backspace in it, which is what "\\b" means between double quotes.',
      fix: 'Write the pattern in single quotes; in JSON and in code, write each backslash twice.',
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
  if (!re2) {
    const test = () => {
      throw new Error('A selector has a pattern, and RE2 was not loaded.')
    }
    return { maxLength: 0, test }
  }
  let bits = 0
  if (flags.includes('i')) bits |= re2.CASE_INSENSITIVE
  if (flags.includes('m')) bits |= re2.MULTILINE
  if (flags.includes('s')) bits |= re2.DOTALL
  let pattern: RE2JS
  try {
    pattern = re2.compile(source, bits)
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
