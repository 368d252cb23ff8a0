import {
  executeSync,
  getVariableValues,
  isAbstractType,
  OperationTypeNode,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql/index.js'
import { inspect } from 'graphql/jsutils/inspect.js'
import { Budget } from '../graphql/budget.ts'
import type { DocumentChecker, FittedResult, GraphQLResult, RejectedValue } from '../graphql/result.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { MissingFields } from '../graphql/fixture-data.ts'
import { fieldsByKey, fragmentsOf } from '../graphql/selections.ts'
import { nearestName } from '../values/spelling.ts'
import { isPlainObject } from '../values/values.ts'
import type { AnswerNode } from './answer-node.ts'
import type { EntityContext } from './entity.ts'
import {
  formatError,
  formatFixtureError,
  isAboutField,
  leftOver,
  messageOf,
  ThrownEntry,
  toFixtureError,
} from './errors.ts'
import { countIntrospected, introspectedPerUnit } from './introspection-size.ts'
import { resolveField, resolveType, type Run } from './resolve-field.ts'

type RunSettings = Omit<EntityContext, 'data'>

type Operation = Parameters<DocumentChecker['execute']>

/** Never throws. */
export function runOperation(settings: RunSettings, ...given: Operation): FittedResult {
  try {
    const [, , , { extensions }] = given
    const { result, ...problems } = run(settings, ...given)
    return { result: { ...result, ...(extensions !== undefined && { extensions }) }, ...problems }
  } catch (error) {
    const message = `The operation can't be run: ${messageOf(error as Error)}`
    return withoutProblems({ errors: [{ message }] })
  }
}

function run(
  settings: RunSettings,
  ...[document, operation, variables, fixture, budget = new Budget()]: Operation
): FittedResult {
  const { schema } = settings
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}, {
    maxErrors: 50,
  })
  if (coerced.errors) return withoutProblems({ errors: coerced.errors.map(formatError) })
  const state: Run = {
    ...settings,
    data: fixture.data,
    fragments: fragmentsOf(document),
    variables: coerced.coerced,
    rootSelections: [operation.selectionSet],
    budget,
    typenames: new WeakMap(),
    missing: new MissingFields(),
    strayKeys: new WeakMap(),
    otherErrors: [],
  }
  const errors = Array.isArray(fixture.errors) ? fixture.errors.map(toFixtureError) : []
  const withErrors = (
    result: GraphQLResult,
    thrown: readonly FormattedError[] = [],
    answer?: GraphQLResult['data'],
  ): GraphQLResult => {
    const all = [...thrown, ...state.otherErrors, ...leftOver(errors, answer, operation, state)]
    return all.length > 0 ? { errors: all, ...result } : result
  }

  const { data } = fixture
  // Errors of the whole request and no data: in the fixture, nothing was executed.
  if (data === undefined && errors.length > 0 && !errors.some(isAboutField))
    return withoutProblems(withErrors({}))
  if (data === null) return withoutProblems(withErrors({ data }))
  const typeName = schema.getRootType(operation.operation)?.name ?? ''
  if (data !== undefined && !isPlainObject(data)) {
    const misfit = { message: `Expected value of type "${typeName}" but got: ${inspect(data)}.` }
    return { result: withErrors({ data: null }, [misfit]), missing: [], rejected: [{ path: '', ...misfit }] }
  }
  if (operation.operation === OperationTypeNode.QUERY) spendOnIntrospection(schema, state)
  if (budget.isSpent) return withoutProblems({ errors: [budget.error] })

  const root: AnswerNode = {
    value: data,
    parent: undefined,
    step: operation.operation,
    typeName,
    args: undefined,
    depth: 0,
    filledLists: 0,
    errors: errors.filter(isAboutField),
    fieldNodes: undefined,
  }
  const result = executeSync({
    schema,
    document,
    operationName: operation.name?.value,
    rootValue: root,
    contextValue: state,
    variableValues: variables,
    fieldResolver: resolveField,
    typeResolver: resolveType,
  })
  const thrown = result.errors?.map(formatFixtureError) ?? []
  if (budget.isSpent) return withoutProblems({ errors: [budget.error, ...thrown.slice(0, 1)] })
  const ran = result.data === undefined ? {} : { data: result.data }
  return {
    result: withErrors(ran, thrown, result.data),
    missing: state.missing.list,
    rejected: rejectedValues(result.errors ?? [], schema),
  }
}

/** Each error once, even if it affects many items of a list. */
function rejectedValues(errors: readonly GraphQLError[], schema: GraphQLSchema): RejectedValue[] {
  const found = new Map<string, RejectedValue>()
  for (const error of errors) {
    if (error instanceof ThrownEntry) continue
    const path = (error.path ?? []).filter((part) => typeof part === 'string').join('.')
    const near = nearTypeName(error.message, schema)
    found.set(`${path} ${error.message}`, { path, message: messageOf(error), near })
  }
  return [...found.values()]
}

function nearTypeName(message: string, schema: GraphQLSchema): string | undefined {
  const [, abstractName = '', written = ''] =
    /^Abstract type "(\w+)" was resolved to a type "(.*)" that does not exist/s.exec(message) ?? []
  const type = schema.getType(abstractName)
  if (!isAbstractType(type)) return undefined
  return nearestName(
    written,
    schema.getPossibleTypes(type).map(({ name }) => name),
  )
}

function withoutProblems(result: GraphQLResult): FittedResult {
  return { result, missing: [], rejected: [] }
}

function spendOnIntrospection(schema: GraphQLSchema, state: Run): void {
  const fields = [...fieldsByKey(state.rootSelections, state).values()].flat()
  const introspective = fields.filter(({ name }) => name.value === '__schema' || name.value === '__type')
  if (introspective.length === 0) return
  const perUnit = introspectedPerUnit(schema)
  const selections = countIntrospected(state.budget.left * perUnit, schema, introspective, state)
  state.budget.spend('introspection', Math.ceil(selections / perUnit))
}
