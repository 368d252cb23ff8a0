import { defaultGraphQL } from '../core/graphql/settings.ts'
import { isRecord } from '../core/values/values.ts'
import { freeName, slug } from './endpoint-path.ts'
import type { Exchange, WriteOptions, WrittenFile, WrittenFixtures } from './exchange.ts'
import { compareText, Omissions } from './omissions.ts'
import { readExchanges, type ReadExchange } from './read-exchange.ts'
import { Replay } from './replay.ts'
import { groupBy } from '../core/values/collections.ts'
import type { WrittenRoute } from './default-route.ts'
import { writeRoutes } from './write-routes.ts'
import { writeYaml } from './write-yaml.ts'

/**
 * Fixture files that answer requests as they were answered: one for each endpoint, and for each GraphQL operation.
 *
 * - Ids in a path are parameters: `/orders/7` and `/orders/8` are the endpoint `/orders/:id`.
 * - `when` has the parameters, the query and, with GraphQL, the operation and the variables of a query. Of other bodies it
 *   has as few fields as tell the requests apart.
 * - Each endpoint and operation has a default route, if one of its answers is not an error.
 * - Different answers to equal requests are a sequence.
 * - A list whose pages were all seen becomes `paginate`, if that gives the same bodies.
 * - Bodies that are long or not text are files beside.
 * - `omitted` names the credentials and changing values that are left out, with the reasons.
 *
 * @param exchanges in the order of the recording
 */
export function writeFixtures(exchanges: readonly Exchange[], options: WriteOptions = {}): WrittenFixtures {
  const omissions = new Omissions()
  const read = ofOneOrigin(readExchanges(exchanges, options, omissions), omissions)
  const names = new Set<string>()
  const { graphqlPaths = defaultGraphQL.paths } = options
  const units = [...groupBy(read, unitKey)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, same]) => {
      const base = freeFile(fileName(same[0]!), '', names)
      return { base, path: `${base}.yaml`, routes: writeRoutes(same, graphqlPaths, omissions) }
    })
    .sort(byPath) // as they are read: it decides which route is the first
  const all = units.flatMap(({ routes }) => routes)
  const selected = findSelected(all, graphqlPaths, omissions)
  const files: WrittenFile[] = []
  for (const { base, path, routes } of units) {
    const kept = routes.filter((route) => selected.has(route))
    if (kept.length === 0) continue
    for (const route of kept) files.push(...writeBodies(route, base, names))
    const content = writeYaml(
      kept.map(({ definition }) => definition),
      kept.map(({ note }) => note),
    )
    files.push({ path, content, routes: kept.length })
  }
  return { files: files.sort(byPath), omitted: omissions.list() }
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1
}

function unitKey({ method, path, request }: ReadExchange): string {
  const operation = request.graphql ? (request.operationName ?? '') : ''
  return `${path.template}\n${method}\n${operation}`
}

function fileName({ method, path, request }: ReadExchange): string {
  const words = slug(path.template) || 'index'
  if (!request.graphql) return method === 'GET' ? words : `${words}.${method.toLowerCase()}`
  const { operationName } = request
  return operationName === undefined ? words : `${words}-${slug(operationName) || 'operation'}`
}

function freeFile(name: string, extension: string, taken: Set<string>): string {
  return freeName(`${name}${extension}`, taken, (number) => `${name}-${number}${extension}`)
}

function writeBodies({ definition, files }: WrittenRoute, base: string, names: Set<string>): WrittenFile[] {
  const { params, query, variables, body } = definition.when ?? {}
  const words = slug(JSON.stringify([params, query, variables, body].flatMap(valuesOf)))
  return files.map(({ answer, bytes, extension }) => {
    const path = freeFile([base, words].filter(Boolean).join('-'), `.${extension}`, names)
    Object.assign(answer, { file: path })
    return { path, content: bytes, routes: 0 }
  })
}

function valuesOf(condition: unknown): unknown[] {
  return isRecord(condition) ? Object.values(condition) : [condition ?? '']
}

function ofOneOrigin(exchanges: readonly ReadExchange[], omissions: Omissions): ReadExchange[] {
  const origins = new Map<string, string>()
  return exchanges.filter(({ where, origin }) => {
    const first = origins.get(where)
    if (first === undefined) origins.set(where, origin)
    if (first === undefined || first === origin) return true
    omissions.add(`a request to ${origin}`, `${first} has answers for the same path`, where)
    return false
  })
}

/** Only the routes that answer the requests from which they were made. */
function findSelected(
  routes: readonly WrittenRoute[],
  graphqlPaths: readonly string[],
  omissions: Omissions,
): Set<WrittenRoute> {
  // Answers don't select, and take long to prepare.
  const definitions = routes.map(({ definition: { method, path, when } }) => ({
    method,
    path,
    when,
    response: {},
  }))
  const replay = new Replay(definitions, graphqlPaths)
  const selected = new Set<WrittenRoute>()
  for (const [index, route] of routes.entries()) {
    for (const { request, method, where } of route.exchanges) {
      if (replay.select(request, method) === index) selected.add(route)
      else omissions.add('a request', 'another route has the same path or selector', where)
    }
  }
  return selected
}
