import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { waitOf } from '../../core/response/delay.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { errorResponse } from '../../core/answer/error-response.ts'
import type { Outcome } from '../../core/answer/outcome.ts'
import type { Limits } from '../../core/answer/limits.ts'
import { matchEndpoint, matchGraphQL, type EndpointMatch } from '../../core/table/match.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import { decideOrigin, type OriginPolicy } from '../../core/http/origin.ts'
import { withoutHeader } from '../../core/response/prepare-response.ts'
import { refuseUnreadable, type UnreadableBody } from '../../core/answer/refuse-body.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { decodeBody } from './decode-body.ts'
import { createGraphiQL, isNavigation } from './graphiql.ts'
import { createSimilarNotice } from './notice-similar.ts'
import type { OpenAnswers } from './open-answers.ts'
import { hasBody, peekBody, takeBody, type BodyResult } from './read-body.ts'
import { createReporter } from '../report.ts'
import { writeLater } from './write-fault.ts'
import { writeResponse } from './write-response.ts'
import { handle } from '../../core/answer/handle.ts'
import { matchPreflight } from '../../core/answer/preflight.ts'
import { preflightResponse } from '../../core/answer/preflight.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'

/** Hands a request on. An error goes to the host's error handler. */
export type Next = (error?: unknown) => void

/** A connect-style middleware function. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** One request for an endpoint of ours, on its way through the middleware. */
interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  next: Next
  match: EndpointMatch
  raw: RawRequest
  /** Headers that the answer gets besides its own, names and values in turn. */
  corsHeaders: readonly string[]
}

/** What all handlers of one set of fixtures share. */
export interface Running {
  limits: Limits
  open: OpenAnswers
}

const noHeaders: readonly string[] = []

/**
 * The middleware over `node:http`. What is not ours goes on in the same turn, untouched; only requests that come before
 * the fixtures are loaded wait.
 *
 * @param running what is counted, timed, and ended when the server closes
 * @param bases path prefixes below which the routes are
 * @param origins which pages and host names are answered; none where the host has decided that before
 */
export function createRequestHandler(
  store: FixtureStore,
  options: ResolvedOptions,
  { limits, open }: Running,
  bases: readonly string[],
  origins?: OriginPolicy,
): RequestHandler {
  const { logger, bodyLimit, routeHeader } = options
  const read = options.unmatched === 'passthrough' ? peekBody : takeBody
  const report = createReporter(logger)
  const noticeSimilar = createSimilarNotice(bases, report)
  const graphiql = options.graphql.graphiql ? createGraphiQL({ root: options.root, report }) : undefined

  // A name of its own, since `DEBUG=connect:*` shows it.
  return function mockApiMiddleware(req, res, next) {
    if (!store.current) {
      void store.ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
      return
    }
    const { table } = store.current
    // `req.headers` stays unread until the request is ours: it is a getter that builds the headers.
    const { method = 'GET', url = '/' } = req
    const visited =
      graphiql && isNavigation(method, req.headers) ? matchGraphQL(table, url, bases) : undefined
    const own = visited ?? matchEndpoint(table, method, url, bases)
    const match =
      own ??
      (origins && method === 'OPTIONS'
        ? matchPreflight(origins, table, method, url, req.headers, bases)
        : undefined)
    if (!match) {
      noticeSimilar(req, table)
      return next()
    }
    const { headers } = req
    const { endpoint, path, search } = match
    const raw: RawRequest = { method, url: fullUrl(req), path, search, headers, body: undefined }
    const exchange: Exchange = { req, res, next, match, raw, corsHeaders: noHeaders }
    if (origins) {
      const isSecure = (req.socket as Partial<TLSSocket>).encrypted === true
      const decision = decideOrigin(policyFor(res, origins), headers, isSecure)
      if (decision.refused) return refuse(exchange, decision.refused)
      exchange.corsHeaders = decision.headers
    }
    if (visited) return graphiql!(req, res)
    if (!own)
      return finish(exchange, { kind: 'answered', response: preflightResponse(table, endpoint, headers) })
    if (!endpoint.needsBody || !hasBody(req)) return decide(exchange)
    read(req, bodyLimit, (body) => takeIn(exchange, body))
  }

  function takeIn(exchange: Exchange, body: BodyResult): void {
    if (body.kind === 'aborted') return
    const { raw } = exchange
    const readable = body.kind === 'complete' ? decodeBody(body.bytes, raw.headers, bodyLimit) : body
    if (!('bytes' in readable)) return decide(exchange, readable)
    raw.body = readable.bytes // set, and not copied with the rest: a copy costs more than all of the matching
    decide(exchange)
  }

  /** Where the next in line may own the endpoint, a request that we don't answer is its request. */
  function refuse(exchange: Exchange, diagnostic: Diagnostic): void {
    if (options.unmatched === 'error') {
      const response = errorResponse(403, diagnostic, exchange.match.endpoint, exchange.raw)
      return finish(exchange, { kind: 'answered', response, diagnostic })
    }
    report(diagnostic)
    exchange.next()
  }

  function decide(exchange: Exchange, unreadable?: UnreadableBody): void {
    const { res, match, raw, next } = exchange
    try {
      const outcome = unreadable
        ? refuseUnreadable(match.endpoint, raw, unreadable)
        : handle(match, raw, limits)
      if (!(outcome instanceof Promise)) return finish(exchange, outcome)
      open.track(res)
      outcome
        .then((settled) => {
          open.forget(res)
          finish(exchange, settled)
        })
        .catch(next)
    } catch (error) {
      next(error) // a mistake of ours must not end the dev server
    }
  }

  function finish({ req, res, next, raw, corsHeaders }: Exchange, outcome: Outcome): void {
    if (outcome.kind === 'unmatched' && options.unmatched === 'passthrough') return next()
    const { response: named, diagnostic } = outcome.kind === 'answered' ? outcome : outcome.explain()
    const response = routeHeader ? named : withoutHeader(named, 'x-mock-route')
    if (diagnostic) report(diagnostic)
    if (!res.headersSent) {
      for (let i = 0; i < corsHeaders.length; i += 2) res.appendHeader(corsHeaders[i]!, corsHeaders[i + 1]!)
    }
    if (response.delay === 0 && response.fault === undefined) writeResponse(req, res, response)
    else writeLater(req, res, response, waitOf(response.delay, raw), open)
  }
}

/** Where a CORS middleware before us has decided already, its decision stands. */
function policyFor(res: ServerResponse, origins: OriginPolicy): OriginPolicy {
  return res.hasHeader('access-control-allow-origin') ? { ...origins, origins: 'off' } : origins
}

/** Where a server strips the path that we are mounted on, it keeps the whole of it here. */
function fullUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? '/'
}
