import { quote } from '../values/describe-value.ts'
import { hideUsers } from '../values/url-user.ts'
import { nearestName } from '../values/spelling.ts'

/** A position in the user's files. Lines and columns count from 1. */
export interface SourceLocation {
  /** Path of the file, relative to the project's root if it is inside. */
  file: string
  /** From 1. Absent where only the file is known. */
  line?: number
  /** From 1. Absent where only the line is known. */
  column?: number
  /** JSON pointer (RFC 6901) into the value of the file, such as `/0/response/status`. */
  pointer?: string
}

/** Default severity: `error`. */
export interface Text<Severity = 'warning'> {
  message: string
  fix: string
  severity?: Severity
}

export type Texts<Severity = 'warning'> = Record<string, (details: never) => Text<Severity>>

export function createDiagnose<T extends Texts<Severity>, Severity = 'warning'>(texts: T) {
  return <C extends keyof T & string>(
    code: C,
    place: Partial<SourceLocation>,
    ...[details]: Parameters<T[C]>
  ): Partial<SourceLocation> & Omit<Text, 'severity'> & { code: C; severity: 'error' | Severity } => {
    const write = texts[code] as (details: unknown) => Text<Severity>
    const text = write(details)
    const shown = { message: hideUsers(text.message), fix: hideUsers(text.fix) }
    return { code, severity: 'error', ...text, ...shown, ...place }
  }
}

/** Maximum listed words: a project may have a thousand scenarios. */
const maxSuggested = 50

export function suggest(word: string, known: readonly string[], title: string): string {
  const nearest = nearestName(word, known)
  const more = known.length - maxSuggested
  const words = more > 0 ? `${known.slice(0, maxSuggested).join(', ')} and ${more} more` : known.join(', ')
  return `${nearest === undefined ? '' : `Did you mean ${quote(nearest)}? `}${title}: ${words}.`
}

/** `"body" and "file"`. */
export function list(words: readonly string[]): string {
  return words.map(quote).join(' and ')
}

/** A reason, perhaps of another library, with a full stop. */
export function ended(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}

export function listSome(words: readonly string[]): string {
  const more = words.length - 3
  return more > 0 ? `${words.slice(0, 3).join(', ')} and ${more} more` : words.join(', ')
}
