import type { OperationDefinitionNode } from 'graphql'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'
import { Budget } from './budget.ts'
import { operationOf, type ParsedDocument } from './document.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The parameters of one GraphQL request (GraphQL over HTTP, section "Request Parameters"), and values derived from them,
 * which are computed once, when they are first read.
 */
export class GraphQLParams {
  readonly query: string | undefined
  /** The parsed query; `undefined` if there is none. */
  readonly document: ParsedDocument | undefined
  /** The name in the request. The name of the document's only operation is `operation.name`. */
  readonly operationName: string | undefined
  /** The values in the request, without defaults. */
  readonly variables: Values | undefined
  /** Additional data of the client, such as `persistedQuery` with its hash. */
  readonly extensions: Values | undefined
  /** The whole payload that the others were read from. */
  readonly payload: Values
  /** The maximum work for the request, shared by the operations of a batch. */
  readonly budget: Budget
  // `private`, since `#` fields are slow to create.
  private cachedOperation: OperationDefinitionNode | null | undefined
  private cachedAllVariables: Values | undefined

  constructor(given: Partial<Omit<GraphQLParams, 'operation' | 'allVariables'>> = {}) {
    this.query = given.query
    this.document = given.document
    this.operationName = given.operationName
    this.variables = given.variables
    this.extensions = given.extensions
    this.payload = given.payload ?? {}
    this.budget = given.budget ?? new Budget()
  }

  /** The operation that the request runs: the named one, or the document's only one. */
  get operation(): OperationDefinitionNode | undefined {
    if (this.cachedOperation === undefined) this.cachedOperation = operationOf(this) ?? null
    return this.cachedOperation ?? undefined
  }

  /** The variables, including their default values; `undefined` if there are none. */
  get allVariables(): Values | undefined {
    if (!this.operation) return this.variables
    return (this.cachedAllVariables ??= { ...defaultsOf(this.operation), ...this.variables })
  }
}

/** The default values of an operation's variables. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )
}
