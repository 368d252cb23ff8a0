import { isWord, type TextFormat } from '../core/shape/text-format.ts'
import { mergeShapes, type Shape } from '../core/shape/shape.ts'
import { isRecord, ownValue, setOwn, type KeyPath } from '../core/values/values.ts'
import { isNull } from './choices.ts'
import type { Documents, DocumentPart } from './documents.ts'

const formats: Readonly<Record<string, TextFormat>> = {
  'date-time': 'date-time',
  date: 'date',
  uuid: 'uuid',
  uri: 'url',
  email: 'email',
}

/** Values that a shape is made of: two, so that a key which only one of them has is optional. */
const count = 2

/** Schemas inside of each other, and schemas in all: what is beyond may be anything. */
const limits = { depth: 20, schemas: 20_000 }

/**
 * The shape of all values that a schema allows. What it leaves open has no type.
 *
 * @throws Error when a reference leads nowhere
 */
export function shapeOfSchema(schema: DocumentPart, documents: Documents) {
  const decided = new Set<string>()
  let schemas = 0
  const shape = shapeAt(schema, [], new Set())
  /** Whether the schema itself says which other keys objects at a path may have. */
  const decidesKeys = (path: KeyPath) => decided.has(JSON.stringify(path))
  return { shape, decidesKeys }

  function shapeAt(part: DocumentPart, path: KeyPath, around: ReadonlySet<unknown>): Shape {
    const { value, file } = documents.resolve(part)
    if (!isRecord(value) || around.has(value) || around.size > limits.depth || schemas++ > limits.schemas)
      return { count }
    const inner = new Set(around).add(value)
    const shapesOf = (list: unknown) =>
      (Array.isArray(list) ? (list as unknown[]) : []).map((one) =>
        shapeAt({ value: one, file }, path, inner),
      )
    const choices = [value['oneOf'], value['anyOf']].map(shapesOf).filter(({ length }) => length > 0)
    return [
      ownShape(value, file, path, inner),
      ...shapesOf(value['allOf']),
      ...choices.map(mergeShapes),
    ].reduce(meet)
  }

  function ownShape(
    schema: Record<string, unknown>,
    file: string,
    path: KeyPath,
    around: ReadonlySet<unknown>,
  ): Shape {
    const { properties, items, required = [], additionalProperties, format, nullable } = schema
    const values = 'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined)
    const implied =
      values?.map((one) => typeof one) ?? (isRecord(properties) ? 'object' : items ? 'array' : [])
    const types = [schema['type'] ?? implied].flat()
    const shape: Shape = { count }
    if (nullable === true || types.includes('null') || isNull(schema)) shape.null = 1
    if (types.includes('boolean')) shape.boolean = count
    if (types.includes('number') || types.includes('integer')) shape.number = count
    if (types.includes('string')) {
      const known = formats[String(format)]
      const words = Array.isArray(values) && values.filter((one) => typeof one === 'string')
      shape.text = {
        count,
        formats: known ? { [known]: count } : {},
        ...(words &&
          words.every(isWord) && { words: Object.fromEntries(words.map((word) => [word, count])) }),
      }
    }
    if (types.includes('array') && items !== undefined)
      shape.list = { count, items: shapeAt({ value: items, file }, [...path, 0], around) }
    if (!types.includes('object')) return shape
    if (!isRecord(properties)) return { count } // a map, or anything
    const keys: Record<string, Shape> = {}
    for (const [key, value] of Object.entries(properties)) {
      if (ownValue(value, 'writeOnly') === true) continue
      const inner = shapeAt({ value, file }, [...path, key], around)
      setOwn(keys, key, { ...inner, count: (required as unknown[]).includes(key) ? count : 1 })
    }
    if (additionalProperties !== undefined) decided.add(JSON.stringify(path))
    return { ...shape, object: { count, keys } }
  }
}

/** The shape of values that two schemas allow. */
function meet(one: Shape, other: Shape): Shape {
  if (Object.keys(one).length === 1) return other
  if (!one.object || !other.object) return one
  const keys = new Map(Object.entries(one.object.keys))
  for (const [key, shape] of Object.entries(other.object.keys))
    keys.set(key, meet(keys.get(key) ?? shape, shape))
  return { ...one, object: { count, keys: Object.fromEntries(keys) } }
}
