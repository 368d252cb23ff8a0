import { defaultGraphQL } from '../core/graphql/settings.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { compareTexts, isRecord } from '../core/values/values.ts'
import { freeName, slug } from './endpoint-path.ts'
import type { Exchange, WriteOptions, WrittenFile, WrittenFixtures } from './exchange/exchange.ts'
import { compareNaturally, Omissions } from './omissions.ts'
import { createExchangeReader, type ReadExchange } from './exchange/read-exchange.ts'
import { Replay } from './exchange/replay.ts'
import { getOrMake, groupBy } from '../core/values/collections.ts'
import { selectorsOf, type WrittenRoute } from './default-route.ts'
import type { PageAnswer } from './pages/find-pages.ts'
import { recordedCookie } from './recorded-cookie.ts'
import { longestJson } from './write-answer.ts'
import { readAnswered, writeRoutes } from './write-routes.ts'
import { writeYaml } from './write-yaml.ts'

/**
 * Fixture files that answer requests as they were answered: one for each endpoint, and for each GraphQL operation.
 *
 * - Ids in a path are parameters: `/orders/7` and `/orders/8` are the endpoint `/orders/:id`.
 * - `when` has the parameters, the query and, with GraphQL, the operation and the variables of a query. Of other bodies it
 *   has as few fields as tell the requests apart.
 * - Each endpoint and operation has a default route, if one of its answers is not an error.
 * - No operation of GraphQL or JSON-RPC answers for another one, and no page of a list.
 * - Different answers to equal requests are a sequence, unless a credential or a header tells them apart.
 * - A list whose pages were all seen becomes `paginate`, if that gives the same bodies.
 * - Long bodies and bodies that are not text become separate files.
 * - `omitted` names the credentials and changing values that are left out, with the reasons.
 *
 * @param exchanges in the order of the recording
 */
export function writeFixtures(exchanges: readonly Exchange[], options: WriteOptions = {}): WrittenFixtures {
  const writer = new FixtureWriter(options)
  exchanges.forEach((exchange) => writer.add(exchange))
  return writer.write()
}

/** The exchanges of one file. */
class Unit {
  readonly exchanges: ReadExchange[] = []
  answered: PageAnswer[] = []
  /** The most bytes of JSON in the file, with which `answered` was read. */
  longest = 0
  omissions = new Omissions()
  routes: WrittenRoute[] = []
  /** Texts of routes by what they are made of. */
  texts = new Map<string, string>()
  isChanged = true
  names = ''
  files: WrittenFile[] = []

  constructor(readonly key: string) {}
}

/** Units that share a path and a method: one of their routes may hide another. */
class UnitsOfEndpoint {
  readonly units = new Map<string, Unit>()
  order = ''
  selected = new Set<WrittenRoute>()
  /** The number of exchanges that are answered as they were. */
  answered = 0
  omissions = new Omissions()
}

const ofGet = 'a HEAD request is answered by the GET route, without its body'

/** Writes as `writeFixtures` does, while exchanges are added: what has no new ones is the same object as before. */
export class FixtureWriter {
  readonly #graphqlPaths: readonly string[]
  readonly #skipped = new Omissions()
  readonly #read: (exchange: Exchange) => ReadExchange[]
  readonly #origins = new Map<string, string>()
  readonly #cookies = new Set<string>()
  readonly #endpoints = new Map<string, UnitsOfEndpoint>()

  constructor(options: WriteOptions) {
    this.#graphqlPaths = options.graphqlPaths ?? defaultGraphQL.paths
    this.#read = createExchangeReader(options, this.#skipped)
  }

  add(exchange: Exchange): void {
    for (const read of this.#read(exchange)) {
      const { where, origin } = read
      const first = getOrMake(this.#origins, where, () => origin)
      if (first !== origin) {
        this.#skipped.add(`a request to ${origin}`, `${first} has answers for the same path`, where)
        continue
      }
      const endpoint = getOrMake(this.#endpoints, where, () => new UnitsOfEndpoint())
      this.#noticeCookies(read)
      const key = `${read.path.template}\n${read.method}\n${read.operationName ?? ''}`
      const unit = getOrMake(endpoint.units, key, () => new Unit(key))
      unit.exchanges.push(read)
      unit.isChanged = true
    }
  }

  /** A cookie may decide about requests of other endpoints. */
  #noticeCookies({ responseHeaders }: ReadExchange): void {
    for (const [header, value] of responseHeaders) {
      const name = /^set-cookie$/i.test(header) ? recordedCookie(value)?.name : undefined
      if (name === undefined || this.#cookies.has(name)) continue
      this.#cookies.add(name)
      for (const { units } of this.#endpoints.values())
        for (const unit of units.values())
          unit.isChanged ||= unit.answered.some(({ secrets }) =>
            [...secrets.values()].some(({ source, key }) => source === 'cookies' && key === name),
          )
    }
  }

  /** Selectors may have patterns: wait for `loadPatterns` first. */
  write(): WrittenFixtures {
    const names = new Map<string, number>()
    const bases = new Map<Unit, string>()
    const omissions = new Omissions()
    const endpoints = [...this.#endpoints].filter(([where, { units }]) => {
      if (!where.startsWith('HEAD ') || !this.#endpoints.has(where.replace('HEAD', 'GET'))) return true
      for (const { exchanges } of units.values()) omissions.add('a request', ofGet, where, exchanges.length)
      return false
    })
    const units = endpoints.flatMap(([, { units }]) => [...units.values()])
    for (const unit of units.sort((a, b) => compareNaturally(a.key, b.key)))
      bases.set(unit, unit.exchanges[0]!.saved?.file ?? freeFile(fileName(unit.exchanges[0]!), '', names))
    const byBase = (a: Unit, b: Unit) => compareTexts(`${bases.get(a)}.yaml`, `${bases.get(b)}.yaml`)
    let answered = 0
    for (const [where, endpoint] of endpoints)
      try {
        answered += this.#select(endpoint, [...endpoint.units.values()].sort(byBase), bases)
      } catch (error) {
        // The other endpoints of a recording must not be lost with it.
        endpoint.selected = new Set()
        endpoint.omissions.add('an endpoint', `it can't be written: ${reasonOf(error)}`, where)
      }
    omissions.addAll(this.#skipped)
    for (const [, endpoint] of endpoints) omissions.addAll(endpoint.omissions)
    const files = units.sort(byBase).flatMap((unit) => {
      omissions.addAll(unit.omissions)
      const { selected } = this.#endpoints.get(unit.exchanges[0]!.where)!
      const kept = unit.routes.filter((route) => selected.has(route))
      return writeUnit(unit, kept, bases.get(unit)!, names)
    })
    return {
      files: joined(files).sort((a, b) => compareTexts(a.path, b.path)),
      omitted: omissions.list(),
      answered,
    }
  }

  /** @param units in the order in which their files are read: it decides which route is the first */
  #select(endpoint: UnitsOfEndpoint, units: readonly Unit[], bases: ReadonlyMap<Unit, string>): number {
    const order = units.map((unit) => bases.get(unit)).join('\n')
    const isChanged = units.some((unit) => unit.isChanged)
    if (!isChanged && order === endpoint.order) return endpoint.answered
    for (const unit of units) if (unit.isChanged) this.#writeRoutes(unit)
    endpoint.order = order
    endpoint.omissions = new Omissions()
    const routes = units.flatMap((unit) => unit.routes)
    Object.assign(endpoint, findSelected(routes, this.#graphqlPaths, endpoint.omissions))
    for (const unit of units) unit.names = '' // other routes may be kept
    return endpoint.answered
  }

  #writeRoutes(unit: Unit): void {
    const { exchanges } = unit
    const longest = longestJson(exchanges)
    if (longest !== unit.longest) Object.assign(unit, { longest, answered: [], omissions: new Omissions() })
    const { answered, omissions } = unit
    for (let index = answered.length; index < exchanges.length; index++)
      answered.push(readAnswered(exchanges[index]!, index, longest, omissions))
    unit.routes = writeRoutes(answered, this.#graphqlPaths, this.#cookies)
    unit.isChanged = false
  }
}

function writeUnit(unit: Unit, kept: readonly WrittenRoute[], base: string, names: Map<string, number>) {
  if (kept.length === 0) return []
  const bodies = kept.flatMap((route) => writeBodies(route, base, names))
  const used = [base, ...bodies.map(({ path }) => path)].join('\n')
  if (used === unit.names) return unit.files
  const written = kept.map(({ definition, note }) => {
    const key = JSON.stringify([definition, note])
    return [key, unit.texts.get(key) ?? writeYaml([definition], [note])] as const
  })
  const content = written.map(([, text]) => text).join('\n')
  const file = { path: `${base}.yaml`, content, routes: kept.length, bodies: bodies.map(({ path }) => path) }
  return Object.assign(unit, { texts: new Map(written), names: used, files: [...bodies, file] }).files
}

/** Several endpoints may share a file. */
function joined(files: readonly WrittenFile[]): WrittenFile[] {
  return [...groupBy(files, ({ path }) => path).values()].map((same) => {
    const [first] = same as [WrittenFile]
    if (same.length === 1) return first
    return {
      path: first.path,
      content: same.map(({ content }) => content).join('\n'),
      routes: same.reduce((sum, { routes }) => sum + routes, 0),
      bodies: same.flatMap(({ bodies = [] }) => bodies),
    }
  })
}

function fileName({ method, path, graphql, operationName }: ReadExchange): string {
  const words = slug(path.template.replace(/^https?:/, '')) || 'index'
  if (operationName !== undefined) return `${words}-${slug(operationName) || 'operation'}`
  return method === 'GET' || graphql ? words : `${words}.${method.toLowerCase()}`
}

function freeFile(name: string, extension: string, taken: Map<string, number>): string {
  return freeName(`${name}${extension}`, taken, (number) => `${name}-${number}${extension}`)
}

function writeBodies({ definition, files }: WrittenRoute, base: string, names: Map<string, number>) {
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

/** Routes that answer the requests from which they were made. */
function findSelected(
  routes: readonly WrittenRoute[],
  graphqlPaths: readonly string[],
  omissions: Omissions,
): { selected: Set<WrittenRoute>; answered: number } {
  const replay = new Replay(selectorsOf(routes), graphqlPaths)
  const selected = new Set<WrittenRoute>()
  let answered = 0
  for (const [index, route] of routes.entries()) {
    const isSwitched = route.definition.scenario !== undefined // no request alone selects it
    if (route.exchanges.length === 0 || isSwitched) selected.add(route)
    answered -= route.exchanges.length === 0 ? 0 : (route.lost?.exchanges.length ?? 0)
    for (const { where } of route.lost?.exchanges ?? []) omissions.add('an answer', route.lost!.why, where)
    for (const { request, method, where } of route.exchanges) {
      if (isSwitched || replay.select(request, method) === index) {
        selected.add(route)
        answered++
      } else omissions.add('a request', 'another route has the same path or selector', where)
    }
  }
  return { selected, answered }
}
