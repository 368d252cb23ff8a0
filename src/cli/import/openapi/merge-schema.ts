import { isRecord } from '../../../core/values/values.ts'
import type { Documents, Part } from '../../openapi/documents.ts'

export type Schema = Record<string, unknown>

/** A schema without references and combinations, and what its parts are in. */
export interface PlainSchema {
  schema: Schema
  properties: Map<string, Part>
  required: Set<string>
  items: Part | undefined
  additional: Part | undefined
  /** The references that were followed, to notice those that contain themselves. */
  references: readonly string[]
}

/**
 * One schema that has what a schema says together with its references, all of its `allOf`, and the first of its `oneOf` and
 * `anyOf` that is not null.
 *
 * @throws Error when a reference leads nowhere
 */
export function plainSchema(part: Part, documents: Documents): PlainSchema {
  const plain: PlainSchema = {
    schema: {},
    properties: new Map(),
    required: new Set(),
    items: undefined,
    additional: undefined,
    references: [],
  }
  collect(part, documents, plain, new Set())
  return plain
}

function collect(part: Part, documents: Documents, into: PlainSchema, seen: Set<unknown>): void {
  const { value: schema, file } = part
  if (!isRecord(schema) || seen.has(schema)) return
  seen.add(schema)
  const at = (value: unknown): Part => ({ value, file })
  const { $ref, allOf, oneOf, anyOf, properties, required, items, additionalProperties, ...rest } = schema
  // What stands beside a reference, as in OpenAPI 3.1, is more special than what it refers to.
  for (const [key, value] of Object.entries(rest)) into.schema[key] ??= value
  if (isRecord(properties))
    for (const [name, value] of Object.entries(properties))
      if (!into.properties.has(name)) into.properties.set(name, at(value))
  if (Array.isArray(required)) for (const name of required) into.required.add(String(name))
  if (items !== undefined) into.items ??= at(items)
  if (isRecord(additionalProperties)) into.additional ??= at(additionalProperties)
  if (typeof $ref === 'string') {
    into.references = [...into.references, documents.idOf(file, $ref)]
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

/** The property that tells the choices apart has the name of the chosen one. */
function addDiscriminator({ discriminator }: Schema, chosen: unknown, into: PlainSchema): void {
  if (!isRecord(discriminator) || !isRecord(chosen) || typeof chosen['$ref'] !== 'string') return
  const { propertyName, mapping } = discriminator
  if (typeof propertyName !== 'string') return
  const reference = chosen['$ref']
  const mapped = isRecord(mapping)
    ? Object.entries(mapping).find(([, target]) => target === reference)
    : undefined
  const name = mapped?.[0] ?? reference.split('/').at(-1)!
  into.properties.set(propertyName, { value: { const: name }, file: '' })
}
