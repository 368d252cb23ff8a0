import { isRecord, setOwn } from '../../../core/values/values.ts'
import type { Documents, Part } from '../../openapi/documents.ts'
import { exampleText } from './example-text.ts'
import { plainSchema, type PlainSchema, type Schema } from './merge-schema.ts'

/** Levels below which only what is required is filled in. */
const maxDepth = 5

interface Place {
  documents: Documents
  /** The name of the property, from which text is made. */
  name: string
  /** The position in a list: the entries of a list differ. */
  index: number
  depth: number
  /** The references around it. */
  within: readonly string[]
}

/** Stands for a value that would contain itself without end. */
const endless = Symbol('endless')

/**
 * A value that fits a schema: its example or its default, or one that is made from it. It is the same each time.
 *
 * @param index the position in a list, so that its entries differ
 * @throws Error when a reference leads nowhere
 */
export function exampleValue(part: Part, documents: Documents, index = 0): unknown {
  const value = make(part, { documents, name: 'text', index, depth: 0, within: [] })
  return value === endless ? null : value
}

function make(part: Part, place: Place): unknown {
  const plain = plainSchema(part, place.documents)
  const { schema, references } = plain
  const given = givenValue(schema, place.index)
  if (given !== undefined) return given.value
  if (references.some((reference) => place.within.includes(reference)))
    return isNullable(schema) ? null : endless
  const within = [...place.within, ...references]
  switch (typeOf(plain)) {
    case 'object':
      return makeObject(plain, { ...place, within })
    case 'array':
      return makeList(plain, { ...place, within })
    case 'string':
      return exampleText(schema, place.name, place.index)
    case 'integer':
      return makeNumber(schema, place.index, 1)
    case 'number':
      return makeNumber(schema, place.index, 0)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return {}
  }
}

function givenValue(schema: Schema, index: number): { value: unknown } | undefined {
  if ('const' in schema) return { value: schema['const'] }
  if ('example' in schema) return { value: schema['example'] }
  const { examples, enum: choices } = schema
  if (Array.isArray(examples) && examples.length > 0)
    return { value: (examples as unknown[])[index % examples.length] }
  if ('default' in schema && schema['default'] !== null) return { value: schema['default'] }
  if (!Array.isArray(choices) || choices.length === 0) return undefined
  const usual = (choices as unknown[]).filter((choice) => choice !== null)
  return { value: usual.length > 0 ? usual[index % usual.length] : null }
}

function typeOf({ schema, properties, items, additional }: PlainSchema): unknown {
  const { type } = schema
  if (Array.isArray(type)) return (type as unknown[]).find((one) => one !== 'null') ?? 'null'
  if (type !== undefined) return type
  if (properties.size > 0 || additional) return 'object'
  if (items) return 'array'
  if (['format', 'pattern', 'minLength', 'maxLength'].some((key) => key in schema)) return 'string'
  return ['minimum', 'maximum', 'multipleOf'].some((key) => key in schema) ? 'number' : undefined
}

function isNullable({ nullable, type }: Schema): boolean {
  return nullable === true || (Array.isArray(type) && type.includes('null'))
}

function makeObject(
  { properties, required, additional, schema }: PlainSchema,
  place: Place,
): object | symbol {
  const object = {}
  for (const [name, part] of properties) {
    const isRequired = required.has(name)
    if (!isRequired && place.depth >= maxDepth) continue
    if (isRecord(part.value) && part.value['writeOnly'] === true) continue
    const value = make(part, { ...place, name, depth: place.depth + 1 })
    if (value !== endless) setOwn(object, name, value)
    else if (isRequired) return endless
  }
  const fewest = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0
  if (additional && (properties.size === 0 || Object.keys(object).length < fewest)) {
    const value = make(additional, { ...place, name: 'value', depth: place.depth + 1 })
    if (value !== endless)
      for (let n = 1; n === 1 || n <= fewest; n++) setOwn(object, n === 1 ? 'key' : `key${n}`, value)
  }
  return object
}

function makeList({ schema, items }: PlainSchema, place: Place): unknown[] | symbol {
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number }
  const usual = place.depth <= 1 ? 2 : 1
  const length = Math.max(minItems, Math.min(usual, maxItems))
  const list: unknown[] = []
  for (let index = 0; index < length; index++) {
    const value = make(items ?? { value: {}, file: '' }, {
      ...place,
      index,
      name: singular(place.name),
      depth: place.depth + 1,
    })
    if (value === endless) return minItems > 0 ? endless : []
    list.push(value)
  }
  return list
}

function makeNumber(schema: Schema, index: number, step: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | boolean | undefined
  >
  const isWhole = step === 1
  const gap = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 1 : 0.5
  let low = typeof minimum === 'number' ? minimum : -Infinity
  if (exclusiveMinimum === true)
    low += gap // OpenAPI 3.0
  else if (typeof exclusiveMinimum === 'number') low = Math.max(low, exclusiveMinimum + gap)
  let high = typeof maximum === 'number' ? maximum : Infinity
  if (exclusiveMaximum === true) high -= gap
  else if (typeof exclusiveMaximum === 'number') high = Math.min(high, exclusiveMaximum - gap)
  const first = low > 1 || high < 1 ? (low > -Infinity ? low : high) : 1
  const start =
    typeof multipleOf === 'number'
      ? Math.ceil(first / multipleOf) * multipleOf
      : isWhole
        ? Math.ceil(first)
        : first
  const value = start + index * (typeof multipleOf === 'number' ? multipleOf : 1)
  return value <= high ? value : start
}

function singular(name: string): string {
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name
}
