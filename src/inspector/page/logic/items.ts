import { asJson } from '../../../core/values/json-value.ts'
import type { Json } from '../../api.ts'

export type Row = Readonly<Record<string, Json>>

/** The keys of all items, the id first. */
export function columnsOf(items: readonly Row[], id: string): string[] {
  return [...new Set([id, ...items.flatMap((item) => Object.keys(item))])]
}

/** As a cell shows and edits it: a text as it is, anything else as JSON. */
export function cellText(value: Json | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What was typed: JSON where it is one, unless the value was a text before. */
export function cellValue(typed: string, before: Json | undefined): Json {
  if (typeof before === 'string') return typed
  const json = asJson(typed)
  return json ? (json.value as Json) : typed
}
