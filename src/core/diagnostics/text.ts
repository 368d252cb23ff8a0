import { quote } from '../values/describe-value.ts'
import { nearestName } from '../values/spelling.ts'

/** A diagnostic in words. Its severity is `error` unless it says otherwise. */
export interface Text {
  message: string
  fix: string
  severity?: 'warning'
}

/** Names the nearest of the known words, if one is near, and lists them all. */
export function suggest(word: string, known: readonly string[], title: string): string {
  const nearest = nearestName(word, known)
  return `${nearest === undefined ? '' : `Did you mean ${quote(nearest)}? `}${title}: ${known.join(', ')}.`
}

/** Words in a row: `"body" and "file"`. */
export function list(words: readonly string[]): string {
  return words.map(quote).join(' and ')
}

/** A reason, which others may have worded, as the end of a sentence. */
export function ended(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}

/** The first three of a list, and how many more there are. */
export function listSome(words: readonly string[]): string {
  const more = words.length - 3
  return more > 0 ? `${words.slice(0, 3).join(', ')} and ${more} more` : words.join(', ')
}
