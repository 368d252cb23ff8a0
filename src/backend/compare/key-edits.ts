import type { Body } from '../../core/fixture/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { asLiteral } from '../../core/request-values/compile-values.ts'
import { hideSecrets } from '../../core/redact/redact.ts'
import type { Difference, Member } from '../../core/shape/compare-shapes.ts'
import { typesOf, shapeOf } from '../../core/shape/shape.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isRecord, ownValue, valueAt, type KeyPath } from '../../core/values/values.ts'
import type { KeyChange } from '../../writer/change-keys.ts'

export interface KnownBody {
  route: Route
  body: Body
}

/** An edit that makes one key of one fixture like the answers of the backend. */
export interface KeyEdit {
  route: Route
  /** The key in the route. */
  keys: KeyPath
  /** Without it, the key is not written in a body: an envelope has it, or code. The keys go on into the file of `file`. */
  change?: KeyChange
}

/**
 * Every place in fixtures where a difference has to be written. Empty if it is not certain what.
 *
 * @param answers of the backend, which give a new key its value; without one, only its shape is known
 */
export function editsFor(
  difference: Difference,
  fixtures: readonly KnownBody[],
  answers: readonly unknown[],
): KeyEdit[] {
  const { kind, path, members = [] } = difference
  if ((kind !== 'key-gone' && kind !== 'key-new') || difference.isOptional) return []
  const key = String(path.at(-1))
  const isNew = kind === 'key-new'
  const renamedTo = isNew ? undefined : difference.renamedTo
  const waysIn = (value: unknown, hasKey: boolean) =>
    waysTo(value, path.slice(0, -1), members).filter(
      (way) => Object.hasOwn(valueAt(value, way) as object, key) === hasKey,
    )
  const values = isNew
    ? realValues(answers, (answer) => waysIn(answer, true).map((way) => [...way, key]))
    : []
  if (isNew && values.length === 0) return []
  const toOf = (index: number): KeyChange['to'] => {
    if (isNew) return { value: values[index % values.length] }
    return renamedTo === undefined ? 'gone' : { name: renamedTo }
  }
  return fixtures.flatMap(({ route, body }) =>
    waysIn(body.value, !isNew).map((way, index) => {
      const keys = body.keyOf([...way, key])
      const last = keys.at(-1)
      if (last === 'file') return { route, keys, change: { object: [...keys, ...way], key, to: toOf(index) } }
      // Beside a key such as `$from`, the object would be another one.
      const isKnown = last === key && ![key, renamedTo].some((name) => name?.startsWith('$'))
      if (!isKnown) return { route, keys }
      return { route, keys, change: { object: keys.slice(0, -1), key, to: inRoute(toOf(index)) } }
    }),
  )
}

/** A real value with a key such as `$from` stays what it is. */
function inRoute(to: KeyChange['to']): KeyChange['to'] {
  return typeof to === 'object' && 'value' in to ? { value: asLiteral(to.value) } : to
}

/** The objects of a value that a path leads to. A number in it stands for each item of a list, or for each key of a map. */
function waysTo(value: unknown, path: KeyPath, members: readonly Member[], depth = 0): KeyPath[] {
  const own = members.filter((member) => member.path.length === depth)
  if (own.some(({ key, word }) => ownValue(value, key) !== word)) return []
  if (depth === path.length) return isRecord(value) ? [[]] : []
  return keysAt(value, path[depth]!).flatMap((key) =>
    waysTo(valueAt(value, [key]), path, members, depth + 1).map((way) => [key, ...way]),
  )
}

export function keysAt(value: unknown, key: string | number): KeyPath {
  if (typeof key === 'number' && Array.isArray(value)) return [...value.keys()]
  if (!isRecord(value)) return []
  return typeof key === 'number' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : []
}

/** Values without secrets. The first of each type come first, so that a few fixtures have them all. */
function realValues(answers: readonly unknown[], waysIn: (answer: unknown) => KeyPath[]): unknown[] {
  const values = answers.flatMap((answer) => {
    const shown = hideSecrets(answer, () => {})
    return waysIn(answer).map((way) => short(valueAt(shown, way)))
  })
  const byType = [...groupBy(values, (value) => typesOf(shapeOf(value)).join()).entries()]
  const lists = byType.toSorted(([a], [b]) => Number(a === '') - Number(b === '')).map(([, list]) => list)
  return [...lists.map(([first]) => first), ...lists.flatMap(([, ...others]) => others)]
}

/** Items that are written of a list. */
const maxItems = 3

function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(short)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, short(inner)]))
}
