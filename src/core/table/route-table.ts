import type { ParsedRequest } from '../request/parsed-request.ts'
import type { Prefilter } from './prefilter.ts'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import type { ResultResponse } from '../graphql/result.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { RateLimit } from '../schema/fault-schema.ts'
import type { Navigation, ResponseFunction } from '../schema/schema.ts'
import type { PagedList } from '../paginate/paginate.ts'
import type { IndexedEquality, Selector } from '../select/selector.ts'
import type { GraphQLEndpoint } from '../graphql/endpoint.ts'

/**
 * How a route answers: with prepared bytes, with a body that depends on the GraphQL operation, with a part of a list, in
 * code, or, where the route has an error, with its diagnostic.
 */
export type Answer =
  | { kind: 'static'; response: PreparedResponse }
  | { kind: 'result'; response: ResultResponse }
  | { kind: 'paged'; list: PagedList }
  | { kind: 'function'; respond: ResponseFunction }
  | { kind: 'broken'; diagnostic: Diagnostic }

export interface CompiledRoute {
  /** Unique among the tables of one compiler. Of the routes of an endpoint, the one with the lower number is tried first. */
  order: number
  name: string
  selector: Selector | undefined
  answer: Answer
  source: SourceLocation
  /** GraphQL: whether `data` is cut to the selection, where the route says so. */
  shape?: boolean
  /** GraphQL: whether its selector looks at `extensions`, where a persisted query has its hash. */
  isByExtensions?: boolean
  /** Who answers a navigation, where the route says so, or the option says that it is the application. */
  navigation?: Navigation
  /** How often it answers, where that is limited. */
  rateLimit?: RateLimit
}

/** Finds the routes that are the nearest to a request that none of them answers, in the order in which they are tried. */
export type FindNearest = (request: ParsedRequest) => readonly CompiledRoute[]

/** All routes that share a method and a path. */
export interface Endpoint {
  method: string
  path: string
  /** `undefined` where the path is not the GraphQL endpoint's. */
  graphql: GraphQLEndpoint | undefined
  /** Whether some selector or function of it looks at the request's body. */
  needsBody: boolean
  routes: CompiledRoute[]
  defaultRoute: CompiledRoute | undefined
  /** GraphQL: the place (`order`) of the first route whose selector looks at the document, if there is one. */
  firstByDocument?: number
  index: RouteIndex
  /** For the explanation of a request that no route answers. */
  findNearest: FindNearest
}

/** What fixture files compile to. Never changed: a reload puts another one in its place. */
export interface RouteTable {
  readonly endpoints: readonly Endpoint[]
  readonly routeCount: number
  /** Tells most of what is not ours; what it lets through is for `find` to decide. */
  readonly prefilter: Prefilter
  readonly find: (method: string, path: string) => Found | undefined
}

export interface Found {
  data: Endpoint
  params?: Record<string, string>
}

/**
 * The index of one endpoint: its routes grouped by which fields their equalities name, and in each group one map from
 * the values to the routes that want them. So a request costs one look-up for each group, however many routes there
 * are; only the routes of the bucket that it falls into are tested one by one.
 *
 * Routes without equalities (operators, predicates) form the group of no fields, whose one bucket every request
 * falls into.
 */
export type RouteIndex = Group[]

export interface Group {
  fields: readonly Omit<IndexedEquality, 'key'>[]
  /** In the order of the routes. */
  buckets: Map<string, CompiledRoute[]>
}
