import { asJson } from '../../../core/values/json-value.ts'
import { exactJson, toJson, writtenNumber } from '../../../core/values/exact-number.ts'
import type { Json } from '../../api/api.ts'

export type ItemRow = Readonly<Record<string, Json>>

export type ValueKind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object'

export interface Column {
  key: string
  /** Kind of most values; `undefined` where none has most, or only one text shows it. */
  kind: ValueKind | undefined
  kinds: ReadonlySet<ValueKind>
}

/** `undefined` for a field that an item does not have. */
export function valueKindOf(value: Json | undefined): ValueKind | undefined {
  if (value === undefined) return undefined
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'string') return typeof value as 'number' | 'boolean' | 'object'
  return writtenNumber(value) === undefined ? 'text' : 'number'
}

/** The columns of all items, the id first. */
export function columnsOf(items: readonly ItemRow[], id: string): Column[] {
  const keys = new Set([id, ...items.flatMap((item) => Object.keys(item))])
  return [...keys].map((key) => {
    const all = items.map((item) => valueKindOf(item[key])).filter((kind) => kind !== undefined)
    const values = all.filter((kind) => kind !== 'null')
    const isMost = (kind: ValueKind) => values.filter((other) => other === kind).length * 2 > values.length
    const kinds = new Set(all)
    const kind = values.length === 1 && values[0] === 'text' ? undefined : [...kinds].find(isMost)
    return { key, kind, kinds }
  })
}

/** Text of a cell: a text of one line as it is, `null` and missing values as nothing, anything else as JSON. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return valueKindOf(value) === 'text' && !hasLines(value) ? (value as string) : toJson(value)!
}

/** The browser takes line breaks out of a field. */
function hasLines(value: Json | undefined): boolean {
  return typeof value === 'string' && /[\r\n]/.test(value)
}

/** The kind of a cell, if it is not the one to expect from what it shows and from its column. */
export function strangeKind(
  value: Json | undefined,
  { kind: ofColumn, kinds }: Column,
): ValueKind | undefined {
  const kind = valueKindOf(value)
  if (kind === undefined || kind === 'null' || kind === ofColumn) return undefined
  const isMixed = [...kinds].filter((one) => one !== 'null').length > 1
  const isOther = ofColumn !== undefined || isMixed || (kind === 'text' && readJson(value as string))
  return isOther ? kind : undefined
}

/** A value that a typed text can be saved as. Without a kind, the item does not get the field. */
export interface ValueChoice {
  kind: ValueKind | undefined
  value: Json | undefined
}

/** Several choices, or one that is not of the expected kind: the user is asked. */
export interface Question {
  expected: ValueKind | undefined
  choices: readonly ValueChoice[]
}

/** A cell keeps its kind. An empty one takes that of its column, and so does a text in a column of another kind. */
export function readCell(typed: string, before: Json | undefined, column: Column): ValueChoice | Question {
  const lines = hasLines(before) && asJson(typed)?.value
  const text: ValueChoice = { kind: 'text', value: typeof lines === 'string' ? lines : typed }
  const json = readJson(typed)
  const own = valueKindOf(before)
  const expected = own === undefined || own === 'null' || own === 'text' ? column.kind : own
  if (json?.kind === 'null') {
    if (column.kinds.has('null') && own !== 'text' && expected !== 'text') return json
  } else {
    const found = [json, text].find((one) => one?.kind === expected)
    if (found) return found
    if (expected === undefined && !json) return text
  }
  if (typed.trim() !== '') return { expected, choices: json ? [json, text] : [text] }
  return { expected, choices: [{ kind: 'null', value: null }, { kind: undefined, value: undefined }, text] }
}

function readJson(typed: string): ValueChoice | undefined {
  const value = exactJson(typed)?.value as Json | undefined
  const kind = valueKindOf(value)
  return kind === 'text' ? undefined : kind && { kind, value }
}
