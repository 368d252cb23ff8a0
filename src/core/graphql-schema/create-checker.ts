import {
  getVariableValues,
  isScalarType,
  printSchema,
  specifiedScalarTypes,
  validate,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
  getNullableType,
  isListType,
  isNonNullType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type FieldNode,
  type GraphQLOutputType,
} from 'graphql/index.js'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { weightOf } from '../graphql/budget.ts'
import type { DocumentChecker } from '../graphql/result.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import type { EntityIndex } from './entity.ts'
import { formatError } from './errors.ts'
import { buildSchema, type SchemaSource } from './build-schema.ts'
import { anySchema, anySchemaRules, minimalSchema, schemaRules } from './no-schema.ts'
import { runOperation } from './run-operation.ts'
import { fieldsByKey, fragmentsOf, subselections } from '../graphql/selections.ts'
import { mayBeOfType } from '../graphql/fixture-data.ts'
import { ownValue, type KeyPath, type Values } from '../values/values.ts'

export type { SchemaSource } from './build-schema.ts'

interface CheckerSettings {
  /** Values for missing fields of custom scalars, by the scalar's name. */
  scalars: Readonly<Record<string, unknown>>
}

/** Creates a checker; without sources, one of the rules of every schema. Never throws. */
export function createChecker(
  sources: readonly SchemaSource[],
  settings: CheckerSettings,
): { checker: DocumentChecker | undefined; diagnostics: Diagnostic[] } {
  if (sources.length === 0)
    return { checker: checkerOf(minimalSchema, settings, anySchema, anySchemaRules), diagnostics: [] }
  const { schema, diagnostics } = buildSchema(sources)
  if (!schema) return { checker: undefined, diagnostics }
  return {
    checker: checkerOf(schema, settings),
    diagnostics: [...diagnostics, ...unknownScalars(schema, settings)],
  }
}

function unknownScalars(schema: GraphQLSchema, { scalars }: CheckerSettings): Diagnostic[] {
  const custom = Object.values(schema.getTypeMap()).filter(isScalarType)
  const known = new Set([...specifiedScalarTypes, ...custom].map(({ name }) => name))
  return Object.keys(scalars)
    .filter((name) => !known.has(name))
    .map((name) => diagnoseGraphQL('scalar-unknown', {}, { name, known: [...known] }))
}

/** For each error, graphql-js compares a name with all names of the schema. */
const maxValidationErrors = 20

/** @param checkedBy what documents are validated against, if that is not the schema itself */
function checkerOf(
  schema: GraphQLSchema,
  { scalars }: CheckerSettings,
  checkedBy = schema,
  rules: readonly ValidationRule[] = schemaRules,
): DocumentChecker {
  // Errors are not cached, since their messages can be much larger than the document.
  const valid = new WeakSet<DocumentNode>()
  const entities: EntityIndex = new WeakMap()
  return {
    hasSchema: checkedBy === schema,
    sdl: () => (checkedBy === schema ? printSchema(schema) : ''),
    validate(document) {
      if (valid.has(document)) return []
      const errors = attempt(() => validate(checkedBy, document, rules, { maxErrors: maxValidationErrors }))
      if (errors.length === 0) valid.add(document)
      return errors
    },
    checkVariables: (operation, variables = {}) =>
      attempt(() => checkVariables(checkedBy, operation, variables)),
    execute: (...operation) => runOperation({ schema, scalars, entities }, ...operation),
    landingsOf: (...answer) => landingsOf(schema, ...answer),
  }
}

const maxVariableErrors = 50
/** Each error of graphql-js prints its whole object: the larger the values, the fewer errors are allowed. */
const maxPrinted = 4_000

function checkVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Values,
): readonly GraphQLError[] {
  const allowed = Math.floor(maxPrinted / weightOf(variables))
  const maxErrors = Math.max(1, Math.min(maxVariableErrors, allowed))
  return getVariableValues(schema, variableDefinitions, variables, { maxErrors }).errors ?? []
}

/** The values of a request can be nested deeper than the engine's stack. */
function attempt(check: () => readonly GraphQLError[]): readonly FormattedError[] {
  try {
    return check().map(toFormattedError)
  } catch (error) {
    return [formatError(error as Error)]
  }
}

/** graphql-js stops when comparing the fields of one response key takes too long, and does not say why. */
function toFormattedError(error: GraphQLError): FormattedError {
  if (error.message !== 'Validation aborted.') return formatError(error)
  return {
    message:
      'Validation aborted: too many fields share a response key. Select each field once, or split the document.',
  }
}

function fieldTypes(schema: GraphQLSchema, document: DocumentNode): Map<FieldNode, GraphQLOutputType> {
  const types = new Map<FieldNode, GraphQLOutputType>()
  const info = new TypeInfo(schema)
  const enter = (node: FieldNode) => {
    const type = info.getType()
    if (type) types.set(node, type)
  }
  visit(document, visitWithTypeInfo(info, { Field: { enter } }))
  return types
}

/** @see https://spec.graphql.org/October2021/#sec-Handling-Field-Errors */
function landingsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values | undefined,
  data: Values,
  paths: readonly KeyPath[],
): number[] {
  const types = fieldTypes(schema, document)
  const fragments = fragmentsOf(document)
  return paths.map((path) => {
    const along: (GraphQLOutputType | undefined)[] = []
    let sets = [operation.selectionSet]
    let type: GraphQLOutputType | undefined
    let value: unknown = data
    for (const key of path) {
      if (typeof value !== 'object' || value === null) return path.length // a field around it is null already
      if (Array.isArray(value)) {
        const list: GraphQLOutputType | undefined = type && getNullableType(type)
        type = isListType(list) ? list.ofType : undefined
      } else {
        const context = { fragments, variables, mayBe: mayBeOfType(data, value) }
        const fields: readonly FieldNode[] = fieldsByKey(sets, context).get(String(key)) ?? []
        type = fields[0] && types.get(fields[0])
        sets = subselections(fields)
      }
      along.push(type)
      value = ownValue(value, String(key))
    }
    while (isNonNullType(along.at(-1))) along.pop()
    return along.length
  })
}
