import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { scenariosOfAll } from '../table/similar.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Refusal } from '../graphql/check-operation.ts'
import { describeErrors, type FormattedError } from '../graphql/formatted-error.ts'
import type { WrongParameter } from '../paginate/page-styles.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { headerValue, type PreparedResponse, prepareResponse } from '../response/prepare-response.ts'
import { type Answer, type Asked, type Candidate, candidatesOf, type Decision } from './decision.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { headerText, type RawRequest } from '../http/raw-request.ts'
import { describeRequest } from '../request/redact.ts'
import { describeUnmet, type FailedCondition } from '../select/failed-conditions.ts'
import type { UnreadableBody } from '../http/body.ts'
import { describeThrown, placeInStack } from '../values/thrown.ts'
import { TimeLimitError } from './rules.ts'

/** The first reason why a route did not answer. */
interface Reason extends Partial<FailedCondition> {
  route: string
  place: string
}

/** Entries of a list in an error; a longer one would not be readable. */
const maxListed = 20

/** `{ error: { code, message, fix, … } }`, or a GraphQL error with the same details in `extensions`. */
export function errorResponse(
  status: number,
  diagnostic: Diagnostic,
  endpoint: Endpoint,
  raw: RawRequest,
  details?: Readonly<Record<string, unknown>>,
): PreparedResponse {
  if (!endpoint.graphql) return plainError(status, diagnostic, details)
  const { message, ...extensions } = describeError(diagnostic, details)
  return graphqlErrors(status, [{ message, extensions }], raw)
}

export function explainError(
  status: number,
  diagnostic: Diagnostic,
  endpoint: Endpoint,
  raw: RawRequest,
  details?: Readonly<Record<string, unknown>>,
): Answer {
  return { response: errorResponse(status, diagnostic, endpoint, raw, details), diagnostic }
}

export function plainError(
  status: number,
  diagnostic: Diagnostic,
  details?: Readonly<Record<string, unknown>>,
): PreparedResponse {
  return prepareResponse({ status, body: { error: describeError(diagnostic, details) } })
}

function describeError(
  { message, code, fix, ...location }: Diagnostic,
  details: Readonly<Record<string, unknown>> = {},
) {
  const place = formatPlace(location)
  return { message, code, fix, ...(place && { place }), ...details }
}

function describeEndpoint(endpoint: Endpoint): string {
  const scenarios = scenariosOfAll(endpoint)
  return `${endpoint.method} ${endpoint.path}${scenarios ? ` (scenario ${scenarios.join(' or ')})` : ''}`
}

/** The 404 where there is no next handler. It lists the existing endpoints. */
export function notFoundResponse(request: string, endpoints: readonly Endpoint[]): PreparedResponse {
  const listed = endpoints.slice(0, maxListed).map(describeEndpoint)
  const more = endpoints.length - listed.length
  const diagnostic = diagnoseRequest('route-not-found', {}, { request })
  return plainError(404, diagnostic, { endpoints: listed, ...(more > 0 && { more }) })
}

/**
 * A client that accepts `application/graphql-response+json` reads the errors of an answer that is not 2xx; with
 * `application/json` it can't tell such an answer from a proxy's.
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-application-graphql-response-json
 */
export function graphqlErrors(
  status: number,
  errors: readonly FormattedError[],
  raw: RawRequest,
  headers: Readonly<Record<string, string>> = {},
): PreparedResponse {
  const type = raw.accepts ?? 'application/json'
  return prepareResponse({
    status,
    body: { errors },
    headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
  })
}

export function refuseTooMany(
  endpoint: Endpoint,
  raw: RawRequest,
  { name, source, rateLimit }: CompiledRoute,
  wait: number,
): PreparedResponse {
  const seconds = Math.ceil(wait / 1000)
  const details = { request: describeRequest(raw), name, ...rateLimit!, seconds }
  const response = errorResponse(429, diagnoseRequest('rate-limited', source, details), endpoint, raw)
  const headers = [...response.headers, 'x-mock-route', headerValue(name), 'retry-after', String(seconds)]
  return { ...response, headers }
}

export function refusePage(
  endpoint: Endpoint,
  raw: RawRequest,
  { source }: CompiledRoute,
  { reason, ...details }: WrongParameter,
): Answer {
  return reason === 'malformed'
    ? explainError(400, diagnoseRequest('page-malformed', source, details), endpoint, raw)
    : explainError(404, diagnoseRequest('page-out-of-range', source, details), endpoint, raw)
}

export function failByOverride(status: number, endpoint: Endpoint, raw: RawRequest): PreparedResponse {
  const diagnostic = diagnoseRequest('override-failed', {}, { request: describeRequest(raw), status })
  return errorResponse(status, diagnostic, endpoint, raw)
}

/** Each route with its first reason, the nearest first. */
export function explainUnmatched(endpoint: Endpoint, request: ParsedRequest): Answer {
  const { hint, frame, details, ...texts } = findCandidates(endpoint, request)
  const diagnostic = { ...diagnoseRequest('route-unmatched', {}, { ...texts, hint }), ...frame }
  return explainError(404, diagnostic, endpoint, request.raw, details)
}

export function explainUnparsed(
  endpoint: Endpoint,
  request: ParsedRequest,
  { status, errors }: Refusal,
): Answer {
  const { frame, details, ...texts } = findCandidates(endpoint, request)
  const reason = describeErrors(errors)
  const diagnostic = { ...diagnoseRequest('graphql-unparsed', {}, { ...texts, reason }), ...frame }
  const extensions = { code: diagnostic.code, fix: diagnostic.fix, ...details }
  const response = graphqlErrors(status, [{ ...errors[0]!, extensions }], request.raw)
  return { response, diagnostic }
}

function findCandidates(endpoint: Endpoint, request: ParsedRequest) {
  const nearest = candidatesOf(endpoint, request)
  const routes = nearest.slice(0, maxListed).map((candidate) => describeReason(endpoint, request, candidate))
  const more = endpoint.routes.length - routes.length
  const lines = [
    ...routes.map((candidate) => `  - ${describe(candidate)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ]
  return {
    request: describeRequest(request.raw),
    nearest: describe(routes[0]!),
    hint: routes.find(({ hint }) => hint !== undefined)?.hint,
    // The message has the only route already.
    frame: routes.length > 1 && { frame: lines.join('\n') },
    details: { routes, ...(more > 0 && { more }) },
  }
}

/** An inactive scenario is the first reason, before every selector. */
function describeReason(
  { active }: Endpoint,
  request: ParsedRequest,
  { route, isInactive, unmet }: Candidate,
): Reason {
  const [first] = unmet
  const failed = isInactive
    ? {
        selector: 'scenario',
        expected: route.scenarios!.join(' or '),
        received: active?.scenarios.join(' and ') ?? 'none',
      }
    : first && describeUnmet(first, request)
  return { route: route.name, place: formatPlace(route.source), ...failed }
}

function describe({ route, place, selector, expected, received }: Reason): string {
  if (selector === 'predicate') return `the function "when" of "${route}" (${place}) returned ${received}`
  if (selector === 'scenario') return `"${route}" (${place}) needs the scenario ${expected}`
  return `"${route}" (${place}) wants ${selector} to be ${expected}, not ${received}`
}

export function refuseUnreadable({ match, raw }: Asked, body: UnreadableBody): Decision {
  const decision: Decision = { by: 'refused', match, raw, wait: 0 }
  const explain = () => explainUnreadable(match.endpoint, raw, body)
  // The next handler can't read a used body either. The calling code is wrong, so it is logged.
  return body.kind === 'used' ? { ...decision, ...explain() } : { ...decision, explain }
}

function explainUnreadable(endpoint: Endpoint, raw: RawRequest, body: UnreadableBody): Answer {
  const request = describeRequest(raw)
  const encoding = headerText(raw.headers, 'content-encoding') ?? ''
  const refuse = (status: number, diagnostic: Diagnostic) => explainError(status, diagnostic, endpoint, raw)
  switch (body.kind) {
    case 'too-large':
      return refuse(413, diagnoseRequest('request-body-too-large', {}, { request, limit: body.limit }))
    case 'encoding-unknown': {
      const { accepted } = body
      const diagnostic = diagnoseRequest('request-encoding-unknown', {}, { request, encoding, accepted })
      const { response } = refuse(415, diagnostic)
      // Codings that the client may use instead: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
      const headers = [...response.headers, 'accept-encoding', accepted.join(', ') || 'identity']
      return { response: { ...response, headers }, diagnostic }
    }
    case 'encoding-corrupt':
      return refuse(
        400,
        diagnoseRequest('request-encoding-corrupt', {}, { request, encoding, reason: body.reason }),
      )
    case 'charset-unknown':
      return refuse(415, diagnoseRequest('request-charset-unknown', {}, { request, charset: body.charset }))
    case 'used':
      return refuse(500, diagnoseRequest('request-body-used', {}, { request }))
    case 'parsed-by-others':
      return refuse(400, diagnoseRequest('request-body-malformed', {}, { request, reason: body.reason }))
  }
}

export function refuseBody({ match, raw }: Asked, reason: string): Decision {
  const diagnostic = diagnoseRequest('request-body-malformed', {}, { request: describeRequest(raw), reason })
  const explain = () => explainError(400, diagnostic, match.endpoint, raw)
  return { by: 'refused', match, raw, wait: 0, explain }
}

export class InvalidResponse extends Error {
  constructor(
    reason: string,
    readonly fix: string,
  ) {
    super(reason)
  }
}

export function functionFailed(
  { match: { endpoint } }: Asked,
  request: ParsedRequest,
  route: CompiledRoute,
  part: 'predicate' | 'response',
  error: unknown,
): Answer {
  const details = { request: describeRequest(request.raw), name: route.name, part }
  if (isA(TimeLimitError, error)) {
    const diagnostic = diagnoseRequest('function-timeout', route.source, {
      ...details,
      limit: error.milliseconds,
    })
    return explainError(504, diagnostic, endpoint, request.raw)
  }
  const { file } = route.source
  const thrown = placeInStack(error, file)
  const place = thrown.line === undefined ? { ...route.source } : { file, ...thrown }
  delete place.pointer // the message names the route
  const why = isA(InvalidResponse, error)
    ? { reason: error.message, fix: error.fix }
    : describeFailure(route, error)
  const diagnostic = diagnoseRequest('function-failed', place, { ...details, ...why })
  return explainError(500, diagnostic, endpoint, request.raw)
}

function describeFailure({ response }: CompiledRoute, error: unknown): { reason: string; fix?: string } {
  const reason = describeThrown(error)
  const isExpressHandler = response.kind === 'function' && response.respond.length > 1
  if (!isExpressHandler) return { reason }
  const fix =
    'Take the request alone and return the response, as in ({ params, query }) => ({ status: 200, body: [] }).'
  return { reason, fix }
}

function isA<T extends Error>(type: abstract new (...parameters: never[]) => T, error: unknown): error is T {
  try {
    return error instanceof type
  } catch {
    return false // a proxy that throws when it is inspected
  }
}
