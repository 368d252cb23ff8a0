import { isRecord, setOwn } from '../../core/values/values.ts'
import { singular } from '../../writer/endpoint-path.ts'
import type { Documents, Part } from './documents.ts'

type Schema = Record<string, unknown>

/** Deeper levels have only what is required. */
const maxDepth = 5

interface Around {
  documents: Documents
  name: string
  /** The position in a list: its entries differ. */
  index: number
  depth: number
  within: readonly string[]
}

/** Stands for a value that contains itself without end. */
const endless = Symbol('endless')

/**
 * The schema's example or default, or a value made from it: the same each time.
 *
 * @throws Error when a reference leads nowhere
 */
export function exampleValue(part: Part, documents: Documents, index = 0): unknown {
  const value = make(part, { documents, name: 'text', index, depth: 0, within: [] })
  return value === endless ? null : value
}

function make(part: Part, around: Around): unknown {
  const plain = plainSchema(part, around.documents)
  const { schema, references } = plain
  const given = givenValue(schema, around.index)
  if (given !== undefined) return given.value
  if (references.some((reference) => around.within.includes(reference)))
    return isNullable(schema) ? null : endless
  const within = [...around.within, ...references]
  switch (typeOf(plain)) {
    case 'object':
      return makeObject(plain, { ...around, within })
    case 'array':
      return makeList(plain, { ...around, within })
    case 'string':
      return exampleText(schema, around.name, around.index)
    case 'integer':
    case 'number':
      return makeNumber(schema, around.index, typeOf(plain) === 'integer')
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
  around: Around,
): object | symbol {
  const object = {}
  for (const [name, part] of properties) {
    const isRequired = required.has(name)
    if (!isRequired && around.depth >= maxDepth) continue
    if (isRecord(part.value) && part.value['writeOnly'] === true) continue
    const value = make(part, { ...around, name, depth: around.depth + 1 })
    if (value !== endless) setOwn(object, name, value)
    else if (isRequired) return endless
  }
  const fewest = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0
  if (additional && (properties.size === 0 || Object.keys(object).length < fewest)) {
    const value = make(additional, { ...around, name: 'value', depth: around.depth + 1 })
    if (value !== endless)
      for (let n = 1; n === 1 || n <= fewest; n++) setOwn(object, n === 1 ? 'key' : `key${n}`, value)
  }
  return object
}

function makeList({ schema, items }: PlainSchema, around: Around): unknown[] | symbol {
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number }
  const usual = around.depth <= 1 ? 2 : 1
  const length = Math.max(minItems, Math.min(usual, maxItems))
  const list: unknown[] = []
  for (let index = 0; index < length; index++) {
    const value = make(items ?? { value: {}, file: '' }, {
      ...around,
      index,
      name: singular(around.name),
      depth: around.depth + 1,
    })
    if (value === endless) return minItems > 0 ? endless : []
    list.push(value)
  }
  return list
}

function makeNumber(schema: Schema, index: number, isWhole: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : undefined
  const gap = step ?? (isWhole ? 1 : 0.5)
  const low = Math.max(
    typeof minimum === 'number' ? minimum + (exclusiveMinimum === true ? gap : 0) : -Infinity, // OpenAPI 3.0
    typeof exclusiveMinimum === 'number' ? exclusiveMinimum + gap : -Infinity,
  )
  const high = Math.min(
    typeof maximum === 'number' ? maximum - (exclusiveMaximum === true ? gap : 0) : Infinity,
    typeof exclusiveMaximum === 'number' ? exclusiveMaximum - gap : Infinity,
  )
  const first = low <= 1 && high >= 1 ? 1 : low > -Infinity ? low : high
  const start = step ? Math.ceil(first / step) * step : isWhole ? Math.ceil(first) : first
  const value = start + index * (step ?? 1)
  return value <= high ? value : start
}

const twoDigits = (number: number) => String(((number - 1) % 28) + 1).padStart(2, '0')
const email = (number: number) => `user${number}@example.com`
const host = (number: number) => `host${number}.example.com`
const url = (number: number) => `https://example.com/${number}`
const pathOnly = (number: number) => `/${number}`

/** The number begins with 1, and differs between the entries of a list. */
const formats: Record<string, (number: number) => string> = {
  date: (number) => `2026-01-${twoDigits(number)}`,
  'date-time': (number) => `2026-01-${twoDigits(number)}T12:00:00Z`,
  time: (number) => `12:00:${twoDigits(number)}Z`,
  duration: (number) => `P${number}D`,
  email,
  'idn-email': email,
  uuid: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  uri: url,
  url,
  'uri-reference': pathOnly,
  'uri-template': () => 'https://example.com/{id}',
  iri: url,
  hostname: host,
  'idn-hostname': host,
  ipv4: (number) => `192.0.2.${number}`,
  ipv6: (number) => `2001:db8::${number}`,
  byte: () => 'dGV4dA==',
  'json-pointer': pathOnly,
  regex: () => '^.*$',
}

const candidates = `a A 1 aa AA AAA 11 111 1111 a1 A1 abc abc-def 1.0 1.0.0 #000000 +15550100 00000 AA11
  2026-01-01 12:00 12:00:00 a@example.com https://example.com /a a_b a.b a/b`.split(/\s+/)

interface TextSchema {
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
}

/** Pattern and length are only followed as far as possible. */
function exampleText(schema: Schema, name: string, index: number): string {
  const { format = '', pattern, minLength = 0, maxLength = Infinity } = schema as TextSchema
  const number = index + 1
  const usual = formats[format]?.(number) ?? (index === 0 ? name : `${name} ${number}`)
  const fitted = [...usual]
    .slice(0, maxLength)
    .join('')
    .padEnd(minLength, usual || 'a')
  if (pattern === undefined) return fitted
  const matches = compile(pattern)
  const isFit = (text: string) => matches(text) && text.length >= minLength && text.length <= maxLength
  const repeated = ['a', 'A', '0', 'a1'].map((text) =>
    text.repeat(minLength).slice(0, Math.max(minLength, 1)),
  )
  return [fitted, ...candidates, '', ...repeated].find(isFit) ?? fitted
}

function compile(pattern: string): (text: string) => boolean {
  try {
    const expression = new RegExp(pattern, 'u')
    // Short candidates keep every pattern fast.
    return (text) => text.length < 100 && expression.test(text)
  } catch {
    return () => true
  }
}

class PlainSchema {
  readonly schema: Schema = {}
  readonly properties = new Map<string, Part>()
  readonly required = new Set<string>()
  items: Part | undefined
  additional: Part | undefined
  /** The followed references show a schema that contains itself. */
  readonly references: string[] = []
}

/**
 * Joins a schema with its references, its `allOf`, and the first of its `oneOf` and `anyOf` that is not null.
 *
 * @throws Error when a reference leads nowhere
 */
function plainSchema(part: Part, documents: Documents): PlainSchema {
  const plain = new PlainSchema()
  collect(part, documents, plain, new Set())
  return plain
}

function collect(part: Part, documents: Documents, into: PlainSchema, seen: Set<unknown>): void {
  const { value: schema, file } = part
  if (!isRecord(schema) || seen.has(schema)) return
  seen.add(schema)
  const at = (value: unknown): Part => ({ value, file })
  const { $ref, allOf, oneOf, anyOf, properties, required, items, additionalProperties, ...rest } = schema
  // OpenAPI 3.1: a key beside a reference has precedence.
  for (const [key, value] of Object.entries(rest)) into.schema[key] ??= value
  if (isRecord(properties))
    for (const [name, value] of Object.entries(properties))
      if (!into.properties.has(name)) into.properties.set(name, at(value))
  if (Array.isArray(required)) for (const name of required) into.required.add(String(name))
  if (items !== undefined) into.items ??= at(items)
  if (isRecord(additionalProperties)) into.additional ??= at(additionalProperties)
  if (typeof $ref === 'string') {
    into.references.push(documents.idOf(file, $ref))
    collect(documents.resolve(part), documents, into, seen)
  }
  for (const one of Array.isArray(allOf) ? allOf : []) collect(at(one), documents, into, seen)
  for (const choice of [oneOf, anyOf]) {
    if (!Array.isArray(choice)) continue
    const chosen = (choice as unknown[]).find((one) => !isNull(one)) ?? (choice as unknown[])[0]
    addDiscriminator(schema, chosen, into)
    collect(at(chosen), documents, into, seen)
  }
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && (schema['type'] === 'null' || schema['const'] === null)
}

/** The discriminator has the name of the chosen schema. */
function addDiscriminator({ discriminator }: Schema, chosen: unknown, into: PlainSchema): void {
  if (!isRecord(discriminator) || !isRecord(chosen) || typeof chosen['$ref'] !== 'string') return
  const { propertyName, mapping } = discriminator
  if (typeof propertyName !== 'string') return
  const reference = chosen['$ref']
  const mapped = Object.entries(isRecord(mapping) ? mapping : {}).find(([, target]) => target === reference)
  const name = mapped?.[0] ?? reference.split('/').at(-1)!
  into.properties.set(propertyName, { value: { const: name }, file: '' })
}
