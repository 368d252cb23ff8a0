import { validate, type OutputUnit, type Schema } from '@cfworker/json-schema'
import { getOrMake, groupBy } from '../core/values/collections.ts'
import { isRecord, setOwn } from '../core/values/values.ts'
import { mappedNames, referenceName } from './choices.ts'
import type { Documents, DocumentPart } from './documents.ts'
import { toUnicodePattern } from './pattern.ts'
import { sizeOf, widthOf } from './size-of.ts'

/**
 * Returns the errors of a value by a schema of the document; an empty list if it fits.
 *
 * @throws Error when a reference of the schema leads nowhere
 */
export type Validate = (
  schema: DocumentPart,
  value: unknown,
  /** Whether a request decides the value at a pointer, which is no error then. */
  isOpen?: (pointer: string) => boolean,
) => readonly OutputUnit[]

const dataKeys = new Set(['enum', 'const', 'default', 'example', 'examples'])
const namedSchemas = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** Published documents have keywords with values of a wrong type, which say nothing. */
function isKeyword(key: string, value: unknown): boolean {
  if (key === 'type') return [value].flat().every((type) => types.has(type as string))
  if (/^(?:required|enum|allOf|anyOf|oneOf|prefixItems)$/.test(key)) return Array.isArray(value)
  if (/^(?:(?:exclusive)?(?:min|max)|multipleOf)/i.test(key))
    return typeof value === 'number' || /^exclusive/.test(key)
  if (/^(?:pattern|format|\$ref)$/.test(key)) return typeof value === 'string'
  return !namedSchemas.has(key) || isRecord(value)
}

/** Maximum steps of one comparison: in each, a schema is looked at for a value. A large value has more. */
const maxSteps = 100_000
const maxStepsOfPart = 20
const tooManySteps = 'to compare a value with its schema takes too many steps: make the schema simpler'

/** Milliseconds after which the patterns are tested one by one. */
const longestValidation = 2_000

/** @param ignore is told each pattern with which no value is compared */
export function createValidate(
  documents: Documents,
  is30: boolean,
  ignore: (pattern: string, why: string) => void = () => undefined,
): Validate {
  const known = new Map<unknown, unknown>()
  const patterns = new Set<string>()
  let step: (parts: number) => void
  /** The prototype of all schemas: the library reads this key once for each value. No document has it. */
  const counted = {
    get __absolute_recursive_ref__() {
      step(1 + widthOf(this) / 16)
      return undefined
    },
  }
  /** Schemas of all files, by their references: JSON Schema knows references only within one file. */
  let referred: Record<string, Schema> = {}

  /** Copies a part once: anchors of YAML can make it a part of thousands of schemas. */
  function copy(value: unknown, file: string): unknown {
    if (value === null) return {} // some documents say so that anything is allowed
    if (Array.isArray(value)) return value.map((item) => copy(item, file))
    if (!isRecord(value)) return value
    return getOrMake(known, value, () => Object.setPrototypeOf(copySchema(value, file), counted) as Schema)
  }

  function copySchema(value: Record<string, unknown>, file: string): Schema {
    if (typeof value['$ref'] === 'string') {
      const $ref = refer(value['$ref'], file)
      if (is30) return { $ref } // OpenAPI 3.0 ignores the keys beside it
    }
    const copied: Record<string, unknown> = {}
    for (const [key, part] of Object.entries(value)) {
      if (!isKeyword(key, part)) continue
      if (dataKeys.has(key)) copied[key] = part
      else if (key === '$ref') copied[key] = refer(part as string, file)
      else if (key === 'pattern') copyPattern(part as string, (pattern) => (copied[key] = pattern))
      else if (key === 'oneOf') copied[key] = (part as unknown[]).map((one) => copyChoice(one, value, file))
      else if (namedSchemas.has(key)) {
        const schemas: Record<string, unknown> = {}
        copied[key] = schemas
        for (const [name, one] of Object.entries(part as object)) {
          const set = (name: string) => setOwn(schemas, name, copy(one, file))
          if (key === 'patternProperties') copyPattern(name, set)
          else set(name)
        }
      } else copied[key] = copy(part, file)
    }
    const { required, properties } = value
    // A property of requests alone is required only there.
    if (Array.isArray(required) && isRecord(properties))
      copied['required'] = (required as unknown[]).filter((name) => {
        const property = properties[String(name)]
        return !(isRecord(property) && property['writeOnly'] === true)
      })
    return is30 ? fromOpenApi30(copied) : copied
  }

  /** Copies a choice. Of several schemas that a value fits, a discriminator says which is meant. */
  function copyChoice(one: unknown, { discriminator }: Record<string, unknown>, file: string): unknown {
    const copied = copy(one, file)
    const reference: unknown = isRecord(one) ? one['$ref'] : undefined
    if (!isRecord(discriminator) || typeof reference !== 'string') return copied
    const { propertyName } = discriminator
    const names = mappedNames(discriminator, reference)
    if (typeof propertyName !== 'string' || names.length === 0) return copied
    const values = { enum: [...names, referenceName(reference)] }
    return { allOf: [copied, { required: [propertyName], properties: { [propertyName]: values } }] }
  }

  function copyPattern(pattern: string, set: (pattern: string) => void): void {
    const readable = toUnicodePattern(pattern)
    if (readable === undefined) return ignore(pattern, "JavaScript can't read it")
    if (documents.slowPatterns.has(readable)) return ignore(pattern, 'it takes too long')
    patterns.add(readable)
    set(readable)
  }

  function refer(reference: string, file: string): string {
    const id = documents.idOf(file, reference)
    if (!Object.hasOwn(referred, id)) {
      referred[id] = {} // for a schema that contains itself
      const target = documents.follow(file, reference)
      referred[id] = copy(target.value, target.file) as Schema
    }
    return id
  }

  function errorsOf(schema: DocumentPart, value: unknown): OutputUnit[] {
    const size = sizeOf(value)
    documents.spend(size)
    const copied = copy(schema.value, schema.file) as Schema
    step = documents.counter(maxSteps + maxStepsOfPart * size, 1, tooManySteps)
    const compare = () => validate(value, copied, '2020-12', referred, false).errors
    const errors = documents.inTime(compare, longestValidation)
    if (errors) return errors
    const texts = textsIn(value)
    const isSlow = (pattern: string) =>
      texts.some((text) => !documents.isMatch(pattern, text) && documents.slowPatterns.has(pattern))
    const found = [...patterns].filter(isSlow)
    if (found.length === 0) throw new Error('it takes too long to compare a value with its schema')
    for (const pattern of found) patterns.delete(pattern)
    known.clear()
    referred = {}
    return errorsOf(schema, value)
  }

  return (schema, value, isOpen) => {
    const errors = errorsOf(schema, value)
    const open = isOpen ? errors.filter((one) => isOpen(one.instanceLocation)) : []
    // Of several schemas, the one that fits may depend on a value of the request.
    const isCertain = (one: OutputUnit) =>
      !open.includes(one) &&
      !open.some((other) => other.keywordLocation.startsWith(`${one.keywordLocation}/`))
    return causesOf(errors).filter(isCertain)
  }
}

/** Texts in a value, including the names of its keys. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  JSON.stringify(value, (key, part: unknown) => {
    texts.push(key)
    if (typeof part === 'string') texts.push(part)
    return part
  })
  return texts
}

/** `nullable` and exclusive limits of OpenAPI 3.0, as JSON Schema has them. */
function fromOpenApi30({ nullable, ...schema }: Record<string, unknown>): Record<string, unknown> {
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[exclusive] === true) {
      schema[exclusive] = schema[limit]
      delete schema[limit]
    } else if (schema[exclusive] === false) delete schema[exclusive]
  }
  if (nullable !== true) return schema
  if (typeof schema['type'] !== 'string') return { anyOf: [{ type: 'null' }, schema] }
  const { type, enum: values } = schema
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  }
}

/** Keywords whose errors only say that there are errors below. */
const grouping = /^(?:properties|items|prefixItems|allOf|\$ref|additionalProperties|patternProperties)$/

function causesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  const causes = errors.filter(({ keyword }) => !grouping.test(keyword))
  // A value that fits no schema of several has an error for each, and one that says so.
  const choices = causes.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const outside = causes.filter(
    ({ keyword, keywordLocation, instanceLocation }) =>
      !choices.some((one) =>
        keyword === 'false' // the library gives it the place of the value
          ? instanceLocation.startsWith(`${one.instanceLocation}/`)
          : keywordLocation.startsWith(`${one.keywordLocation}/`),
      ),
  )
  const byText = groupBy(outside, (one) => `${one.keyword} ${one.instanceLocation} ${one.error}`)
  return [...byText.values()].map(([first]) => first!)
}
