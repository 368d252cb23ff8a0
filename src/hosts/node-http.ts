import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Diagnostic } from '../core/diagnostics.ts'
import { errorResponse } from '../core/error-response.ts'
import { handle, refuseLargeBody, type Outcome } from '../core/handle.ts'
import { matchEndpoint, type EndpointMatch } from '../core/match.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { decideOrigin, matchPreflight, preflightResponse, type OriginPolicy } from '../core/origin.ts'
import type { RawRequest } from '../core/request.ts'
import type { PreparedResponse } from '../core/respond.ts'
import type { FixtureStore } from '../loader/fixture-store.ts'
import { createSimilarNotice } from './notice-similar.ts'
import { hasBody, readBody, restoreBody, takeBody } from './read-body.ts'
import { createReporter } from './report.ts'

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

const noHeaders: readonly string[] = []

/**
 * The middleware over `node:http`. What is not ours goes on in the same turn, untouched; only requests that come before
 * the fixtures are loaded wait.
 *
 * @param bases path prefixes below which the routes are
 * @param origins which pages and host names are answered; none where the host has decided that before
 */
export function createRequestHandler(
  store: FixtureStore,
  options: ResolvedOptions,
  bases: readonly string[],
  origins?: OriginPolicy,
): RequestHandler {
  const { logger, bodyLimit } = options
  const read = options.unmatched === 'passthrough' ? readBody : takeBody
  const report = createReporter(logger)
  const noticeSimilar = createSimilarNotice(bases, report)

  // A name of its own, since `DEBUG=connect:*` shows it.
  return function mockApiMiddleware(req, res, next) {
    if (!store.current) {
      void store.ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
      return
    }
    const { table } = store.current
    // `req.headers` stays unread until the request is ours: it is a getter that builds the headers.
    const { method = 'GET', url = '/' } = req
    const own = matchEndpoint(table, method, url, bases)
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
    if (!own)
      return finish(exchange, { kind: 'answered', response: preflightResponse(table, endpoint, headers) })
    if (!endpoint.needsBody || !hasBody(req)) return decide(exchange)
    read(req, bodyLimit, (body) => {
      if (body.kind === 'complete') {
        raw.body = body.bytes // set, and not copied with the rest: a copy costs more than all of the matching
        decide(exchange)
      } else if (body.kind === 'too-large') refuseBody(exchange, body.bytes)
    })
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

  /** A body too large to be looked at fits no route; where the next in line may own it, it goes on. */
  function refuseBody(exchange: Exchange, bytes: Uint8Array | undefined): void {
    const { req, next, match, raw } = exchange
    if (options.unmatched === 'error')
      return finish(exchange, refuseLargeBody(match.endpoint, raw, bodyLimit))
    restoreBody(req, bytes)
    next()
  }

  function decide(exchange: Exchange): void {
    const { match, raw, next } = exchange
    try {
      const outcome = handle(match, raw)
      if (outcome instanceof Promise) outcome.then((settled) => finish(exchange, settled)).catch(next)
      else finish(exchange, outcome)
    } catch (error) {
      next(error) // a mistake of ours must not end the dev server
    }
  }

  function finish({ req, res, next, raw, corsHeaders }: Exchange, outcome: Outcome): void {
    if (outcome.kind === 'unmatched' && options.unmatched === 'passthrough') {
      restoreBody(req, raw.body)
      return next()
    }
    const { response, diagnostic } = outcome.kind === 'answered' ? outcome : outcome.explain()
    if (diagnostic) report(diagnostic)
    if (!res.headersSent) {
      for (let i = 0; i < corsHeaders.length; i += 2) res.appendHeader(corsHeaders[i]!, corsHeaders[i + 1]!)
    }
    if (response.delay === 0) return writeResponse(req, res, response)
    const timer = setTimeout(() => writeResponse(req, res, response), response.delay)
    res.once('close', () => clearTimeout(timer))
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

function writeResponse(req: IncomingMessage, res: ServerResponse, response: PreparedResponse): void {
  if (res.headersSent || res.destroyed) return
  const { status, headers, body } = response
  // The list as it is is the fastest way out. Beside headers that somebody has set it is the slowest, since Node merges
  // them; and HTTP/2 would send a repeated header once.
  const isPlain = req.httpVersionMajor === 1 && res.getHeaderNames().length === 0
  if (isPlain) res.writeHead(status, headers as string[])
  else setHeaders(res, status, headers)
  if (req.method === 'HEAD') res.end()
  else if (typeof body === 'string') res.end(body, 'latin1')
  else res.end(body)
}

function setHeaders(res: ServerResponse, status: number, headers: readonly string[]): void {
  res.statusCode = status
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    // A header that the fixture repeats is sent as often; one that a middleware before us has set is replaced.
    let last = i
    while (headers[last + 2] === name) last += 2
    res.setHeader(
      name,
      last === i ? headers[i + 1]! : headers.slice(i, last + 2).filter((_, index) => index % 2 === 1),
    )
    i = last
  }
}
