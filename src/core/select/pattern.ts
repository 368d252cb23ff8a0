import { RE2JS } from 're2js'

/** A pattern that can be tested against hostile text. */
export interface Pattern {
  test: (text: string) => boolean
}

/**
 * Compiles a regular expression of RE2's syntax.
 *
 * RE2 takes time in proportion to the text, whatever the pattern. JavaScript's own engine can take for ever (`(a+)+$`
 * against thirty characters), and one request would stop the dev server; no checker tells all such patterns from the
 * harmless ones. The price is that look-around and backreferences do not exist.
 *
 * @param flags `i`, `m` and `s` as in JavaScript; others have no meaning for a test and are left out
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(source: string, flags: string): Pattern | { reason: string } {
  let bits = 0
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE
  if (flags.includes('m')) bits |= RE2JS.MULTILINE
  if (flags.includes('s')) bits |= RE2JS.DOTALL
  try {
    const pattern = RE2JS.compile(source, bits)
    return { test: (text) => pattern.test(text) }
  } catch (error) {
    return { reason: (error as Error).message }
  }
}
