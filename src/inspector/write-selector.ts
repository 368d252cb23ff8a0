import { hidden, isSecret, writeOperators } from '../core/redact/redact.ts'
import { isFlat, type Field, type Selector } from '../core/select/selector.ts'
import { exactJson } from '../core/values/exact-number.ts'
import { isRecord, setOwn } from '../core/values/values.ts'
import type { Json } from './api/api.ts'

export const predicateText = '[function]'

/** `{ query: { page: 2 } }`. Values of secret fields are replaced. */
export function writeSelector({ equalities, tests }: Selector): Json {
  if (tests.some(({ field }) => !field)) return predicateText
  const when: { [key: string]: Json } = {}
  for (const { field, value } of equalities) setField(when, field, isSecret(field) ? hidden : value)
  for (const { field, written } of tests) {
    const text = writeOperators(written, field!)
    setField(when, field!, (exactJson(text) ?? { value: text }).value as Json) // operators are JSON, all else is a text
  }
  return when
}

function setField(when: { [key: string]: Json }, field: Field, value: Json): void {
  const isDocument = field.source === 'document'
  const source = isDocument ? 'query' : field.source
  const key = isDocument ? '' : (isFlat(field) ? field.path : field.path.map(escapeName)).join('.')
  if (key === '') return setOwn(when, source, merge(when[source], value))
  const inner = isRecord(when[source]) ? when[source] : {}
  setOwn(inner, key, merge(inner[key], value))
  setOwn(when, source, inner)
}

function merge(before: Json | undefined, value: Json): Json {
  return isRecord(before) && isRecord(value) ? { ...before, ...value } : value
}

export function escapeName(name: string): string {
  return name.replace(/[\\.]/g, '\\$&')
}
