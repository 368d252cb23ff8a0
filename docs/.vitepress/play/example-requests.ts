import { planRequests, type PlannedRequest } from '../../../src/backend/compare/ask/plan-requests.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import type { Route } from '../../../src/core/fixture/route.ts'
import type { NamedRequest } from './link.ts'

const { paths: graphqlPaths } = defaultGraphQL
const maxRequests = 8

type Example = Pick<PlannedRequest, 'method' | 'path' | 'params' | 'query' | 'headers'> & { body?: unknown }

/** A request for each route of a fixture that comes without any, such as an example of the docs. */
export function exampleRequests(routes: readonly Route[]): NamedRequest[] {
  const { requests, left } = planRequests(routes, { graphqlPaths, documents: new Map() })
  // Streams and faults, which are not compared with a backend, are tried here all the same.
  const others = left.map(({ route: { method, path } }): Example => {
    const isGraphQL = graphqlPaths.includes(path)
    const [first = isGraphQL ? 'POST' : 'GET'] = method ?? []
    const body = isGraphQL ? { query: '{ __typename }' } : undefined
    return { method: first === '*' ? 'GET' : first, path, params: {}, query: [], headers: {}, body }
  })
  const named = [...requests, ...others].map(
    ({ method, path, params, query, headers, body }): NamedRequest => {
      const filled = path
        .replaceAll(/:(\w+)[?+*]?/g, (_, name: string) => encodeURIComponent(params[name] ?? '1'))
        .replaceAll(/\/\*+\w*/g, '/any')
      const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
      const url = search === '' ? filled : `${filled}?${search}`
      const { operationName } = (body ?? {}) as { operationName?: string }
      return {
        name: operationName ?? `${method} ${url}`,
        ...{ method, url },
        headers: Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
        body: body === undefined ? '' : JSON.stringify(body, null, 2),
      }
    },
  )
  const distinct = new Map(named.map((one) => [JSON.stringify(one), one]))
  return [...distinct.values()].slice(0, maxRequests)
}
