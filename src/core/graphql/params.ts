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
  /** The query, parsed; `undefined` where there is none. */
  readonly document?: ParsedDocument | undefined
  /** The name in the request. The name of the document's only operation is `operation.name`. */
  readonly operationName?: string | undefined
  /** The values in the request, without defaults. */
  readonly variables?: Values | undefined
  /** Everything else that a client adds: `persistedQuery` with its hash, for example. */
  readonly extensions?: Values | undefined
  /** The whole payload that the others were read from. */
  readonly payload: Values
  /** The work that the request may cause; shared by the operations of a batch. */
  readonly budget: Budget
  #operation: OperationDefinitionNode | null | undefined
  #allVariables: Values | undefined

  constructor(given: Partial<Omit<GraphQLParams, 'operation' | 'allVariables'>> = {}) {
    Object.assign(this, given)
    this.payload = given.payload ?? {}
    this.budget = given.budget ?? new Budget()
  }

  /** The operation that the request runs: the one it names, else the document's only one. */
  get operation(): OperationDefinitionNode | undefined {
    if (this.#operation === undefined) this.#operation = operationOf(this) ?? null
    return this.#operation ?? undefined
  }

  /** The variables with the defaults that the operation gives; `undefined` where there are neither. */
  get allVariables(): Values | undefined {
    if (!this.operation) return this.variables
    return (this.#allVariables ??= { ...defaultsOf(this.operation), ...this.variables })
  }
}

/** The defaults that an operation gives its variables. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )
}
