import { addTo } from '../values/collections.ts'
import { isRecord, ownValue, type KeyPath } from '../values/values.ts'
import { formatOf, isWord, type TextFormat } from './text-format.ts'

/**
 * What is known of the values at one place, from all answers that have it. Plain JSON without values, except the words of what
 * may be an enum, so that it can be kept in a file.
 */
export interface Shape {
  /** Values that were seen. */
  count: number
  /** Values that come from the request, of which nothing is known. */
  open?: number
  null?: number
  boolean?: number
  number?: number
  text?: TextShape
  list?: ListShape
  object?: ObjectShape
}

export interface TextShape {
  /** Without empty ones. */
  count: number
  formats: Partial<Record<TextFormat, number>>
  /** How often each word occurs. Absent if there are other texts, or too many. */
  words?: Record<string, number>
}

interface ListShape {
  count: number
  items: Shape
}

export interface ObjectShape {
  count: number
  keys: Record<string, Shape>
  /** The objects by the value of the key that says what they are. Absent if one of them does not have it. */
  variants?: { key: string; of: Record<string, ObjectShape> }
}

/** The value types of JSON in a shape, besides `null`. */
const valueTypes = ['boolean', 'number', 'text', 'list', 'object'] as const
export type ValueType = (typeof valueTypes)[number]

export function typesOf(shape: Shape): ValueType[] {
  return valueTypes.filter((type) => shape[type] !== undefined)
}

/** Words of an enum, and members of a union: with more of them, they are values. */
const maxWords = 20

/** Items of a list that are read. */
const maxItems = 1000

const variantKeys = ['__typename', 'type', 'kind']

/**
 * @param isOpen whether the value at a path comes from the request
 *
 * @example
 * shapeOf({ id: 1, tags: [] }) // { count: 1, object: { count: 1, keys: { id: { count: 1, number: 1 }, … } } }
 */
export function shapeOf(
  value: unknown,
  isOpen: (path: KeyPath) => boolean = () => false,
  path: KeyPath = [],
): Shape {
  if (path.length > 0 && isOpen(path)) return { count: 1, open: 1 }
  if (typeof value === 'boolean') return { count: 1, boolean: 1 }
  if (typeof value === 'number') return { count: 1, number: 1 }
  if (typeof value === 'string') return { count: 1, text: textShape(value) }
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item, index) => shapeOf(item, isOpen, [...path, index]))
    return { count: 1, list: { count: 1, items: mergeShapes(items) } }
  }
  return isRecord(value) ? { count: 1, object: objectShape(value, isOpen, path) } : { count: 1, null: 1 }
}

function textShape(text: string): TextShape {
  if (text === '') return { count: 0, formats: {}, words: {} }
  const format = formatOf(text)
  return {
    count: 1,
    formats: format ? { [format]: 1 } : {},
    ...(!format && isWord(text) && { words: Object.fromEntries([[text, 1]]) }),
  }
}

function objectShape(
  value: Record<string, unknown>,
  isOpen: (path: KeyPath) => boolean,
  path: KeyPath,
): ObjectShape {
  const keys = Object.fromEntries(
    Object.keys(value).map((key) => [key, shapeOf(value[key], isOpen, [...path, key])]),
  )
  const shape: ObjectShape = { count: 1, keys }
  const key = variantKeys.find((one) => typeof ownValue(value, one) === 'string')
  const word = key === undefined ? '' : (value[key] as string)
  if (key !== undefined && isWord(word))
    shape.variants = { key, of: Object.fromEntries([[word, { count: 1, keys }]]) }
  return shape
}

/** The shape of all values of several shapes. */
export function mergeShapes(shapes: readonly Shape[]): Shape {
  const merged: Shape = { count: 0 }
  for (const name of ['count', 'open', 'null', 'boolean', 'number'] as const) {
    const sum = shapes.reduce((all, shape) => all + (shape[name] ?? 0), 0)
    if (sum > 0 || name === 'count') merged[name] = sum
  }
  const texts = shapes.flatMap(({ text }) => text ?? [])
  const lists = shapes.flatMap(({ list }) => list ?? [])
  const objects = shapes.flatMap(({ object }) => object ?? [])
  if (texts.length > 0) merged.text = mergeTexts(texts)
  if (lists.length > 0)
    merged.list = { count: total(lists), items: mergeShapes(lists.map(({ items }) => items)) }
  if (objects.length > 0) merged.object = mergeObjects(objects)
  return merged
}

/** The shape, with values that another one of the same kind of object has. Its keys are as required as before, or less. */
export function lendShape(shape: Shape, other: Shape): Shape {
  const { count, list, object } = shape
  return {
    ...mergeShapes([shape, other]),
    count,
    ...(list && other.list && { list: { ...list, items: lendShape(list.items, other.list.items) } }),
    ...(object && other.object && { object: lendKeys(object, other.object) }),
  }
}

function lendKeys(object: ObjectShape, other: ObjectShape): ObjectShape {
  const names = [...new Set([...Object.keys(object.keys), ...Object.keys(other.keys)])]
  const keys = names.map((name) => {
    const [own, lent] = [ownValue(object.keys, name), ownValue(other.keys, name)] as (Shape | undefined)[]
    if (!own || !lent) return [name, own ?? { ...lent!, count: 0 }] as const
    const isOptional = lent.count < other.count
    const count = Math.min(own.count, object.count - Number(isOptional))
    return [name, { ...lendShape(own, lent), count }] as const
  })
  return { ...object, keys: Object.fromEntries(keys) }
}

function mergeTexts(texts: readonly TextShape[]): TextShape {
  const words = everyOf(texts.map((one) => one.words))
  const all = words && mergeRecords(words, sum)
  return {
    count: total(texts),
    formats: mergeRecords(
      texts.map(({ formats }) => formats as Record<string, number>),
      sum,
    ),
    ...(all && Object.keys(all).length <= maxWords && { words: all }),
  }
}

function mergeObjects(objects: readonly ObjectShape[]): ObjectShape {
  const merged = mergeKeys(objects)
  const variants = everyOf(objects.map((one) => one.variants))
  const [first] = variants ?? []
  if (!first || !variants!.every(({ key }) => key === first.key)) return merged
  const of = mergeRecords(
    variants!.map((one) => one.of),
    mergeKeys,
  )
  if (Object.keys(of).length <= maxWords) merged.variants = { key: first.key, of }
  return merged
}

function mergeKeys(objects: readonly ObjectShape[]): ObjectShape {
  const keys = mergeRecords(
    objects.map((one) => one.keys),
    mergeShapes,
  )
  return { count: total(objects), keys }
}

function mergeRecords<T>(
  records: readonly Record<string, T>[],
  merge: (values: readonly T[]) => T,
): Record<string, T> {
  const values = new Map<string, T[]>()
  for (const one of records) for (const key of Object.keys(one)) addTo(values, key, one[key]!)
  const merged = [...values].map(([key, list]) => [key, list.length === 1 ? list[0]! : merge(list)] as const)
  return Object.fromEntries(merged)
}

function everyOf<T>(list: readonly (T | undefined)[]): T[] | undefined {
  return list.includes(undefined) ? undefined : (list as T[])
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function total(list: readonly { count: number }[]): number {
  return sum(list.map(({ count }) => count))
}
