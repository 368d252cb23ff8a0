import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { UnreadableBody } from '../http/body.ts'
import { headerText, type RawRequest } from '../http/raw-request.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { describeRequest } from '../request/redact.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { describeThrown, placeInStack } from '../values/thrown.ts'
import type { Answer, Asked, Decision } from './decision.ts'
import { explainError } from './error-response.ts'
import { TimeLimitError } from './rules.ts'

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
