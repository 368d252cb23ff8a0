import { getOrMake } from '../values/collections.ts'
import type { GraphQLObjectType } from 'graphql'
import type { MissingFields } from '../graphql/missing-fields.ts'
import { fieldPath, type AnswerNode } from './answer-node.ts'

export interface MissingContext {
  readonly missing: MissingFields
  /** The keys of a fixture's objects that are not fields of their types. */
  readonly strayKeys: WeakMap<object, readonly string[]>
}

/** Reports a filled-in field if a key of the fixture's object looks like a misspelling of it. */
export function reportMisspelled(
  { missing, strayKeys }: MissingContext,
  node: AnswerNode,
  fieldName: string,
  type: GraphQLObjectType,
): void {
  const object = node.value as Readonly<Record<string, unknown>>
  const stray = getOrMake(strayKeys, object, () => {
    const fields = type.getFields()
    return Object.keys(object).filter((key) => key !== '__typename' && !Object.hasOwn(fields, key))
  })
  if (stray.length > 0) missing.add(fieldPath(node, fieldName), stray, true)
}
