import * as v from 'valibot'
import { sadPathKinds } from '../../core/sad-path/sad-path.ts'
import { DiagnosticInfo } from './api-requests.ts'
import { json, names, position, text, whole } from './shapes.ts'

/* The shapes of routes, of what is wrong with them, and of sad paths. */

export const RouteInfo = v.strictObject({
  /**
   * Unique, and the same after edits of other routes: method, path, and the name, as in `GET /items #sold out`; without a name,
   * `default` or a hash of selector and scenario.
   */
  id: text,
  name: text,
  method: text,
  path: text,
  /** The route's `when`; a predicate is the string `[function]`. Secret values are replaced. Absent for a default route. */
  when: v.exactOptional(json),
  scenarios: names,
  /** Kind of answer. `values` is a response with values of the request. */
  answers: v.picklist([
    'static',
    'values',
    'graphql',
    'paginate',
    'stream',
    'collection',
    'function',
    'backend',
    'websocket',
    'sequence',
    'error',
  ]),
  /** Number of pages, for a list in numbered pages. The terminal counts each as a route. */
  pages: v.exactOptional(whole),
  /** Absent where it depends on the request, or on the turn. */
  status: v.exactOptional(whole),
  /** Delay as the fixture has it: milliseconds, or a range. */
  delay: v.exactOptional(json),
  fault: v.exactOptional(json),
  isGraphQL: v.boolean(),
  isTemplate: v.boolean(),
  /** Number of requests that the route has answered since its file was loaded, or since the last reset. */
  hits: whole,
  ...position,
})

export const RouteList = v.strictObject({
  /** Endpoint by endpoint, in the order in which they are tried. */
  routes: v.array(RouteInfo),
  /** Path before that of each route, as in a page of the application; empty without the option `base`. */
  base: text,
})

const coverage = v.strictObject({
  /** `route` answers like that by itself, `scenario` when it is active; `client` has had it, as a test has. */
  by: v.picklist(['route', 'scenario', 'client']),
  name: text,
  ...position,
})

export const SadPath = v.strictObject({
  /** Id that is the same in each run: `POST /graphql Hero #null hero.friends[].name`. */
  id: text,
  /** `hero.friends[1].name is null, with an error` */
  title: text,
  /** Kind of what goes wrong. */
  kind: v.picklist(sadPathKinds),
  /** `GET /orders/:id`; of GraphQL with the operation: `POST /graphql Hero`. */
  request: text,
  /** HTTP method in capitals. */
  method: text,
  /** Path as the route has it: `/orders/:id`. */
  path: text,
  /** GraphQL: the name of the operation. */
  operationName: v.exactOptional(text),
  /** Routes, scenarios and clients that already show what goes wrong. */
  coveredBy: v.exactOptional(v.array(coverage)),
})

export const SadPathList = v.strictObject({
  /** One of each kind first, then the second of each, and so on. */
  sadPaths: v.array(SadPath),
  /** Number of sad paths that are not listed. */
  more: whole,
})

export const DiagnosticList = v.strictObject({ diagnostics: v.array(DiagnosticInfo) })

export const OpenFile = v.strictObject({ ...position, file: text })

export const ApiError = v.strictObject({ error: v.strictObject({ message: text, code: text, fix: text }) })
export const OpenedFile = v.strictObject({ opened: text })

/** Empty without the option `graphql.schema`. */
export const GraphQLSchema = v.strictObject({ sdl: text })
