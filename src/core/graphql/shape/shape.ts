import type { OperationDefinitionNode } from 'graphql'
import { isRecord, setOwn } from '../../values/values.ts'
import type { FittedResult, GraphQLResult } from '../checker.ts'
import type { Budget } from '../budget.ts'
import type { ParsedDocument } from '../document.ts'
import { createMissingFields } from './missing-fields.ts'
import { shapeErrors } from './errors.ts'
import { planOf, type PlannedField, type PlannedSelection } from './plan.ts'
import { defaultsOf } from '../params.ts'
import { typeNamesOf } from '../type-names.ts'
import { fieldValue, weightOf } from './values.ts'
import type { Shaping } from './shaping.ts'

/** Lists of lists; what is nested deeper passes as it is, for the engine's stack has an end. */
const maxListDepth = 16

/**
 * Cuts a fixture's result to what an operation selects, without a schema: `data` to its aliases, fragments, `@skip` and
 * `@include`, and the `path` of errors to its response keys.
 *
 * A fixture knows fields by their names. A field that its object lacks becomes `null` and is reported, `__typename` is
 * left out and reported. Where a value and the selection differ in kind, the fixture is right.
 *
 * A fragment on a type is taken where the object's `__typename` is that type, or where it has none. A type that no
 * object of the fixture names may be an interface or a union: on it, an object has the fields that it has.
 *
 * Aliases times nesting multiply what a fixture holds: where the budget is spent, the result is its error.
 *
 * @see https://spec.graphql.org/October2021/#sec-Executing-Selection-Sets
 */
export function shapeResult(
  fixture: GraphQLResult,
  document: ParsedDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
  budget: Budget,
): FittedResult {
  const { data, errors } = fixture
  const plan = planOf(document, operation, variables, () => typeNamesOf(data))
  const all = { ...defaultsOf(operation), ...variables }
  const shaping: Shaping = { operation, variables: all, plan, budget, missing: createMissingFields() }
  const result = { ...fixture }
  // First of all, for a field that failed is not missing.
  if (Array.isArray(errors)) result.errors = shapeErrors(shaping, errors, data)
  if (isRecord(data)) result.data = shapeObject(shaping, plan.root, data, [])
  if (budget.isSpent) return { result: { errors: [budget.error] }, missing: [] }
  return { result, missing: shaping.missing.list() }
}

const rootTypes = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** @param path names of the fields above; one list throughout, as it's only read where a field is missing */
function shapeObject(
  shaping: Shaping,
  selection: PlannedSelection,
  object: Readonly<Record<string, unknown>>,
  path: string[],
): Record<string, unknown> {
  const { list: fields, cost } = shaping.plan.fieldsOf(selection, object)
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

/** What stands for a field that an object lacks. */
function fillIn(
  { operation, missing }: Shaping,
  shaped: Record<string, unknown>,
  { name, key }: PlannedField,
  object: object,
  path: readonly string[],
): void {
  if (name !== '__typename') setOwn(shaped, key, null)
  else if (path.length === 0) return setOwn(shaped, key, rootTypes[operation.operation])
  missing.add([...path, name], object)
}
