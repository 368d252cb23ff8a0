import type { OperationDefinitionNode } from 'graphql'
import { Budget } from './budget.ts'
import { documentText } from './document-text.ts'
import { operationOf, type ParsedDocument } from './document.ts'
import type { ErrorLocation } from './formatted-error.ts'
import { locate, positionsOf } from './locations.ts'
import { argumentsOf, defaultsOf } from './selections.ts'

type Values = Readonly<Record<string, unknown>>

/** What a request gives; everything else is derived. */
type GivenParams = Partial<
  Pick<
    GraphQLParams,
    'query' | 'document' | 'operationName' | 'variables' | 'extensions' | 'payload' | 'budget'
  >
>

/**
 * The parameters of one GraphQL request (GraphQL over HTTP, section "Request Parameters"), and values derived from them.
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
  /** The operation that the request runs: the named one, or the document's only one. */
  readonly operation: OperationDefinitionNode | undefined
  /** The variables, including their default values; `undefined` if there are none. */
  readonly allVariables: Values | undefined
  #text: { text: string | undefined } | undefined

  constructor(given: GivenParams = {}) {
    this.query = given.query
    this.document = given.document
    this.operationName = given.operationName
    this.variables = given.variables
    this.extensions = given.extensions
    this.payload = given.payload ?? {}
    this.budget = given.budget ?? new Budget()
    this.operation = operationOf(given)
    this.allVariables = this.operation ? { ...defaultsOf(this.operation), ...this.variables } : this.variables
  }

  /** The normalised text of the operation: equivalent documents have the same text. `undefined` if it is too large. */
  get documentText(): string | undefined {
    if (!this.operation) return undefined
    this.#text ??= { text: documentText(this.document!, this.operation) }
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

  /** See `locate`. */
  locate(path: readonly unknown[], data?: unknown): ErrorLocation[] {
    return locate(this, path, data)
  }
}
