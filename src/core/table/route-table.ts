import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import type { ResultResponse } from '../graphql/result.ts'
import type { Overlay } from '../response/overlay.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { RateLimit } from '../schema/fault-schema.ts'
import type { Navigation, ResponseFunction } from '../schema/schema.ts'
import type { PagedList } from '../paginate/paginate.ts'
import type { IndexedEquality, Selector } from '../select/selector.ts'
import type { GraphQLEndpoint } from '../graphql/settings.ts'

/**
 * The response of a route: prepared bytes, a body that depends on the GraphQL operation, a page of a list, what a function
 * returns, a sequence of these, or, if the route has an error, its diagnostic.
 */
export type RouteResponse =
  | SingleResponse
  | { kind: 'sequence'; parts: readonly SingleResponse[]; repeats: boolean }
  | { kind: 'paged'; list: PagedList }
  | { kind: 'broken'; diagnostic: Diagnostic }

export type SingleResponse =
  | { kind: 'static'; prepared: PreparedResponse }
  /** `part` is its number in a sequence. */
  | { kind: 'result'; definition: ResultResponse; part: number }
  | { kind: 'function'; respond: ResponseFunction }
  /** The backend's answer, changed. */
  | { kind: 'backend'; overlay: Overlay }

export interface CompiledRoute {
  /** Of the routes of an endpoint, the one with the lower number is tried first. */
  order: number
  name: string
  selector: Selector | undefined
  response: RouteResponse
  source: SourceLocation
  /** The content type of text that a function returns; absent for plain text. */
  textType?: string | undefined
  /** GraphQL: whether `data` is cut to the selection; `undefined` for the option's value. */
  shape?: boolean | undefined
  /** Who answers a navigation, if the route says so, or if the option leaves it to the application. */
  navigation?: Navigation | undefined
  /** Its rate limit, if it has one. */
  rateLimit?: RateLimit | undefined
  /** The scenarios in which it answers; absent if it always does. */
  scenarios?: readonly string[] | undefined
}

/** Routes of an endpoint that are there together: those without a scenario, or those of active scenarios. */
export interface RouteSet {
  index: RouteIndex
  defaultRoute: CompiledRoute | undefined
  /** GraphQL: the `order` of the first route whose selector reads the document, if there is one. */
  firstByDocument?: number
  /** Whether any of its selectors or functions reads the request's body. */
  needsBody: boolean
}

/** All routes that share a method and a path. As a set of routes, it has those without a scenario. */
export interface Endpoint extends RouteSet {
  method: string
  path: string
  /** `undefined` when the path is not a GraphQL endpoint. */
  graphql: GraphQLEndpoint | undefined
  /** All of them, also those of scenarios that are not active. */
  routes: readonly CompiledRoute[]
  /** Its routes in each scenario; absent if it has none in any. */
  byScenario?: ReadonlyMap<string, RouteSet>
  /** The routes of active scenarios, which come first. Only in the endpoint that a request was matched with. */
  active?: ActiveRoutes
}

/** The routes of the scenarios that are active for a request. */
export interface ActiveRoutes {
  scenarios: readonly string[]
  /** One for each path, the most specific first. */
  sets: readonly RouteSet[]
  /** GraphQL: as in a set of routes, for all of them. */
  firstByDocument?: number
}

/** What fixture files compile to. It is immutable: a reload replaces it. */
export interface RouteTable {
  readonly endpoints: readonly Endpoint[]
  readonly routeCount: number
  /** Whether any route asks the backend, which then needs the request's body. */
  readonly asksBackend: boolean
  /** Those of all paths; `undefined` if a path can begin with any. `find` is only asked about these. */
  readonly firstSegments: ReadonlySet<string> | undefined
  /** Finds an endpoint with a route that is always there. */
  readonly find: Find
  /** Absent if no route has a scenario. */
  readonly scenarios?: ScenarioTable
}

/** The routes that are there in some scenarios only. */
export interface ScenarioTable {
  /** In the order of the routes. */
  readonly names: readonly string[]
  /** Finds an endpoint that has routes in any scenario. */
  readonly find: Find
  /** Finds an endpoint that has routes in one scenario; `undefined` when no route has it. */
  readonly findIn: (scenario: string) => Find | undefined
}

/** Finds the endpoint of a request by its method and path. */
export type Find = (method: string, path: string) => Found | undefined

export interface Found {
  data: Endpoint
  params?: Record<string, string>
}

/**
 * The index of one endpoint: its routes grouped by which fields their equalities name, and in each group one map from
 * the values to the routes that want them. So a request costs one lookup per group, however many routes there
 * are; only the routes in its bucket are tested one by one.
 *
 * Routes without equalities (operators, predicates) form the group without fields, whose single bucket is tested for every
 * request.
 */
export type RouteIndex = Group[]

export interface Group {
  fields: readonly Omit<IndexedEquality, 'key'>[]
  /** In the order of the routes. */
  buckets: Map<string, CompiledRoute[]>
}
