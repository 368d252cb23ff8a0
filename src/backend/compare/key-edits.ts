import type { FixtureBody } from '../../core/fixture/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { asLiteral } from '../../core/request-values/compile-values.ts'
import { hideSecrets } from '../../core/redact/redact.ts'
import type { Difference, Member } from '../../core/shape/compare-shapes.ts'
import { typesOf, shapeOf } from '../../core/shape/shape.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isLikeName } from '../../core/values/spelling.ts'
import { isRecord, ownValue, valueAt, type KeyPath } from '../../core/values/values.ts'
import type { KeyChange } from '../../writer/change-keys.ts'

export interface KnownBody {
  route: Route
  body: FixtureBody
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
  const objectsIn = (value: unknown) => waysTo(value, path.slice(0, -1), members)
  const hasKey = (value: unknown, way: KeyPath, name: string) =>
    Object.hasOwn(valueAt(value, way) as object, name)
  const waysWith = (value: unknown, name: string) =>
    objectsIn(value).filter((way) => hasKey(value, way, name))
  const valuesOf = (name: string) =>
    realValues(answers, (answer) => waysWith(answer, name).map((way) => [...way, name]))
  if (kind === 'key-new') {
    const values = valuesOf(key)
    if (values.length === 0) return []
    const lacking = (value: unknown) => objectsIn(value).filter((way) => !hasKey(value, way, key))
    return editAll(lacking, key, (index) => ({ value: values[index % values.length] }))
  }
  const { renamedTo } = difference
  const having = (value: unknown) => waysWith(value, key)
  if (renamedTo === undefined) return editAll(having, key, () => 'gone')
  const values = valuesOf(renamedTo)
  const own = fixtures.flatMap(({ body }) =>
    having(body.value).map((way) => valueAt(body.value, [...way, key])),
  )
  if (values.length === 0 || isLikeName(key, renamedTo) || looksAlike(own, values))
    return editAll(having, key, () => ({ name: renamedTo }))
  // Another value in the place of the one that is gone.
  const added = editAll(having, renamedTo, (index) => ({ value: values[index % values.length] }))
  return [...added, ...editAll(having, key, () => 'gone')]

  function editAll(
    waysIn: (value: unknown) => KeyPath[],
    name: string,
    toOf: (index: number) => KeyChange['to'],
  ): KeyEdit[] {
    return fixtures.flatMap(({ route, body }) =>
      waysIn(body.value).map((way, index) => {
        const keys = body.keyOf([...way, name])
        const last = keys.at(-1)
        const to = toOf(index)
        if (last === 'file') return { route, keys, change: { object: [...keys, ...way], key: name, to } }
        // Beside a key such as `$from`, the object would be another one.
        const names = typeof to === 'object' && 'name' in to ? [name, to.name] : [name]
        if (last !== name || names.some((one) => one.startsWith('$'))) return { route, keys }
        return { route, keys, change: { object: keys.slice(0, -1), key: name, to: inRoute(to) } }
      }),
    )
  }
}

/** Whether values that moved to another name may be the same ones: `3000` and `1010`, not `Ada` and `Europe/Vienna`. */
function looksAlike(ours: readonly unknown[], theirs: readonly unknown[]): boolean {
  const looks = new Set(theirs.map(lookOf))
  return ours.some((one) => typeof one !== 'boolean' && looks.has(lookOf(one)))
}

function lookOf(value: unknown): string {
  if (isRecord(value)) return JSON.stringify(Object.keys(value).sort())
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : lookOf(value[0])}]`
  return String(value)
    .replace(/\p{Lu}?\p{L}+/gu, 'a')
    .replace(/\d+/g, '9')
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
