import { writtenNumber } from '../values/exact-number.ts'
import type { PatchEntry } from '../values/patch.ts'
import { isRecord } from '../values/values.ts'
import type { ValuePosition } from './positions.ts'
import { type Draft, draft, type SadChange } from './sad-path.ts'

export function patchAt(
  root: readonly string[],
  { path, written }: ValuePosition,
  value: unknown,
): SadChange {
  return { patch: [changeAt(root, path, written, value)] }
}

export function changeAt(
  root: readonly string[],
  path: ValuePosition['path'],
  written: string,
  value: unknown,
): PatchEntry {
  return { written, parts: [...root, ...path.map(String)], value }
}

/** Fields of JSON: null, not there, and of the empty kind. */
export function* fieldDrafts(positions: readonly ValuePosition[]): Generator<Draft> {
  for (const position of positions) {
    const { path, name, written, value } = position
    const key = path.at(-1)
    if (key === undefined) continue
    if (value !== null) yield draft('null', name, `${written} is null`, patchAt([], position, null))
    if (typeof key === 'string')
      yield draft('missing', name, `${written} is missing`, patchAt([], position, undefined))
    const empty = emptyOf(value)
    if (empty === undefined) continue
    yield draft('empty', name, `${written} is ${JSON.stringify(empty)}`, patchAt([], position, empty))
  }
}

/** `undefined` for what is empty already. A list has drafts of its own. */
function emptyOf(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? undefined : writtenNumber(value) === undefined ? '' : 0
  if (typeof value === 'number') return value === 0 ? undefined : 0
  if (isRecord(value)) return Object.keys(value).length === 0 ? undefined : {}
  return undefined
}

const longText = `${'A very long text that has no end. '.repeat(30)}${'Donaudampfschifffahrt'.repeat(10)}`

export function* textDrafts(root: readonly string[], positions: readonly ValuePosition[]): Generator<Draft> {
  for (const position of positions) {
    const { path, name, written, value, isFirst } = position
    if (!isFirst || typeof value !== 'string' || !isReadable(path.at(-1), value)) continue
    const change = patchAt(root, position, `${value} ${longText}`)
    yield draft('long', name, `${written} is a very long text`, change)
  }
}

function isReadable(key: string | number | undefined, value: string): boolean {
  if (writtenNumber(value) !== undefined) return false
  if (/(?:id|url|uri|href|link|cursor|token|hash|key|at|date|time|code|typename)$/i.test(String(key)))
    return false
  return /\p{L}/u.test(value) && !/^[A-Z\d_]+$|^[a-z]+:\/\/|^\d{4}-\d\d/.test(value)
}
