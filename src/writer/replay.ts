import { noLimits } from '../core/answer/limits.ts'
import { handle } from '../core/answer/handle.ts'
import { handleGraphQL } from '../core/answer/handle-graphql.ts'
import type { LaterPart } from '../core/answer/later-part.ts'
import { parseFixture } from '../core/fixture/parse-fixture.ts'
import { defaultGraphQL } from '../core/graphql/settings.ts'
import { ParsedRequest } from '../core/request/parsed-request.ts'
import type { PreparedResponse } from '../core/response/prepare-response.ts'
import { MockState } from '../core/state/mock-state.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import { matchEndpoint, selectRoute } from '../core/table/match.ts'

const graphqlPart = { handleGraphQL }

/** An error, or an answer of the backend, is not what was recorded: nothing waits for it. */
const notLoaded: LaterPart<never> = { loaded: undefined, load: () => new Promise(() => {}) }

const parts = {
  graphql: { loaded: graphqlPart, load: () => Promise.resolve(graphqlPart) },
  explanations: notLoaded,
  overlays: notLoaded,
}

/** Routes as the server has them, to check which of them answers a request. */
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

  /** The index of the route that answers a request; `undefined` when none does. */
  select({ raw, body, graphql, isForm }: ParsedRequest, method: string): number | undefined {
    const match = matchEndpoint(this.#table, method, raw.url, [''])
    return (
      match &&
      selectRoute(match.endpoint, new ParsedRequest(raw, match.params, body, graphql, isForm))?.source.line
    )
  }

  /** The answer to a request; `undefined` when there is none. */
  answer({ raw }: ParsedRequest, method: string): PreparedResponse | undefined {
    const match = matchEndpoint(this.#table, method, raw.url, [''])
    if (!match) return undefined
    const outcome = handle(match, raw, { limits: noLimits, state: new MockState(), ...parts })
    return 'kind' in outcome && outcome.kind === 'answered' ? outcome.response : undefined
  }
}
