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
  readonly query?: string | undefined
  /** The parsed query; `undefined` if there is none. */
  readonly document?: ParsedDocument | undefined
  /** The name in the request. The name of the document's only operation is `operation.name`. */
  readonly operationName?: string | undefined
  /** The values in the request, without defaults. */
  readonly variables?: Values | undefined
  /** Additional data of the client, such as `persistedQuery` with its hash. */
  readonly extensions?: Values | undefined
  /** The whole payload that the others were read from. */
  readonly payload: Values
  /** The maximum work for the request, shared by the operations of a batch. */
  readonly budget: Budget
  #operation: OperationDefinitionNode | null | undefined
  #allVariables: Values | undefined

  constructor(given: Partial<Omit<GraphQLParams, 'operation' | 'allVariables'>> = {}) {
    Object.assign(this, given)
    this.payload = given.payload ?? {}
    this.budget = given.budget ?? new Budget()
  }

  /** The operation that the request runs: the named one, or the document's only one. */
  get operation(): OperationDefinitionNode | undefined {
    if (this.#operation === undefined) this.#operation = operationOf(this) ?? null
    return this.#operation ?? undefined
  }

  /** The variables, including their default values; `undefined` if there are none. */
  get allVariables(): Values | undefined {
    if (!this.operation) return this.variables
    return (this.#allVariables ??= { ...defaultsOf(this.operation), ...this.variables })
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
