import type { Endpoint } from '../table/route-table.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { explainError } from './error-response.ts'
import type { Explanation, Outcome } from './outcome.ts'
import { headerText } from '../http/raw-request.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { describeRequest } from '../request/redact.ts'

/** Why a body that a selector may need can't be read. */
export type UnreadableBody =
  /** Larger than the limit in bytes, as sent or decoded. */
  | { kind: 'too-large'; limit: number }
  /** Its content coding is not supported. */
  | { kind: 'encoding-unknown'; accepted: readonly string[] }
  /** Its bytes are not valid in its content coding. */
  | { kind: 'encoding-corrupt'; reason: string }
  /** Text in a charset that is not supported. */
  | { kind: 'charset-unknown'; charset: string }
  /** An earlier middleware parsed it to a value that can't be serialised again. */
  | { kind: 'parsed-by-others'; reason: string }
  /** Read before the handler was called. */
  | { kind: 'used' }

/** The outcome for a body that can't be read: no route matches. */
export function refuseUnreadable(endpoint: Endpoint, raw: RawRequest, body: UnreadableBody): Outcome {
  // The next handler can't read it either. It is a mistake in the calling code, so it is logged.
  if (body.kind === 'used') return { kind: 'answered', ...explainUnreadable(endpoint, raw, body) }
  return { kind: 'unmatched', explain: () => explainUnreadable(endpoint, raw, body) }
}

function explainUnreadable(endpoint: Endpoint, raw: RawRequest, body: UnreadableBody): Explanation {
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
      // The codings that the client may use instead: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
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

/** The outcome for a body that is invalid for its content type: no route matches. */
export function refuseBody(endpoint: Endpoint, raw: RawRequest, reason: string): Outcome {
  const diagnostic = diagnoseRequest('request-body-malformed', {}, { request: describeRequest(raw), reason })
  return {
    kind: 'unmatched',
    explain: () => explainError(400, diagnostic, endpoint, raw),
  }
}
