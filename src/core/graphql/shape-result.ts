import type { FieldNode, OperationDefinitionNode } from 'graphql'
import { addTo } from '../values/collections.ts'
import { isRecord, setOwn, type Values } from '../values/values.ts'
import { Budget, weightOf } from './budget.ts'
import type { ParsedDocument } from './document.ts'
import { fieldValue, mayBeOfType, MissingFields, writtenValue } from './fixture-data.ts'
import { located, type FormattedError } from './formatted-error.ts'
import { positionsOf } from './locations.ts'
import type { FittedResult, GraphQLResult } from './result.ts'
import {
  defaultsOf,
  forEachField,
  responseKey,
  subselections,
  type SelectionContext,
  type SelectionSets,
} from './selections.ts'

/** Maximum depth of lists in lists, because of the engine's stack; deeper ones stay as they are. */
const maxListDepth = 16

interface Shaping extends SelectionContext {
  operation: OperationDefinitionNode
  data: unknown
  budget: Budget
  missing: MissingFields
}

interface SelectedField {
  name: string
  key: string
  nodes: FieldNode[]
  /** Whether it is selected without a type condition, or on the object's own type. */
  isSure: boolean
}

/**
 * A missing field becomes `null`, a missing `__typename` is left out, and a value that does not fit is sent as it is.
 *
 * A fragment applies if its type is the object's `__typename`, or if the object has none. A type that no object of the
 * fixture names may be an interface or a union: its fragment selects only existing fields.
 *
 * @see https://spec.graphql.org/October2021/#sec-Executing-Selection-Sets
 */
export function shapeResult(
  fixture: GraphQLResult,
  document: ParsedDocument,
  operation: OperationDefinitionNode,
  variables: Values | undefined,
  budget = new Budget(),
): FittedResult {
  const { data, errors } = fixture
  const shaping: Shaping = {
    fragments: document.fragments,
    variables: { ...defaultsOf(operation), ...variables },
    operation,
    data,
    budget,
    missing: new MissingFields(),
  }
  const result = { ...fixture }
  // Done first, since a field that failed is not missing.
  if (Array.isArray(errors)) result.errors = shapeErrors(shaping, errors)
  if (isRecord(data)) result.data = shapeObject(shaping, [operation.selectionSet], data, [])
  if (budget.isSpent) return { result: { errors: [budget.error] }, missing: [] }
  return { result, missing: shaping.missing.list }
}

/** An error appears under every response key of its field. A path that is not selected stays. */
function shapeErrors(shaping: Shaping, errors: readonly FormattedError[]): FormattedError[] {
  const { operation, data, missing } = shaping
  return errors.flatMap((error) => {
    if (!isRecord(error) || !Array.isArray(error.path)) return error
    const positions = positionsOf(error.path, [operation.selectionSet], shaping, data)
    if (positions.length === 0) return located(error, error.path, [operation])
    return positions.map(({ path, names, nodes }) => {
      missing.excuse(names)
      return located(error, path, nodes)
    })
  })
}

const rootTypes = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** @param path names of the parent fields; the same list is reused, since it is only read for a missing field */
function shapeObject(
  shaping: Shaping,
  sets: SelectionSets,
  object: Values,
  path: string[],
): Record<string, unknown> {
  const shaped: Record<string, unknown> = {}
  for (const field of selectFields(shaping, sets, object)) {
    if (shaping.budget.isSpent) break
    const value = fieldValue(object, field, shaping.variables)
    if (value === undefined) {
      if (field.isSure) fillIn(shaping, shaped, field, object, path)
      continue
    }
    path.push(field.name)
    setOwn(shaped, field.key, shapeValue(shaping, subselections(field.nodes), value, path, 0))
    path.pop()
  }
  return shaped
}

/** Selections that are looked at in the time of one field. */
const lookedAtPerUnit = 8

/**
 * An object counts as one of an interface or union if it has a field that is selected on that type. Otherwise, objects
 * would get `__isShip` marks and null fields of other types, which no server sends.
 */
function selectFields(shaping: Shaping, sets: SelectionSets, object: Values): SelectedField[] {
  const { __typename: own } = object
  const mayBe = mayBeOfType(shaping.data, object)
  let fields = new Map<string, SelectedField>()
  let onAbstract = new Map<string, SelectedField[]>()
  let lookedAt = 0

  function collect(mayBe: SelectionContext['mayBe']): void {
    fields = new Map()
    onAbstract = new Map()
    lookedAt += forEachField(sets, { ...shaping, mayBe }, (node, condition) => {
      const key = responseKey(node)
      let field = fields.get(key)
      if (!field) fields.set(key, (field = { name: node.name.value, key, nodes: [], isSure: false }))
      field.nodes.push(node)
      if (condition === undefined || !mayBe || condition === own) field.isSure = true
      else addTo(onAbstract, condition, field)
    })
  }

  collect(mayBe)
  const others = [...onAbstract].filter(([, selected]) => hasNone(object, selected)).map(([type]) => type)
  if (others.length > 0) collect((type) => mayBe!(type) && !others.includes(type))
  for (const [type, selected] of onAbstract)
    // Relay's compiler marks interfaces and unions with this alias, and then expects all of their fields.
    if (fields.has(`__is${type}`)) for (const field of selected) field.isSure = true
  shaping.budget.spend('fields', Math.max(1, fields.size, Math.ceil(lookedAt / lookedAtPerUnit)))
  return [...fields.values()]
}

function hasNone(object: unknown, selected: readonly SelectedField[]): boolean {
  const asked = selected.filter(({ name }) => name !== '__typename')
  return asked.length > 0 && asked.every(({ name, key }) => writtenValue(object, name, key) === undefined)
}

function shapeValue(
  shaping: Shaping,
  sets: SelectionSets,
  value: unknown,
  path: string[],
  listDepth: number,
): unknown {
  const isSelected = sets.length > 0
  if (isSelected && isRecord(value)) return shapeObject(shaping, sets, value, path)
  if (isSelected && Array.isArray(value) && listDepth < maxListDepth) {
    const shaped: unknown[] = []
    for (const item of value) {
      if (!isRecord(item)) shaping.budget.spend('fields', 1)
      if (shaping.budget.isSpent) break
      shaped.push(shapeValue(shaping, sets, item, path, listDepth + 1))
    }
    return shaped
  }
  shaping.budget.spend('fields', weightOf(value))
  return value
}

function fillIn(
  { operation, missing }: Shaping,
  shaped: Record<string, unknown>,
  { name, key }: SelectedField,
  object: object,
  path: readonly string[],
): void {
  if (name !== '__typename') setOwn(shaped, key, null)
  else if (path.length === 0) return setOwn(shaped, key, rootTypes[operation.operation])
  missing.add([...path, name], Object.keys(object))
}
