import { SadPaths } from '../sad-paths.ts'
import type { ApiHandlers, InspectedServer, Site } from './context.ts'
import { findEntry } from './explain-route.ts'
import { HttpError } from './json.ts'
import { readLimit } from './requests.ts'

/** More do not help to find out what a page does. */
const defaultLimit = 100

export function createSadPathLister(server: InspectedServer): ApiHandlers['GET /sad-paths'] {
  return async ({ query, site }) => {
    const [request, route] = [query.get('request'), query.get('route')]
    if ((request === null) === (route === null))
      throw new HttpError(
        400,
        'api-parameter-invalid',
        'Either "request" or "route" is needed.',
        'Ask for sad-paths?request=7 with the id of a request, or for sad-paths?route=… with that of a route.',
      )
    const limit = readLimit(query, defaultLimit)
    const all =
      request === null
        ? await listOfRoute(server, site, route!)
        : await new SadPaths(server, site).ofRequest(findEntry(server, request))
    return { sadPaths: all.slice(0, limit), more: Math.max(0, all.length - limit) }
  }
}

async function listOfRoute(server: InspectedServer, site: Site, id: string) {
  const { endpoints } = server.store.current!.table
  const endpoint = endpoints.find(({ routes }) => routes.some((one) => one.id === id))
  const route = endpoint?.routes.find((one) => one.id === id)
  if (!endpoint || !route)
    throw new HttpError(404, 'api-route-unknown', `No route has the id "${id}".`, 'GET routes lists the ids.')
  const found = await new SadPaths(server, site).ofRoute(endpoint, route)
  if (found) return found.sadPaths
  throw new HttpError(
    409,
    'api-answer-unknown',
    `What "${route.name}" answers is not known yet.`,
    'Send a request that it answers, and ask again.',
  )
}
