import type { OperationDefinitionNode } from 'graphql'
import { Budget } from './budget.ts'
import { documentText, maxTextLength } from './document-text.ts'
import { operationOf, type ParsedDocument } from './document.ts'
import { positionsOf } from './locations.ts'
import { argumentsOf, defaultsOf } from './selections.ts'

type Values = Readonly<Record<string, unknown>>

/** An empty string counts as absent. */
export interface GraphQLPayload extends Values {
  query?: string | null | undefined
  operationName?: string | null | undefined
  variables?: Values | null | undefined
  extensions?: Values | null | undefined
}

export class GraphQLParams {
  readonly query: string | undefined
  readonly operationName: string | undefined
  readonly variables: Values | undefined
  /** Additional data, such as `persistedQuery` with its hash. */
  readonly extensions: Values | undefined
  readonly operation: OperationDefinitionNode | undefined
  /** With default values; `undefined` if there are none. */
  readonly allVariables: Values | undefined
  #text: { text: string | undefined } | undefined

  constructor(
    readonly payload: GraphQLPayload = {},
    readonly document: ParsedDocument | undefined = undefined,
    /** Shared by the operations of a batch. */
    readonly budget = new Budget(),
  ) {
    this.query = payload.query || undefined
    this.operationName = payload.operationName || undefined
    this.variables = payload.variables || undefined
    this.extensions = payload.extensions || undefined
    this.operation = document && operationOf(document, this.operationName)
    this.allVariables = this.operation ? { ...defaultsOf(this.operation), ...this.variables } : this.variables
  }

  /** The same for equivalent documents; `undefined` if it is too large. */
  get documentText(): string | undefined {
    if (!this.operation) return undefined
    if (!this.#text) {
      const text = documentText(this.document!, this.operation)
      this.budget.spend('parsing', (text?.length ?? maxTextLength) >> 3)
      this.#text = { text }
    }
    return this.#text.text
  }

  /** One entry for each alias. Without such a field or a document, the variables of the request. */
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
