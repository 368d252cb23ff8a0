import type { OperationDefinitionNode } from 'graphql'
import { Budget } from './budget.ts'
import { documentText, maxTextLength } from './document-text.ts'
import { operationOf, type ParsedDocument } from './document.ts'
import { positionsOf } from './locations.ts'
import { argumentsOf, defaultsOf } from './selections.ts'

type Values = Readonly<Record<string, unknown>>

/** What a request sends. An empty string counts as absent. */
export interface GraphQLPayload extends Values {
  query?: string | null | undefined
  operationName?: string | null | undefined
  variables?: Values | null | undefined
  extensions?: Values | null | undefined
}

/**
 * The parameters of one GraphQL request (GraphQL over HTTP, section "Request Parameters"), and values derived from them.
 */
export class GraphQLParams {
  readonly query: string | undefined
  /** The name in the request. The name of the document's only operation is `operation.name`. */
  readonly operationName: string | undefined
  /** The values in the request, without defaults. */
  readonly variables: Values | undefined
  /** Additional data of the client, such as `persistedQuery` with its hash. */
  readonly extensions: Values | undefined
  /** The operation that the request runs: the named one, or the document's only one. */
  readonly operation: OperationDefinitionNode | undefined
  /** The variables, including their default values; `undefined` if there are none. */
  readonly allVariables: Values | undefined
  #text: { text: string | undefined } | undefined

  constructor(
    readonly payload: GraphQLPayload = {},
    /** The parsed query; `undefined` if there is none. */
    readonly document: ParsedDocument | undefined = undefined,
    /** The maximum work for the request, shared by the operations of a batch. */
    readonly budget = new Budget(),
  ) {
    this.query = payload.query || undefined
    this.operationName = payload.operationName || undefined
    this.variables = payload.variables || undefined
    this.extensions = payload.extensions || undefined
    this.operation = document && operationOf(document, this.operationName)
    this.allVariables = this.operation ? { ...defaultsOf(this.operation), ...this.variables } : this.variables
  }

  /** The normalised text of the operation: equivalent documents have the same text. `undefined` if it is too large. */
  get documentText(): string | undefined {
    if (!this.operation) return undefined
    if (!this.#text) {
      const text = documentText(this.document!, this.operation)
      this.budget.spend('parsing', (text?.length ?? maxTextLength) >> 3)
      this.#text = { text }
    }
    return this.#text.text
  }

  /**
   * The arguments of each field at a path, with the values of variables: several if the field is selected under several
   * aliases. If the operation does not select the path, or there is no document, the variables themselves, without defaults.
   */
  argumentsOf(path: readonly string[]): [Values, ...Values[]] {
    const { operation, document, allVariables: variables } = this
    const positions = operation
      ? positionsOf(path, [operation.selectionSet], { fragments: document!.fragments, variables })
      : []
    const [first, ...others] = positions.flatMap(({ nodes }) =>
      nodes.map((node) => argumentsOf(node, variables)),
    )
    return first ? [first, ...others] : [{ ...this.variables }]
  }
}
