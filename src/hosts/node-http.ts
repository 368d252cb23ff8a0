import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatDiagnostic, type Diagnostic } from '../core/diagnostics.ts'
import { handle, refuseLargeBody, type Outcome } from '../core/handle.ts'
import { matchEndpoint, type EndpointMatch } from '../core/match.ts'
import type { ResolvedOptions } from '../core/options.ts'
import type { RawRequest } from '../core/request.ts'
import type { PreparedResponse } from '../core/respond.ts'
import type { FixtureStore } from '../loader/fixture-store.ts'
import { hasBody, readBody, restoreBody } from './read-body.ts'

/** Hands a request on. An error goes to the host's error handler. */
export type Next = (error?: unknown) => void

/** A connect-style middleware function. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** How many notices are remembered so as to be shown once. */
const maxNotices = 1000

/**
 * The middleware over `node:http`. What is not ours goes on in the same turn, untouched; only requests that come before
 * the fixtures are loaded wait.
 *
 * @param bases path prefixes below which the routes are
 */
export function createRequestHandler(
  store: FixtureStore,
  options: ResolvedOptions,
  bases: readonly string[],
): RequestHandler {
  const { logger, bodyLimit } = options
  const noticed = new Set<string>()

  // A name of its own, since `DEBUG=connect:*` shows it.
  return function mockApiMiddleware(req, res, next) {
    if (!store.current) {
      void store.ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
      return
    }
    const match = matchEndpoint(store.current.table, req.method ?? 'GET', req.url ?? '/', bases)
    if (!match) return next()
    const { endpoint, path, search } = match
    const raw = { method: req.method ?? 'GET', path, search, headers: req.headers }
    if (!endpoint.needsBody || !hasBody(req)) return decide(req, res, next, match, raw)
    readBody(req, bodyLimit, (body) => {
      if (body.kind === 'complete') decide(req, res, next, match, { ...raw, body: body.bytes })
      else if (body.kind === 'too-large')
        finish(req, res, next, refuseLargeBody(endpoint, raw, bodyLimit), raw)
    })
  }

  function decide(
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
    match: EndpointMatch,
    raw: RawRequest,
  ): void {
    try {
      const outcome = handle(match, raw)
      if (outcome instanceof Promise)
        outcome.then((settled) => finish(req, res, next, settled, raw)).catch(next)
      else finish(req, res, next, outcome, raw)
    } catch (error) {
      next(error) // a mistake of ours must not end the dev server
    }
  }

  function finish(
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
    outcome: Outcome,
    { body }: RawRequest,
  ): void {
    if (outcome.kind === 'unmatched' && options.unmatched === 'passthrough') {
      restoreBody(req, body)
      return next()
    }
    if (outcome.diagnostic) report(outcome.diagnostic)
    const response = outcome.kind === 'answered' ? outcome.response : outcome.respond()
    if (response.delay === 0) return writeResponse(req, res, response)
    const timer = setTimeout(() => writeResponse(req, res, response), response.delay)
    res.once('close', () => clearTimeout(timer))
  }

  /** Warnings are about a value and shown once; errors are about a request, and shown each time. */
  function report(diagnostic: Diagnostic): void {
    const text = `[mock-api] ${formatDiagnostic(diagnostic)}`
    if (diagnostic.severity === 'error') return logger.error(text)
    if (noticed.has(text) || noticed.size >= maxNotices) return
    noticed.add(text)
    logger.warn(text)
  }
}

function writeResponse(req: IncomingMessage, res: ServerResponse, response: PreparedResponse): void {
  if (res.headersSent || res.destroyed) return
  const { status, headers, body } = response
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
  if (req.method === 'HEAD') res.end()
  else if (typeof body === 'string') res.end(body, 'latin1')
  else res.end(body)
}
