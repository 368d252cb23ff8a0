import type { OperationDefinitionNode } from 'graphql'
import { isRecord, setOwn } from '../../values/values.ts'
import { Budget } from '../budget.ts'
import type { FittedResult, GraphQLResult } from '../checker.ts'
import type { ParsedDocument } from '../document.ts'
import type { FormattedError } from '../formatted-error.ts'
import { located } from '../formatted-error.ts'
import { positionsOf } from '../locations.ts'
import { MissingFields } from '../missing-fields.ts'
import { defaultsOf } from '../params.ts'
import { typeNamesOf } from '../type-names.ts'
import { planOf, type Plan, type PlannedField, type PlannedSelection } from './selection-plan.ts'
import { fieldValue, weightOf } from './field-value.ts'

/** Maximum depth of lists in lists, because of the engine's stack; deeper ones are left as they are. */
const maxListDepth = 16

/** The state while one result is shaped. */
interface Shaping {
  document: ParsedDocument
  operation: OperationDefinitionNode
  /** Including default values. */
  variables: Readonly<Record<string, unknown>>
  plan: Plan
  budget: Budget
  missing: MissingFields
}

/**
 * Cuts a fixture's result to what an operation selects, without a schema: `data` to its aliases, fragments, `@skip` and
 * `@include`, and the `path` of errors to its response keys.
 *
 * Fixtures have fields by their names. A missing field becomes `null` and is reported; a missing `__typename` is left out
 * and reported. Where a value does not fit the selection, the fixture's value is sent.
 *
 * A fragment applies if its type is the object's `__typename`, or if the object has none. A type that no object of the
 * fixture names may be an interface or a union: its fragment selects only fields that the object has.
 *
 * Nested aliases can multiply the data of a fixture: when the budget is spent, the result is an error.
 *
 * @see https://spec.graphql.org/October2021/#sec-Executing-Selection-Sets
 */
export function shapeResult(
  fixture: GraphQLResult,
  document: ParsedDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
  budget = new Budget(),
): FittedResult {
  const { data, errors } = fixture
  const plan = planOf(document, operation, variables, () => typeNamesOf(data))
  const all = { ...defaultsOf(operation), ...variables }
  const shaping: Shaping = {
    document,
    operation,
    variables: all,
    plan,
    budget,
    missing: new MissingFields(),
  }
  const result = { ...fixture }
  // Done first, since a field that failed is not missing.
  if (Array.isArray(errors)) result.errors = shapeErrors(shaping, errors, data)
  if (isRecord(data)) result.data = shapeObject(shaping, plan.root, data, [])
  if (budget.isSpent) return { result: { errors: [budget.error] }, missing: [] }
  return { result, missing: shaping.missing.list }
}

/**
 * A fixture's errors as they appear in the response: each under every response key of its field, with `locations`. A path
 * that the operation does not select is kept as it is, with the start of the operation as its location.
 */
function shapeErrors(
  { document: { fragments }, operation, variables, budget, missing }: Shaping,
  errors: readonly FormattedError[],
  data: unknown,
): FormattedError[] {
  return errors.flatMap((error) => {
    if (!isRecord(error) || !Array.isArray(error.path)) return error
    const positions = positionsOf(error.path, [operation.selectionSet], { fragments, variables }, data)
    if (positions.length === 0) return located(error, error.path, [operation])
    return positions.map(({ path, names, nodes }) => {
      budget.spend('errors', nodes.length)
      missing.excuse(names)
      return located(error, path, nodes)
    })
  })
}

const rootTypes = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** @param path names of the parent fields; the same list is reused, since it is only read for a missing field */
function shapeObject(
  shaping: Shaping,
  selection: PlannedSelection,
  object: Readonly<Record<string, unknown>>,
  path: string[],
): Record<string, unknown> {
  const { list: fields, cost } = shaping.plan.fieldsOf(selection, object, shaping.variables)
  const shaped: Record<string, unknown> = {}
  if (!shaping.budget.spend('fields', cost)) return shaped
  for (const field of fields) {
    const value = fieldValue(object, field, shaping.variables)
    if (value === undefined) {
      if (field.isSure) fillIn(shaping, shaped, field, object, path)
      continue
    }
    path.push(field.name)
    setOwn(shaped, field.key, shapeValue(shaping, field.selection, value, path, 0))
    path.pop()
  }
  return shaped
}

function shapeValue(
  shaping: Shaping,
  selection: PlannedSelection | undefined,
  value: unknown,
  path: string[],
  listDepth: number,
): unknown {
  if (selection && isRecord(value)) return shapeObject(shaping, selection, value, path)
  if (selection && Array.isArray(value) && listDepth < maxListDepth) {
    const shaped: unknown[] = []
    for (const item of value) {
      if (!isRecord(item)) shaping.budget.spend('fields', 1)
      if (shaping.budget.isSpent) break
      shaped.push(shapeValue(shaping, selection, item, path, listDepth + 1))
    }
    return shaped
  }
  shaping.budget.spend('fields', weightOf(value))
  return value
}

/** Adds the value of a field that an object does not have. */
function fillIn(
  { operation, missing }: Shaping,
  shaped: Record<string, unknown>,
  { name, key }: PlannedField,
  object: object,
  path: readonly string[],
): void {
  if (name !== '__typename') setOwn(shaped, key, null)
  else if (path.length === 0) return setOwn(shaped, key, rootTypes[operation.operation])
  missing.add([...path, name], Object.keys(object))
}
