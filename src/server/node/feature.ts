import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { BackendSite } from '../../backend/backend.ts'
import type { Reality } from '../../backend/reality.ts'
import type { RecordingSwitch } from '../../backend/recording-switch.ts'
import type { Decision } from '../../core/answer/decision.ts'
import type { FoundRequest } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { Connection, OriginPolicy } from '../../core/http/origin.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import type { Journal } from '../../inspector/journal.ts'
import type { OpenAnswers } from '../../wire/node/open-answers.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { isSecure } from '../../wire/node/this-machine.ts'
import { addHooks, noHooks, type Feature, type FeatureHooks } from '../feature.ts'
import { features } from '../features.ts'
import type { AnsweringHost } from '../handle-request.ts'
import type { RequestNotes } from '../journal/request-notes.ts'

export interface ServedInspector {
  journal: Journal
  /** Servers that show it. */
  servers: Set<Server>
  /** Called for every request of the dev server. */
  isFor: (url: string) => boolean
  serve: (req: IncomingMessage, res: ServerResponse, next: Next) => void
}

export interface UpgradePolicy {
  /** Pages and host names that may open WebSockets: for an upgrade, no check of the host has run. */
  origins: OriginPolicy
  /** Whether it is the host's own socket, such as that of hot reload. */
  isOfHost?: ((req: IncomingMessage) => boolean) | undefined
}

export interface NodeHost extends AnsweringHost {
  options: ResolvedOptions
  store: FixtureStore
  rulesNow: () => Rules
  open: OpenAnswers
  recording: RecordingSwitch
  reality: Reality
  site: BackendSite
  /** `undefined` where requests are not shown. */
  inspector: ServedInspector | undefined
  graphiql: () => PreparedResponse
  /** The origins of all mock servers of the host, for its pages. `undefined` where pages ask only the host itself. */
  originsNow: (() => readonly string[]) | undefined
  sockets: UpgradePolicy
  hooks: FeatureHooks<NodeFeature>
}

/** A request that leaves the mock server, for the next handler or a third party. */
export interface Passing {
  req: IncomingMessage
  res: ServerResponse
  /** Runs last, after all steps. */
  next: Next
  /** URL as the client has sent it. */
  url: string
  /** Origin of a third party that a page asks; `''` for the server itself. */
  origin: string
  rules: Rules
  table: RouteTable
  /** `undefined` if no route has the path. */
  decision?: Decision
  notes?: RequestNotes | undefined
  received?: ReceivedBody | undefined
  /** Whether a route asks the next handler for its answer, which it changes. */
  isAsked?: boolean
}

export interface NodeFeature extends Feature {
  /** Called for a server before its first request is answered. @returns ends it */
  attach?: (server: Server) => () => void
  /** Sees every request of the dev server first. `true` answers it. Synchronous, and cheap for what is not its own. */
  arrive?: (req: IncomingMessage, res: ServerResponse, next: Next) => boolean
  /** Finds an endpoint for a request that no route has the path of. */
  find?: (rules: Rules, table: RouteTable, req: IncomingMessage) => FoundRequest | undefined
  /** A step of every way out: it calls `next`, or answers itself. */
  pass?: (passing: Passing, next: Next) => void
}

/** Features keep what they know of one server in a closure. */
export type CreateFeature = (host: NodeHost) => NodeFeature

export function noNodeHooks(): FeatureHooks<NodeFeature> {
  const hooks: FeatureHooks<NodeFeature> = { ...noHooks(), attach: [], arrive: [], find: [], pass: [] }
  for (const feature of features) addHooks<NodeFeature>(hooks, feature)
  return hooks
}

/** The one way out: through the steps, in their order. */
export function passOn(steps: FeatureHooks<NodeFeature>['pass'], passing: Passing, index = 0): void {
  const step = steps[index]
  if (!step) return passing.next()
  step(passing, (error) => (error === undefined ? passOn(steps, passing, index + 1) : passing.next(error)))
}

/** Servers that strip the mount path of a middleware keep the whole URL in `originalUrl`. */
export function fullUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? '/'
}

export function connectionOf(req: IncomingMessage, res: ServerResponse): Connection {
  return {
    isSecure: isSecure(req),
    allowedOrigin: res.getHeader('access-control-allow-origin')?.toString(),
  }
}

/** Another origin is its own backend. The headers of the option are secrets of its target. */
export function siteOfOrigin({ report }: Pick<BackendSite, 'report'>): BackendSite {
  return { report, proxy: undefined, hostBase: '', nextIsBackend: false, hasPages: false, isOrigin: true }
}

/** The path of a middleware, where the server strips it. */
export function mountOf(req: IncomingMessage): string {
  const [url, { url: own = '' }] = [fullUrl(req), req]
  return url.endsWith(own) ? url.slice(0, url.length - own.length) : ''
}

/** Address of the inspector below the host. With an id, of one request in it. */
export function inspectorPathOf({ site }: NodeHost, req: IncomingMessage, id?: number): string {
  // Nuxt has a base of assets alone.
  const base = req.url?.startsWith(`${site.hostBase}/`) ? site.hostBase : ''
  return `${mountOf(req)}${base}/${inspectorFolder}/${id === undefined ? '' : `#/requests/${id}`}`
}
