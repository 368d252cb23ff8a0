import { nearestName } from '../values/spelling.ts'
import type { GraphQLObjectType } from 'graphql'
import type { MissingField } from '../graphql/checker.ts'
import { fieldPath, type AnswerNode } from './answer-node.ts'

/** The fields that a fixture has under a similar key. */
export interface MisspelledFields {
  readonly found: Map<string, MissingField>
  /** The keys of a fixture's objects that are not fields of their types. */
  readonly strayKeys: WeakMap<object, readonly string[]>
  /** Number of names that may still be compared, since the answer has to wait for it. */
  comparisonsLeft: number
}

export function createMisspelledFields(): MisspelledFields {
  return { found: new Map(), strayKeys: new WeakMap(), comparisonsLeft: 2_000 }
}

const maxFound = 20
const maxCompared = 64

/** Notes a filled-in field if a key of the fixture looks like a misspelling of it. */
export function noteMisspelled(
  misspelled: MisspelledFields,
  node: AnswerNode,
  object: Readonly<Record<string, unknown>>,
  fieldName: string,
  type: GraphQLObjectType,
): void {
  const { found, strayKeys } = misspelled
  let stray = strayKeys.get(object)
  if (!stray) {
    const fields = type.getFields()
    stray = Object.keys(object).filter((key) => key !== '__typename' && !Object.hasOwn(fields, key))
    strayKeys.set(object, stray.slice(0, maxCompared))
  }
  if (stray.length === 0 || found.size >= maxFound || misspelled.comparisonsLeft < 0) return
  misspelled.comparisonsLeft -= stray.length
  const near = stray.find((key) => looksLike(key, fieldName))
  if (near === undefined) return
  const path = fieldPath(node, fieldName)
  if (!found.has(path)) found.set(path, { path, near })
}

/** Whether a key is probably a misspelling of a name. */
export function looksLike(key: string, fieldName: string): boolean {
  return Math.max(key.length, fieldName.length) <= maxCompared && nearestName(fieldName, [key]) !== undefined
}
