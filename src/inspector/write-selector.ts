import { hidden, isSecret, writeOperators } from '../core/request/redact.ts'
import { isFlat, type Field, type Selector } from '../core/select/selector.ts'
import { isRecord, setOwn } from '../core/values/values.ts'
import type { Json } from './api.ts'

/** Stands for a predicate, which has no text. */
export const predicateText = '[function]'

/** A selector as a fixture writes it: `{ query: { page: 2 } }`. Values of secret fields are replaced. */
export function writeSelector({ equalities, tests }: Selector): Json {
  if (tests.some(({ field }) => !field)) return predicateText
  const when: { [key: string]: Json } = {}
  for (const { field, value } of equalities) setField(when, field, isSecret(field) ? hidden : value)
  for (const { field, written } of tests) setField(when, field!, parse(writeOperators(written, field!)))
  return when
}

/** Sets a field of a `when`. The operators of a field stand beside each other. */
export function setField(when: { [key: string]: Json }, field: Field, value: Json): void {
  const source = field.source === 'document' ? 'query' : field.source
  const key = (isFlat(field) ? field.path : field.path.map(escapeName)).join('.')
  if (key === '') return setOwn(when, source, merge(when[source], value))
  const inner = isRecord(when[source]) ? when[source] : {}
  setOwn(inner, key, merge(inner[key], value))
  setOwn(when, source, inner)
}

function merge(before: Json | undefined, value: Json): Json {
  return isRecord(before) && isRecord(value) ? { ...before, ...value } : value
}

function escapeName(name: string): string {
  return name.replace(/[\\.]/g, '\\$&')
}

/** Operators are kept as JSON; anything else is a text. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
