import { Kind, parse, type OperationDefinitionNode } from 'graphql/index.js'
import { Budget } from '../../../src/core/graphql/budget.ts'
import type { FittedResult, DocumentChecker, GraphQLResult } from '../../../src/core/graphql/result.ts'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'

/** The checker of a schema that is known to be right; without SDL the one for every schema. */
export function checkerOf(sdl?: string, scalars: Readonly<Record<string, unknown>> = {}): DocumentChecker {
  const sources = sdl === undefined ? [] : [{ file: 'schema.graphql', text: sdl }]
  const { checker, diagnostics } = createChecker(sources, { scalars })
  if (!checker) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return checker
}

/** Runs the first operation of a query text. */
export function execute(
  checker: DocumentChecker,
  query: string,
  fixture: GraphQLResult = {},
  variables?: Record<string, unknown>,
  budget = new Budget(),
): FittedResult {
  const document = parse(query)
  const completed = checker.execute(document, operationOf(document), variables, fixture, budget)
  // As it is sent: graphql-js makes objects without a prototype.
  return JSON.parse(JSON.stringify(completed)) as FittedResult
}

export function run(...parameters: Parameters<typeof execute>): GraphQLResult {
  return execute(...parameters).result
}

export function operationOf({ definitions }: ReturnType<typeof parse>): OperationDefinitionNode {
  return definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!
}
