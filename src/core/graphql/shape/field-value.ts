import { oncePerObject } from '../../values/collections.ts'
import type { FieldNode } from 'graphql'
import { argumentsOf } from '../arguments.ts'
import { PagedConnection } from '../paged-connection.ts'
import { forEachObject, ownValue } from '../../values/values.ts'

/** The value of a field, for its arguments if it depends on them. */
export function fieldValue(
  object: unknown,
  field: { name: string; key: string; nodes: readonly FieldNode[] },
  variables: Readonly<Record<string, unknown>> | undefined,
): unknown {
  const value = writtenValue(object, field.name, field.key)
  return value instanceof PagedConnection ? value.pageFor(argumentsOf(field.nodes[0]!, variables)) : value
}

/** A fixture's value of a field: under the field's name, or under the alias, as in the response of a real server. */
export function writtenValue(object: unknown, name: string, key: string): unknown {
  const value = ownValue(object, name)
  return value === undefined && key !== name ? ownValue(object, key) : value
}

/**
 * The additional cost, in fields, of a value that is copied whole. Only long strings and large objects have one, since
 * aliases can multiply them too.
 */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 8
  if (typeof value !== 'object' || value === null) return 0
  return weightOfObject(value)
}

const weightOfObject = oncePerObject((value: object): number => {
  let values = 0
  forEachObject(value, (object) => {
    for (const part of Object.values(object)) values += typeof part === 'string' ? 1 + (part.length >> 4) : 1
  })
  return values >> 4
})
