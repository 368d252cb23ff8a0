import {
  getVariableValues,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql/index.js'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { DocumentChecker } from '../graphql/checker.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { bareOf, formatError } from './bare-document.ts'
import { buildSchema, type SchemaSource } from './build-schema.ts'
import { anySchema, anySchemaRules, minimalSchema } from './no-schema.ts'
import { runOperation } from './run-operation.ts'

export type { SchemaSource } from './build-schema.ts'

/** What the options say of the schema. */
export interface CheckerSettings {
  /** Values of the fields of scalars that a fixture leaves out, by the scalar's name. */
  scalars: Readonly<Record<string, unknown>>
}

/**
 * Makes the checker of a schema, or without sources one of what holds for every schema. There is none where the
 * sources are no schema: the diagnostics say why. Never throws.
 */
export function createChecker(
  sources: readonly SchemaSource[],
  settings: CheckerSettings,
): { checker: DocumentChecker | undefined; diagnostics: Diagnostic[] } {
  if (sources.length === 0) {
    const rules = anySchemaRules
    const checker = checkerOf(
      { hasSchema: false, schema: minimalSchema, checkedBy: anySchema, rules },
      settings,
    )
    return { checker, diagnostics: [] }
  }
  const { schema, diagnostics } = buildSchema(sources)
  const rules = specifiedRules
  const checker = schema && checkerOf({ hasSchema: true, schema, checkedBy: schema, rules }, settings)
  return { checker, diagnostics }
}

interface Basis {
  hasSchema: boolean
  /** What operations are run by. */
  schema: GraphQLSchema
  checkedBy: GraphQLSchema
  rules: readonly ValidationRule[]
}

const maxValidationErrors = 100
const maxVariableErrors = 50

function checkerOf(
  { hasSchema, schema, checkedBy, rules }: Basis,
  { scalars }: CheckerSettings,
): DocumentChecker {
  const validated = new WeakMap<DocumentNode, readonly FormattedError[]>()
  return {
    hasSchema,
    validate(document) {
      let errors = validated.get(document)
      if (!errors) {
        errors = attempt(() =>
          validate(checkedBy, bareOf(document), rules, { maxErrors: maxValidationErrors }),
        )
        validated.set(document, errors)
      }
      return errors
    },
    checkVariables: (operation, variables = {}) =>
      attempt(() => {
        const definitions = bareOf(operation).variableDefinitions ?? []
        return (
          getVariableValues(checkedBy, definitions, variables, { maxErrors: maxVariableErrors }).errors ?? []
        )
      }),
    execute: (document, operation, variables, fixture) =>
      runOperation({ schema, scalars }, document, operation, variables, fixture),
  }
}

/** Values of a request can be nested deeper than the engine's stack is. */
function attempt(check: () => readonly GraphQLError[]): readonly FormattedError[] {
  try {
    return check().map(formatError)
  } catch (error) {
    const { message } = error as Error
    // graphql-js gives up where the comparison of equal fields would take too long.
    if (message === 'Validation aborted.')
      return [{ message: 'The document selects the same fields too often to be validated.' }]
    return [formatError(error as Error)]
  }
}
