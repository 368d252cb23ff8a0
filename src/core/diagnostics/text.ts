import leven from 'leven'
import { quote } from '../values/describe-value.ts'

/** A diagnostic in words. Its severity is `error` unless it says otherwise. */
export interface Text {
  message: string
  fix: string
  severity?: 'warning'
}

/** Names the nearest of the known words where one is near, and lists them all. */
export function suggest(key: string, known: readonly string[], title: string): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: leven(key.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0]
  const near = nearest && nearest.distance <= Math.max(2, key.length / 2)
  return `${near ? `Did you mean ${quote(nearest.candidate)}? ` : ''}${title}: ${known.join(', ')}.`
}

/** Words in a row: `"body" and "file"`. */
export function list(words: readonly string[]): string {
  return words.map(quote).join(' and ')
}
