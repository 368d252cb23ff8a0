import { plausibleRange, seedFrom } from '../core/values/plausible.ts'
import { asJson } from '../core/values/json-value.ts'
import { isRecord, ownValue, setOwn } from '../core/values/values.ts'
import { singular } from '../writer/endpoint-path.ts'
import { fittingChoices, isNull, mappedNames, referenceName } from './choices.ts'
import { TooManyParts, type Documents, type DocumentPart } from './documents.ts'
import { exampleText, type Generated } from './example-text.ts'
import { sizeOf, widthOf } from './size-of.ts'

type Schema = Record<string, unknown>

/** Deeper levels have only what is required. There are many generated items. */
const maxDepth = 5
const maxGeneratedDepth = 3
const maxParts = 50_000
const priceOfPart = 3
const tooLarge = `a value of its schema has more than ${maxParts} parts: give it an example`

/** Another value of the same schema, for one that does not fit all of it. */
export interface Variant {
  /** The position in a list: its entries differ. Default 0. */
  index?: number
  /** Whether the schema's examples and defaults are left out. */
  isMade?: boolean
  /** Which of `oneOf` and `anyOf`, and of an `enum`. Default 0: the first. */
  choice?: number
  /** Whether only required parts are there. */
  isSparse?: boolean
  /** Whether the value is sent by a client: with `writeOnly` and without `readOnly`. */
  isRequest?: boolean
  /** Settings for values that differ, each by a hash of the seed and of its path. Default: values of an example. */
  generated?: Generated | undefined
}

interface Around extends Variant {
  documents: Documents
  spend: (parts: number) => void
  name: string
  index: number
  depth: number
  deepest: number
  within: readonly string[]
}

/** Stands for a value that contains itself without end. */
const endless = Symbol('endless')

/**
 * The schema's example or default, or a value made from it: the same each time. A value that gets too large has only what
 * is required on more of its levels.
 *
 * @throws Error when a reference leads nowhere, or when the value is still too large
 */
export function exampleValue(
  part: DocumentPart,
  documents: Documents,
  variant: Variant = {},
  deepest = variant.generated ? maxGeneratedDepth : maxDepth,
): unknown {
  const spend = documents.counter(maxParts, priceOfPart, tooLarge)
  const whole = { index: 0, ...variant, documents, spend, deepest, name: 'text', depth: 0, within: [] }
  try {
    const value = make(part, whole)
    return value === endless ? null : value
  } catch (error) {
    if (!(error instanceof TooManyParts) || variant.isSparse || deepest === 0) throw error
    return exampleValue(part, documents, variant, Math.min(deepest - 1, 1))
  }
}

function make(part: DocumentPart, around: Around): unknown {
  around.spend(1)
  const plain = new PlainSchema()
  collect(part, around, plain, new Set())
  const { schema, references } = plain
  const given = fakeValue(schema, around) ?? givenValue(schema, around)
  if (given !== undefined) {
    around.spend(sizeOf(given.value) / 16)
    const isText = typeof given.value === 'string' && !['object', 'array'].includes(typeOf(plain) as string)
    return isText ? given.value : fromText(given.value)
  }
  if (references.some((reference) => around.within.includes(reference)))
    return isNullable(schema) ? null : endless
  const within = [...around.within, ...references]
  switch (typeOf(plain)) {
    case 'object':
      return makeObject(plain, { ...around, within })
    case 'array':
      return makeList(plain, { ...around, within })
    case 'string':
      return exampleText(schema, around)
    case 'integer':
    case 'number':
      return makeNumber(schema, around, typeOf(plain) === 'integer')
    case 'boolean':
      return around.generated ? around.generated.seed % 2 === 1 : true
    case 'null':
      return null
    default:
      return {}
  }
}

/** Some documents have the JSON of an example as text. */
export function fromText(example: unknown): unknown {
  const json = typeof example === 'string' ? asJson(example) : undefined
  return typeof json?.value === 'object' ? json.value : example
}

function fakeValue(schema: Schema, { generated, isMade }: Around): { value: unknown } | undefined {
  const { seed = 0, path = '', fake, fakes } = generated ?? {}
  const name = ownValue(fakes, path) ?? schema['faker'] ?? schema['x-faker']
  const value = typeof name === 'string' && !isMade ? fake?.(name, seed) : undefined
  return value === undefined ? undefined : { value }
}

function givenValue(schema: Schema, around: Around): { value: unknown } | undefined {
  const { choice = 0, generated, depth } = around
  // Examples of a whole item are not for each of them.
  const isMade = around.isMade === true || (generated !== undefined && depth === 0)
  const index = generated?.seed ?? around.index
  if ('const' in schema) return { value: schema['const'] }
  const { example, examples, enum: choices, default: usual } = schema
  if (!isMade && example !== undefined) return { value: example }
  if (!isMade && Array.isArray(examples) && examples.length > 0)
    return { value: (examples as unknown[])[index % examples.length] }
  const isMeant = usual !== null || (isNullable(schema) && !generated)
  if (!isMade && usual !== undefined && isMeant) return { value: usual }
  if (!Array.isArray(choices) || choices.length === 0) return undefined
  const values = (choices as unknown[]).filter((choice) => choice !== null)
  return { value: values.length > 0 ? values[(index + choice) % values.length] : null }
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
  { properties, required, additional, schema, names }: PlainSchema,
  around: Around,
): object | symbol {
  const object = {}
  const set = (name: string, part: DocumentPart): boolean => {
    const own = around.generated && below(around.generated, name, around)
    const given = around.depth === 0 ? ownValue(own?.given, name) : undefined
    const value = given ?? make(part, { ...around, name, depth: around.depth + 1, generated: own })
    if (value !== endless) setOwn(object, name, value)
    return value !== endless
  }
  for (const [name, part] of properties) {
    const isRequired = required.has(name)
    if (!isRequired && (around.isSparse || around.depth >= around.deepest)) continue
    if (isRecord(part.value) && part.value[around.isRequest ? 'readOnly' : 'writeOnly'] === true) continue
    if (!set(name, part) && isRequired) return endless
  }
  for (const name of required) if (!properties.has(name) && !set(name, additional ?? anyText)) return endless
  const { minProperties: fewest = 0 } = schema as { minProperties?: number }
  const isMap = properties.size === 0 && !around.isSparse
  let size = Object.keys(object).length
  for (let index = 0; index < fewest || (isMap && index === 0); index++) {
    if (!additional || (!isMap && size >= fewest)) break
    const made = names && make(names, { ...around, index, name: 'key' })
    const key = typeof made === 'string' ? made : `key${index + 1}`
    const isNew = !Object.hasOwn(object, key)
    if (set(key, additional) && isNew) size++
  }
  return object
}

function below(generated: Generated, name: string, { depth, name: object }: Around): Generated {
  const { seed, path } = generated
  return {
    ...generated,
    path: path === undefined ? name : `${path}.${name}`,
    ofObject: seed,
    seed: seedFrom(seed, name),
    type: depth === 0 ? generated.type : object,
  }
}

const anyText: DocumentPart = { value: { type: 'string' }, file: '' }

function makeList({ schema, items, prefix }: PlainSchema, around: Around): unknown[] | symbol {
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number }
  const { generated } = around
  const usual = around.isSparse ? 0 : generated ? (generated.seed % 3) + 1 : around.depth <= 1 ? 2 : 1
  const length = Math.max(minItems, prefix.length, Math.min(usual, maxItems))
  const list: unknown[] = []
  for (let index = 0; index < length; index++) {
    const value = make(prefix[index] ?? items ?? { value: {}, file: '' }, {
      ...around,
      index,
      name: singular(around.name),
      depth: around.depth + 1,
      generated: generated && { ...generated, seed: seedFrom(generated.seed, index) },
    })
    if (value === endless) return minItems > 0 ? endless : []
    list.push(value)
  }
  if (schema['uniqueItems'] !== true) return list
  return [...new Map(list.map((value) => [JSON.stringify(value), value])).values()]
}

function makeNumber(schema: Schema, { index, name, generated }: Around, isWhole: boolean): number {
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
  if (generated && step === undefined) {
    const usual = plausibleRange(name)
    const digits = isWhole ? 1 : 10 ** usual.digits
    const from = Math.max(Math.ceil(low * digits), Math.min(usual.low * digits, Math.floor(high * digits)))
    const to = Math.min(Math.floor(high * digits), Math.max(usual.high * digits, from))
    if (from <= to) return (from + (generated.seed % (to - from + 1))) / digits
  }
  const first = low <= 1 && high >= 1 ? 1 : low > -Infinity ? low : high
  const start = step ? Math.ceil(first / step) * step : isWhole ? Math.ceil(first) : first
  const number = generated ? generated.seed % 100 : index
  const value = start + number * (step ?? 1)
  return value <= high ? value : start
}

class PlainSchema {
  readonly schema: Schema = {}
  readonly properties = new Map<string, DocumentPart>()
  readonly required = new Set<string>()
  items: DocumentPart | undefined
  prefix: DocumentPart[] = []
  additional: DocumentPart | undefined
  /** The keys that are no properties. */
  names: DocumentPart | undefined
  /** The followed references show a schema that contains itself. */
  readonly references: string[] = []
}

/** The stricter of two limits, since each of several schemas has to hold. */
function strictest(key: string, one: unknown, other: unknown): unknown {
  if (key === 'enum' && Array.isArray(one) && Array.isArray(other))
    return (one as unknown[]).filter((value) => other.includes(value))
  if (typeof one !== 'number' || typeof other !== 'number') return one ?? other
  return /^(?:min|exclusiveMin)/.test(key) ? Math.max(one, other) : Math.min(one, other)
}

/**
 * Joins a schema with its references, its `allOf`, and the first of its `oneOf` and `anyOf` that is not null.
 *
 * @throws Error when a reference leads nowhere
 */
function collect(part: DocumentPart, around: Around, into: PlainSchema, seen: Set<unknown>): void {
  const { documents, generated } = around
  const { choice: wanted = generated?.seed ?? 0 } = around
  const { value: schema, file } = part
  if (!isRecord(schema) || seen.has(schema)) return
  seen.add(schema)
  documents.spend(1 + widthOf(schema) / 16)
  const at = (value: unknown): DocumentPart => ({ value, file })
  const { $ref, allOf, oneOf, anyOf, properties, required, items, prefixItems, ...rest } = schema
  const { additionalProperties, patternProperties, propertyNames } = schema
  // OpenAPI 3.1: a key beside a reference has precedence.
  for (const [key, value] of Object.entries(rest)) into.schema[key] = strictest(key, into.schema[key], value)
  if (isRecord(properties))
    for (const [name, value] of Object.entries(properties)) {
      const other = into.properties.get(name)
      const both = other?.file === file && other.value !== value
      if (both) into.properties.set(name, at({ allOf: [other.value, value] }))
      else if (!other) into.properties.set(name, at(value))
    }
  if (Array.isArray(required)) for (const name of required) into.required.add(String(name))
  if (items !== undefined) into.items ??= at(items)
  if (Array.isArray(prefixItems)) into.prefix = prefixItems.map(at)
  if (isRecord(additionalProperties)) into.additional ??= at(additionalProperties)
  if (isRecord(propertyNames)) into.names ??= at(propertyNames)
  for (const [pattern, value] of Object.entries(isRecord(patternProperties) ? patternProperties : {})) {
    into.additional ??= at(value)
    into.names ??= at({ type: 'string', pattern })
  }
  if (typeof $ref === 'string') {
    into.references.push(documents.idOf(file, $ref))
    collect(documents.resolve(part), around, into, seen)
  }
  for (const one of Array.isArray(allOf) ? allOf : []) collect(at(one), around, into, seen)
  for (const choices of [oneOf, anyOf]) {
    if (!Array.isArray(choices)) continue
    if (choices.some(isNull)) into.schema['nullable'] = true
    const usual = fittingChoices(choices, into.schema, (one) => documents.resolve(at(one)).value)
    const chosen = usual.length > 0 ? usual[wanted % usual.length] : (choices as unknown[])[0]
    addDiscriminator(schema, chosen, into)
    collect(at(chosen), around, into, seen)
  }
}

/** The discriminator has the name of the chosen schema. */
function addDiscriminator({ discriminator }: Schema, chosen: unknown, into: PlainSchema): void {
  if (!isRecord(discriminator) || !isRecord(chosen) || typeof chosen['$ref'] !== 'string') return
  const { propertyName } = discriminator
  if (typeof propertyName !== 'string') return
  const [name] = [...mappedNames(discriminator, chosen['$ref']), referenceName(chosen['$ref'])]
  into.properties.set(propertyName, { value: { const: name }, file: '' })
}
