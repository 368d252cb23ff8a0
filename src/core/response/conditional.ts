import { headerText, type RawRequest } from '../http/raw-request.ts'
import { hash32 } from '../values/hash.ts'
import { headerOf, headerPairs, type PreparedResponse, withHeaders } from './prepare-response.ts'

/** A strong validator of the bytes. @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 */
function etagOf({ body }: PreparedResponse): string {
  const hash = (start?: number) => hash32(body, start).toString(36)
  return `"${hash()}${hash(1)}-${body.length}"`
}

/** Adds a validator; a client that has it gets a 304: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function answerIfChanged(response: PreparedResponse, { headers }: RawRequest): PreparedResponse {
  const etag = headerOf(response, 'etag') ?? etagOf(response)
  const validated = withHeaders(response, { 'cache-control': 'no-cache', etag })
  const asked = headerText(headers, 'if-none-match')
  if (!asked || !names(asked, etag)) return validated
  const kept = headerPairs(validated).filter(([name]) => !name.startsWith('content-'))
  return { ...validated, status: 304, headers: kept.flat(), body: '' }
}

/** Whether a change is meant for what is there now. @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 */
export function isMeant(current: PreparedResponse, { headers }: RawRequest): boolean {
  const asked = headerText(headers, 'if-match')
  return !asked || names(asked, etagOf(current))
}

function names(list: string, etag: string): boolean {
  return list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
