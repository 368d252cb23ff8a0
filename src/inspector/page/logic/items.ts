import { exactJson, toJson, writtenNumber } from '../../../core/values/exact-number.ts'
import type { Json } from '../../api.ts'

export type Row = Readonly<Record<string, Json>>

export type Kind = 'number' | 'boolean' | 'text' | 'JSON'

/** The keys of all items, the id first. */
export function columnsOf(items: readonly Row[], id: string): string[] {
  return [...new Set([id, ...items.flatMap((item) => Object.keys(item))])]
}

/** `undefined` for what every column may have: null, and nothing. */
export function kindOf(value: Json | undefined): Kind | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' || writtenNumber(value) !== undefined) return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'JSON'
}

/** The kind that most values of a column have; of two, that of the first. */
export function columnKind(rows: readonly Row[], key: string): Kind | undefined {
  const counts = new Map<Kind, number>()
  for (const row of rows) {
    const kind = kindOf(row[key])
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** As a cell shows and edits it. A text is in quotes where the column has something else: `"211"` is no number. */
export function cellText(value: Json | undefined, column: Kind | undefined = 'text'): string {
  if (value === undefined) return ''
  return typeof value === 'string' && kindOf(value) === 'text' && column === 'text' ? value : toJson(value)!
}

/** What was typed into a cell; `asks` if that is of another kind than its column. */
export interface Typed {
  value: Json
  asks?: Kind
}

export function readTyped(typed: string, column: Kind | undefined, before: Json | undefined): Typed {
  const wanted = column ?? kindOf(before)
  const isNull = (before === null || before === undefined) && typed === 'null'
  if (wanted === 'text') return { value: isNull ? null : typed }
  const json = exactJson(typed)
  const value = json ? (json.value as Json) : typed
  const kind = kindOf(value)
  return { value, ...(wanted && kind && kind !== wanted && { asks: kind }) }
}
