import { matchSadPath } from '../../core/sad-path/backend-endpoint.ts'
import { type CreateFeature, fullUrl } from './feature.ts'

/** A sad path may be for a request without a route. */
export const sadPaths: CreateFeature = ({ options, rulesNow }) => {
  const paths = { graphql: options.graphql, bases: rulesNow().bases }
  return {
    find({ state }, table, req) {
      const match = matchSadPath(state, req.method ?? 'GET', fullUrl(req), req, paths)
      return match && { kind: 'endpoint', match, table }
    },
  }
}
