import type { CollectionOperation, Collections } from '../collection/collection.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ResultResponse } from '../graphql/result.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { AddedError } from '../schema/fault-schema.ts'
import type { Fail } from '../schema/fail-schema.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import type { PatchEntry } from '../values/patch.ts'
import type { Route } from '../fixture/route.ts'
import type { RequestValue } from '../request-values/compile-values.ts'
import type { ValueSource } from '../request-values/read-value.ts'
import type { ModelName } from '../stream/models/models.ts'
import type { CompiledSocket } from '../stream/compile-socket.ts'
import type { PagedList } from '../paginate/paginate.ts'
import type { IndexedEquality } from '../select/selector.ts'
import type { GraphQLEndpoint } from '../graphql/settings.ts'

export type RouteResponse =
  | (SingleResponse & FromFixture)
  | { kind: 'sequence'; parts: readonly (SingleResponse & FromFixture)[]; repeats: boolean }
  /** `listFor` makes it for each request, if it has values of the request. */
  | ({
      kind: 'paged'
      list: PagedList
      listFor?: (given: ValueSource) => PagedList
      readsBody?: boolean
    } & FromFixture)
  | ({
      kind: 'collection'
      operation: CollectionOperation
      /** Headers, delay and fault of every answer. */
      response: FixtureResponse
      readsBody: boolean
    } & FromFixture)
  | { kind: 'websocket'; socket: CompiledSocket; handshake: PreparedResponse }
  | { kind: 'broken'; diagnostic: Diagnostic }

export interface FromFixture {
  /** The response as it is written; absent for a function. */
  given?: FixtureResponse
  /** Some requests get one of these instead, or the response with its fault. */
  fails?: readonly CompiledFail[] | undefined
}

export interface CompiledFail extends Pick<Fail, 'share' | 'calls' | 'fault'> {
  /** The answer, perhaps with values of the request. */
  value?: unknown
}

export type SingleResponse =
  | { kind: 'static'; prepared: PreparedResponse }
  | { kind: 'result'; definition: ResultResponse; part: number }
  | { kind: 'values'; value: RequestValue; readsBody: boolean }
  | {
      kind: 'stream'
      definition: FixtureResponse | RequestValue
      readsBody: boolean
      /** The API of a language model. */
      model: ModelName | undefined
    }
  | { kind: 'function'; respond: ResponseFunction }
  | {
      kind: 'backend'
      patch: readonly PatchEntry[]
      changesFor: (given: ValueSource) => AnswerChanges
      readsBody: boolean
    }

/** A change of an item before the response is made. */
export interface CompiledWrite {
  collection: string
  does: 'create' | 'update' | 'replace' | 'delete'
  /** `{ id, set }`, perhaps with values of the request. */
  value: unknown
  readsBody: boolean
}

export interface AnswerChanges extends Pick<
  FixtureResponse,
  'status' | 'delay' | 'fault' | 'patchErrors' | 'then'
> {
  headers: NonNullable<FixtureResponse['headers']>
  patch: readonly PatchEntry[]
  errors: readonly AddedError[]
}

type RouteParts =
  'selector' | 'source' | 'textType' | 'shape' | 'navigation' | 'rateLimit' | 'scenarios' | 'then'

export interface CompiledRoute extends Pick<Route, RouteParts> {
  /** The precedence within an endpoint: the lower number first, from 0. */
  order: number
  /** `GET /items #` with the name, or what the selector hashes to, so that edits of other routes do not change it. */
  id: string
  name: string
  write?: CompiledWrite | undefined
  response: RouteResponse
}

export interface RouteSet {
  index: RouteIndex
  defaultRoute: CompiledRoute | undefined
  /** GraphQL: the lowest `order` of a route whose selector reads the document. */
  firstByDocument?: number
  needsBody: boolean
}

/** A method and a path. As a route set, it has the routes without a scenario. */
export interface Endpoint extends RouteSet {
  method: string
  path: string
  /** `undefined` when the path is not a GraphQL endpoint. */
  graphql: GraphQLEndpoint | undefined
  /** All routes, including those of inactive scenarios. */
  routes: readonly CompiledRoute[]
  byScenario?: ReadonlyMap<string, RouteSet>
  /** Only in the endpoint of a matched request. */
  active?: ActiveRoutes
}

export interface ActiveRoutes {
  scenarios: readonly string[]
  /** One per path, the most specific first. */
  sets: readonly RouteSet[]
  /** The lowest `order` among all sets of a route whose selector reads the document. */
  firstByDocument?: number
}

export interface RouteTable {
  readonly endpoints: readonly Endpoint[]
  readonly routeCount: number
  readonly collections: Collections
  /** Whether a route asks the backend, which then needs the request's body. */
  readonly asksBackend: boolean
  /** Other origins that routes have, those without a wildcard first. */
  readonly origins: readonly string[]
  /** Channels that `on: { push }` names. */
  readonly channels: readonly string[]
  readonly hasSockets: boolean
  readonly hasSubscriptions: boolean
  /** `undefined` if a path can begin with any segment. `find` is only asked about these. */
  readonly firstSegments: ReadonlySet<string> | undefined
  readonly find: Find
  /** Absent if no route has a scenario. */
  readonly scenarios?: ScenarioTable
}

export interface ScenarioTable {
  readonly names: readonly string[]
  readonly find: Find
  /** `undefined` when no route has the scenario. */
  readonly findIn: (scenario: string) => Find | undefined
}

export type Find = (method: string, path: string) => FoundEndpoint | undefined

export interface FoundEndpoint {
  data: Endpoint
  params?: Record<string, string>
}

/**
 * Groups of routes with the same fields in their equalities, each with a map from values to routes: a request costs one
 * lookup per group. Routes without equalities form one group, which is tested for every request.
 */
export type RouteIndex = Group[]

export interface Group {
  fields: readonly Omit<IndexedEquality, 'key'>[]
  buckets: Map<string, CompiledRoute[]>
}
