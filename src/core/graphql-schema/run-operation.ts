import {
  executeSync,
  getVariableValues,
  isAbstractType,
  OperationTypeNode,
  type GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  getIntrospectionQuery,
  Kind,
  parse,
  __Schema,
  __Type,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql/index.js'
import { inspect } from 'graphql/jsutils/inspect.js'
import { Budget } from '../graphql/budget.ts'
import type { DocumentChecker, FittedResult, GraphQLResult, RejectedValue } from '../graphql/result.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { MissingFields } from '../graphql/fixture-data.ts'
import { fieldsByKey, fragmentsOf, type SelectionContext } from '../graphql/selections.ts'
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
import { resolveField, resolveType, type Run } from './resolve-field.ts'
import { oncePerObject } from '../values/collections.ts'

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
  const values = 'variableValues' in coerced ? (coerced.variableValues as typeof coerced) : coerced // graphql-js 17
  const state: Run = {
    ...settings,
    data: fixture.data,
    fragments: fragmentsOf(document),
    variables: values.coerced,
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
    errors,
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

/** graphql-js resolves introspection fields itself, where they can't be counted or stopped. */
function countIntrospected(
  limit: number,
  schema: GraphQLSchema,
  fields: readonly FieldNode[],
  context: SelectionContext,
): number {
  let selections = 0
  const info = { schema } as GraphQLResolveInfo

  /** All values of one type together, since finding a field takes longer than reading it. */
  function count(type: GraphQLObjectType, values: readonly unknown[], set: SelectionSetNode | undefined) {
    for (const selection of set?.selections ?? []) {
      selections += values.length
      if (selections > limit) return
      if (selection.kind === Kind.INLINE_FRAGMENT) count(type, values, selection.selectionSet)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        count(type, values, context.fragments.get(selection.name.value)?.selectionSet)
      } else if (selection.selectionSet) {
        const field = type.getFields()[selection.name.value]
        const fieldType = field && getNamedType(field.type)
        if (!isObjectType(fieldType)) continue
        const inner: unknown[] = []
        for (const value of values) {
          const found: unknown = field?.resolve?.(value, { includeDeprecated: true }, undefined, info)
          for (const item of Array.isArray(found) ? (found as unknown[]) : [found]) if (item) inner.push(item)
          if (selections + inner.length > limit) break
        }
        count(fieldType, inner, selection.selectionSet)
      }
    }
  }

  for (const node of fields) {
    if (node.name.value === '__schema') count(__Schema, [schema], node.selectionSet)
    else {
      const given = node.arguments?.[0]?.value
      const name = given?.kind === Kind.VARIABLE ? context.variables?.[given.name.value] : valueOf(given)
      const type = schema.getType(String(name))
      if (type) count(__Type, [type], node.selectionSet)
    }
  }
  return selections
}

function valueOf(node: ValueNode | undefined): unknown {
  return node && 'value' in node ? node.value : undefined
}

/** Units of one introspection, of 100 000 for a request or batch: any schema is introspected once, not twice. */
const maxUnits = 95_000

/** A value of an introspection takes longer than other fields. */
const fewestPerUnit = 0.6

/** More for a very large schema, since clients could not introspect it otherwise. */
const introspectedPerUnit = oncePerObject((schema: GraphQLSchema): number => {
  // The query of GraphiQL and code generators.
  const document = parse(
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  )
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!
  const fields = operation.selectionSet.selections as readonly FieldNode[]
  const context = { fragments: fragmentsOf(document), variables: {} }
  return Math.max(fewestPerUnit, countIntrospected(Infinity, schema, fields, context) / maxUnits)
})
