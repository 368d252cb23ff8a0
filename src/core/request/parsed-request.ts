import { parseCookie } from 'cookie'
import { operationOf } from '../graphql/document.ts'
import { variablesOf } from '../graphql/fields.ts'
import { documentText } from '../graphql/document-text.ts'
import type { GraphQLParams } from '../graphql/payload.ts'
import { type RawRequest, queryValue, headerText, firstValues } from '../http/raw-request.ts'
import type { FixtureRequest } from '../schema/fixture-request.ts'

/** A request with its body parsed, as selectors, predicates and response functions read it. */
export class ParsedRequest implements FixtureRequest {
  #query: Record<string, string> | undefined
  #cookies: Record<string, string | undefined> | undefined

  constructor(
    readonly raw: RawRequest,
    readonly params: Readonly<Record<string, string>>,
    readonly body: unknown,
    readonly graphql?: GraphQLParams,
  ) {}

  get method() {
    return this.raw.method
  }
  get path() {
    return this.raw.path
  }
  get headers() {
    return this.raw.headers
  }
  get query() {
    return (this.#query ??= firstValues(this.raw.search))
  }
  /** One query parameter, without reading all of them. */
  queryValue(name: string) {
    return queryValue(this.raw.search, name)
  }
  get cookies() {
    return (this.#cookies ??= parseCookie(headerText(this.raw.headers, 'cookie') ?? ''))
  }
  get operationName() {
    return this.graphql?.operationName ?? this.#operation?.name?.value
  }
  get operationType() {
    return this.#operation?.operation
  }
  get variables() {
    const operation = this.#operation
    return operation ? variablesOf(this.graphql!, operation) : this.graphql?.variables
  }
  get extensions() {
    return this.graphql?.extensions
  }
  /** The operation in the spelling that all documents share that ask for the same. */
  get document() {
    const operation = this.#operation
    return operation && documentText(this.graphql!.document!, operation)
  }
  get #operation() {
    return this.graphql && operationOf(this.graphql)
  }
}
