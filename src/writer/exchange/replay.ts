import { parseFixture } from '../../core/fixture/parse-fixture.ts'
import { defaultGraphQL } from '../../core/graphql/settings.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import { compileRoutes } from '../../core/table/compile-routes.ts'
import { matchEndpoint, selectRoute } from '../../core/table/match.ts'

export class Replay {
  readonly #table

  constructor(definitions: readonly object[], graphqlPaths: readonly string[] = defaultGraphQL.paths) {
    const { routes } = parseFixture(definitions, {
      file: '',
      locate: ([index]) => ({ line: Number(index) }),
      wasFixture: true,
    })
    const valid = routes.filter(({ error }) => !error)
    const graphql = { ...defaultGraphQL, paths: graphqlPaths }
    this.#table = compileRoutes(valid, { graphql }).table
  }

  select({ raw, body, graphql, isForm }: ParsedRequest, method: string): number | undefined {
    const match = matchEndpoint(this.#table, method, raw.url, [''])
    const request = match && new ParsedRequest(raw, match.params, body, graphql, isForm)
    return request && selectRoute(match.endpoint, request)?.source.line
  }

  /** `undefined` when no list answers. */
  page({ raw }: ParsedRequest): PreparedResponse | undefined {
    const match = matchEndpoint(this.#table, 'GET', raw.url, [''])
    const response = match?.endpoint.routes[0]!.response
    if (response?.kind !== 'paged') return undefined
    const page = response.list.pageFor(new ParsedRequest(raw, match!.params, undefined))
    return 'response' in page ? page.response : undefined
  }
}
