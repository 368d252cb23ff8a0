import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { scenariosOfAll } from '../table/similar.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { ModelStream } from '../stream/models/models.ts'
import type { WrongParameter } from '../paginate/page-styles.ts'
import type { PagedList } from '../paginate/paginate.ts'
import {
  headerValue,
  type PreparedResponse,
  prepareResponse,
  withHeaders,
} from '../response/prepare-response.ts'
import type { Answer, Answering, Asked, Decision } from './decision.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { acceptedGraphQL, headerText, type RawRequest } from '../http/raw-request.ts'
import { describeRequest } from '../redact/redact.ts'
import type { UnreadableBody } from '../http/body.ts'
import { describeThrown, placeInStack, stackOf } from '../values/thrown.ts'
import { TimeLimitError } from './rules.ts'

/** Entries of a list in an error; a longer one would not be readable. */
export const maxListed = 20

/** `{ error: { code, message, fix, … } }`, or a GraphQL error with the same details in `extensions`. */
export function errorResponse(
  { endpoint, raw }: AskedHere,
  status: number,
  diagnostic: Diagnostic,
  details?: Details,
): PreparedResponse {
  if (!endpoint.graphql) return plainError(status, diagnostic, details)
  const { message, ...extensions } = describeError(diagnostic, details)
  return graphqlErrors(status, [{ message, extensions }], raw)
}

export function explainError(asked: AskedHere, status: number, diagnostic: Diagnostic, details?: Details) {
  return { response: errorResponse(asked, status, diagnostic, details), diagnostic }
}

/** The answer of a failure that was asked for, so the log says nothing. */
export function failAsWanted(
  asked: AskedHere,
  status: number,
  reason: Diagnostic,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { response: withHeaders(errorResponse(asked, status, reason), headers), reason }
}

type AskedHere = Pick<Answering, 'endpoint' | 'raw'>
type Details = Readonly<Record<string, unknown>>

export function plainError(status: number, diagnostic: Diagnostic, details?: Details): PreparedResponse {
  return prepareResponse({ status, body: { error: describeError(diagnostic, details) } })
}

function describeError({ message, code, fix, ...location }: Diagnostic, details: Details = {}) {
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
  const type = acceptedGraphQL(raw) ?? 'application/json'
  return prepareResponse({
    status,
    body: { errors },
    headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
  })
}

export function refuseTooMany(asked: Answering, wait: number): Answer {
  const { name, source, rateLimit, response } = asked.route
  const { raw, request, rules } = asked
  const seconds = Math.ceil(wait / 1000)
  const details = { request: describeRequest(raw), name, ...rateLimit!, seconds }
  const reason = diagnoseRequest('rate-limited', source, details)
  const headers = { 'x-mock-route': headerValue(name), 'retry-after': String(seconds) }
  if (response.kind !== 'stream' || !response.model) return failAsWanted(asked, 429, reason, headers)
  const model = new ModelStream(response.model, { raw, body: request.body })
  const refused = model.refuse(rateLimit!, seconds, rules.limits.now())
  return { response: prepareResponse({ ...refused, headers: { ...refused.headers, ...headers } }), reason }
}

export function answerPage(asked: Answering, list: PagedList, fit: (page: PreparedResponse) => Answer) {
  const page = list.pageFor(asked.request)
  if ('refused' in page) return refusePage(asked, page.refused)
  const answer = fit(page.response)
  if (!page.notice) return answer
  const { name, source } = asked.route
  return { ...answer, diagnostic: diagnoseRequest('page-not-selected', source, { name, ...page.notice }) }
}

function refusePage(asked: Answering, { reason, ...details }: WrongParameter): Answer {
  const { source } = asked.route
  return reason === 'malformed'
    ? explainError(asked, 400, diagnoseRequest('page-malformed', source, details))
    : explainError(asked, 404, diagnoseRequest('page-out-of-range', source, details))
}

/** @param failure a status, or a fault */
export function reasonOfOverride(raw: RawRequest, failure: string): Diagnostic {
  return diagnoseRequest('override-failed', {}, { request: describeRequest(raw), failure })
}

export function refuseUnreadable({ match, raw }: Asked, body: UnreadableBody): Decision {
  const decision: Decision = { by: 'refused', match, raw, wait: 0 }
  const explain = () => explainUnreadable({ endpoint: match.endpoint, raw }, body)
  // The next handler can't read a used body either. The calling code is wrong, so it is logged.
  return body.kind === 'used' ? { ...decision, ...explain() } : { ...decision, explain }
}

const unreadable = {
  'too-large': [413, 'request-body-too-large'],
  'encoding-unknown': [415, 'request-encoding-unknown'],
  'encoding-corrupt': [400, 'request-encoding-corrupt'],
  'charset-unknown': [415, 'request-charset-unknown'],
  used: [500, 'request-body-used'],
  'parsed-by-others': [400, 'request-body-malformed'],
} as const satisfies Record<UnreadableBody['kind'], unknown>

function explainUnreadable(asked: AskedHere, { kind, ...body }: UnreadableBody): Answer {
  const [status, code] = unreadable[kind]
  const encoding = headerText(asked.raw.headers, 'content-encoding') ?? ''
  const details = { request: describeRequest(asked.raw), encoding, ...body }
  const { response, diagnostic } = explainError(asked, status, diagnoseRequest(code, {}, details as never))
  if (!('accepted' in body)) return { response, diagnostic }
  // Codings that the client may use instead: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
  const headers = { 'accept-encoding': body.accepted.join(', ') || 'identity' }
  return { response: withHeaders(response, headers), diagnostic }
}

export function refuseBody({ match, raw }: Asked, reason: string): Decision {
  const diagnostic = diagnoseRequest('request-body-malformed', {}, { request: describeRequest(raw), reason })
  const explain = () => explainError({ endpoint: match.endpoint, raw }, 400, diagnostic)
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
  asked: Pick<Answering, 'endpoint' | 'raw' | 'route'>,
  part: 'predicate' | 'response',
  error: unknown,
) {
  const { raw, route } = asked
  const details = { request: describeRequest(raw), name: route.name, part }
  if (isA(TimeLimitError, error)) {
    const limit = error.milliseconds
    return explainError(asked, 504, diagnoseRequest('function-timeout', route.source, { ...details, limit }))
  }
  const { file } = route.source
  const thrown = placeInStack(error, file)
  const place = thrown.line === undefined ? { ...route.source } : { file, ...thrown }
  delete place.pointer // the message names the route
  const why = isA(InvalidResponse, error)
    ? { reason: error.message, fix: error.fix }
    : describeFailure(route, error)
  const diagnostic: Diagnostic = diagnoseRequest('function-failed', place, { ...details, ...why })
  const stack = stackOf(error, file)
  if (stack !== undefined) diagnostic.stack = stack
  return explainError(asked, 500, diagnostic)
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
