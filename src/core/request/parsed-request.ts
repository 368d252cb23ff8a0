import { parseCookie } from 'cookie'
import type { GraphQLParams } from '../graphql/params.ts'
import { type RawRequest, queryValue, headerText, firstValues } from '../http/raw-request.ts'
import type { FixtureRequest } from '../schema/function-types.ts'

export class ParsedRequest implements FixtureRequest {
  // `private`, since `#` fields are slow to create.
  private cachedQuery: Record<string, string> | undefined
  private cachedCookies: Record<string, string | undefined> | undefined

  constructor(
    readonly raw: RawRequest,
    readonly params: Readonly<Record<string, string>>,
    readonly body: unknown,
    readonly graphql?: GraphQLParams,
    /** The fields of a form are strings. */
    readonly isForm = false,
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
    return (this.cachedQuery ??= firstValues(this.raw.search))
  }
  queryValue(name: string) {
    return queryValue(this.raw.search, name)
  }
  get cookies() {
    return (this.cachedCookies ??= parseCookie(headerText(this.raw.headers, 'cookie') ?? ''))
  }
  get operationName() {
    return this.graphql?.operationName ?? this.graphql?.operation?.name?.value
  }
  get operationType() {
    return this.graphql?.operation?.operation
  }
  get variables() {
    return this.graphql?.allVariables
  }
  get extensions() {
    return this.graphql?.extensions
  }
  /** The same for equivalent documents. */
  get document() {
    return this.graphql?.documentText
  }
}
