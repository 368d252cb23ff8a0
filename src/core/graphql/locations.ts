import type { FieldNode, OperationDefinitionNode } from 'graphql'
import { ownValue, type Values } from '../values/values.ts'
import { locationOf, type ErrorLocation } from './formatted-error.ts'
import {
  fieldsByKey,
  subselections,
  type Fragments,
  type SelectionContext,
  type SelectionSets,
} from './selections.ts'
import { mayBeOfType } from './fixture-data.ts'

type PathOfError = readonly unknown[]

export interface AskedOperation {
  operation: OperationDefinitionNode | undefined
  document: { fragments: Fragments } | undefined
  /** Includes default values. */
  allVariables: Values | undefined
}

type Fields = ReadonlyMap<string, readonly FieldNode[]>

export interface FieldPosition {
  path: readonly (string | number)[]
  names: readonly string[]
  nodes: readonly FieldNode[]
}

/** Maximum positions, since a path can match many aliases on every level. */
const maxPositions = 100

/**
 * One position for each alias of a field in a fixture's path.
 *
 * @param data leaves out fragments on types that the path does not lead through
 */
export function positionsOf(
  path: PathOfError,
  sets: SelectionSets,
  context: SelectionContext,
  data?: unknown,
): FieldPosition[] {
  const positions = follow(path, sets, context, data, 'name')
  return positions.length > 0 ? positions : follow(path, sets, context, data, 'key')
}

function follow(
  path: PathOfError,
  sets: SelectionSets,
  { fragments, variables }: SelectionContext,
  data: unknown,
  by: 'name' | 'key',
): FieldPosition[] {
  const start: FieldPosition & { value: unknown } = { path: [], names: [], nodes: [], value: data }
  let positions = [start]
  for (const part of path) {
    const next = positions.flatMap((position) => {
      const { names, nodes, value } = position
      if (typeof part !== 'string')
        return { ...position, path: [...position.path, part as number], value: ownValue(value, String(part)) }
      const below = names.length === 0 ? sets : subselections(nodes)
      const fields = fieldsByKey(below, { fragments, variables, mayBe: mayBeOfType(data, value) })
      return keysFor(part, fields, by).map((key) => {
        const all = fields.get(key)!
        // Of one key, other fields are those of other types: `... on A { title: name } ... on B { title }`.
        const named = by === 'name' ? all.filter((node) => node.name.value === part) : []
        const found = named.length > 0 ? named : all
        const name = found[0]!.name.value
        return {
          path: [...position.path, key],
          names: [...names, name],
          nodes: found,
          value: ownValue(value, key) ?? ownValue(value, name),
        }
      })
    })
    positions = next.slice(0, maxPositions)
  }
  return positions.filter(({ nodes }) => nodes.length > 0)
}

/** The response keys of the fields with that name, or the part itself. */
export function keysFor(part: string, fields: Fields, by: 'name' | 'key' = 'name'): string[] {
  const named =
    by === 'key' ? [] : [...fields].filter(([, nodes]) => nodes.some(({ name }) => name.value === part))
  if (named.length > 0) return named.map(([key]) => key)
  return fields.has(part) ? [part] : []
}

/**
 * Locations as graphql-js reports them: one for each merged field node. Without such a field, the start of the operation.
 *
 * @see https://spec.graphql.org/October2021/#sec-Errors.Error-result-format
 * @param data the data of the answer, whose `__typename`s decide which fragments apply
 */
export function locate(asked: AskedOperation, path: PathOfError, data?: unknown): ErrorLocation[] {
  const { operation, document, allVariables: variables } = asked
  if (!operation) return [{ line: 1, column: 1 }]
  const context = { fragments: document!.fragments, variables }
  const [position] = follow(path, [operation.selectionSet], context, data, 'key')
  return (position?.nodes ?? [operation]).map(locationOf)
}
