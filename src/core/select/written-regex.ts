import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'

/** A regular expression that is written between slashes, as in JavaScript. */
export interface WrittenRegex {
  pattern: string
  /** Those of its flags that `$options` takes. */
  options: string
}

/** What a path has hardly ever, so that `/a/b/` is none: an anchor, a class such as `\d`, a range, or `.*`. */
const unmistakable = /^\^|\$$|\\[dDwWsSb./]|\[\^|\[\w-\w|\.[*+]/

/** Reads `/^a/i`, which a fixture file that is no code can only have as text. `undefined` for any other text. */
export function findWrittenRegex(text: string): WrittenRegex | undefined {
  if (!text.startsWith('/')) return undefined
  const [, pattern, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? []
  if (pattern === undefined || !unmistakable.test(pattern)) return undefined
  return { pattern, options: flags!.replaceAll(/[^ims]/g, '') }
}

/**
 * The same for a pattern that can't match: its slashes are characters of it, and no text begins after one or ends before one.
 * Others, such as `/users/\d+/`, may be meant for a path.
 */
export function findAnchoredRegex(text: string): WrittenRegex | undefined {
  return /^\/\^|(?<!\\)\$\/\w*$/.test(text) ? findWrittenRegex(text) : undefined
}

/** How a selector has a pattern: `{ $regex: '^a', $options: i }`. */
export function writeRegex(pattern: string, options: string): string {
  const quoted = `'${pattern.replaceAll("'", "''")}'`
  return `{ $regex: ${quoted}${options && `, $options: ${options}`} }`
}

/** Warns of a text in a selector that looks like a regular expression. */
export function noticeRegexAsText(
  value: unknown,
  at: readonly string[],
  { place, diagnostics }: { place: (path: readonly string[]) => SourceLocation; diagnostics: Diagnostic[] },
): void {
  const regex = typeof value === 'string' ? findWrittenRegex(value) : undefined
  if (!regex) return
  const details = { text: value as string, meant: writeRegex(regex.pattern, regex.options) }
  diagnostics.push(diagnoseFixture('selector-regex-text', place(at), details))
}
