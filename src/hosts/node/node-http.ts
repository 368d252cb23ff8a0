import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Exchange, ReceivedBody, Verdict } from '../../core/answer/exchange.ts'
import { findTarget, receive } from '../../core/answer/receive.ts'
import { receiveRules } from '../../core/answer/receive-rules.ts'
import type { Running as CoreRunning } from '../../core/answer/running.ts'
import type { OriginPolicy } from '../../core/http/origin.ts'
import { scenarioCookie } from '../../core/http/scenario-list.ts'
import { pageScenarios } from '../../core/http/scenario-names.ts'
import { unknownScenarios } from '../../core/state/unknown-scenarios.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { addCookie } from './add-cookie.ts'
import { createReporter } from '../report.ts'
import { createGraphiQL } from './graphiql.ts'
import { createSimilarNotice } from './notice-similar.ts'
import type { OpenAnswers } from './open-answers.ts'
import { createBodyReader, hasBody } from './read-body.ts'
import { writeLater } from './write-fault.ts'
import { writeResponse } from './write-response.ts'

/** Passes a request on. An error goes to the host's error handler. */
export type Next = (error?: unknown) => void

/** A connect-style middleware function. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** Shared by all handlers of the same fixtures. */
export interface Running extends CoreRunning {
  open: OpenAnswers
}

/**
 * Makes the middleware over `node:http`. A request without a route is passed on synchronously and unchanged. Only requests
 * before the fixtures are loaded have to wait.
 *
 * @param running rate limits, time limits, scenarios, and the answers to end when the server closes
 * @param bases path prefixes below which the routes are
 * @param origins which pages and host names are accepted
 * @param hasPages whether the host answers navigations with pages of the application
 */
export function createRequestHandler(
  store: FixtureStore,
  options: ResolvedOptions,
  running: Running,
  bases: readonly string[],
  origins: OriginPolicy,
  hasPages: boolean,
): RequestHandler {
  const { logLevel, root } = options
  const rules = receiveRules(options, running, {
    bases,
    origins,
    graphiql: options.graphql.graphiql,
    hasPages: hasPages && !options.navigationGiven,
  })
  const { open } = running
  const report = createReporter(options)
  const noticeSimilar = isLogged('warn', logLevel) ? createSimilarNotice(bases, report) : () => {}
  const graphiql = createGraphiQL({ root, report })
  const readBody = createBodyReader(options)

  // Named, since `DEBUG=connect:*` shows the name.
  return function mockApiMiddleware(req, res, next) {
    if (!store.current) {
      void store.ready.then(() => mockApiMiddleware(req, res, next)).catch(next)
      return
    }
    const { table } = store.current
    const { method = 'GET', url = '/' } = req
    const page = pageScenarios(method, url, req)
    if (page) {
      addCookie(res, scenarioCookie(page.names))
      unknownScenarios(rules.state, table, page).forEach(report)
    }
    const target = findTarget(rules, table, method, url, req)
    if (!target) {
      noticeSimilar(req, res, table)
      return next()
    }
    const exchange = receive(rules, target, {
      method,
      url: fullUrl(req),
      headers: req.headers,
      isSecure: (req.socket as Partial<TLSSocket>).encrypted === true,
      allowedOrigin: res.getHeader('access-control-allow-origin')?.toString(),
    })
    for (const notice of exchange.notices) report(notice)
    if (!exchange.needsBody || !hasBody(req)) return settle(req, res, next, exchange)
    readBody(req, (body) => settle(req, res, next, exchange, body))
  }

  function settle(
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
    exchange: Exchange,
    body?: ReceivedBody,
  ): void {
    try {
      const verdict = exchange.decide(body)
      if (!(verdict instanceof Promise)) return carryOut(req, res, next, verdict)
      open.track(res)
      verdict
        .then((late) => {
          open.forget(res)
          carryOut(req, res, next, late)
        })
        .catch(next)
    } catch (error) {
      next(error) // a bug in this package must not end the dev server
    }
  }

  function carryOut(req: IncomingMessage, res: ServerResponse, next: Next, verdict: Verdict): void {
    if (verdict.kind === 'graphiql') return graphiql(req, res)
    if (verdict.diagnostic) report(verdict.diagnostic)
    if (verdict.kind === 'pass') return next()
    const { response, corsHeaders, wait } = verdict
    if (!res.headersSent) {
      for (let i = 0; i < corsHeaders.length; i += 2) res.appendHeader(corsHeaders[i]!, corsHeaders[i + 1]!)
    }
    if (wait === 0 && response.fault === undefined) writeResponse(req, res, response)
    else writeLater(req, res, response, wait, open)
  }
}

/** Servers that strip the mount path of a middleware keep the whole URL in `originalUrl`. */
function fullUrl(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? '/'
}
