import { headerText, type RawRequest } from '../http/raw-request.ts'
import { addToHash, hashStart, mixHash } from '../values/hash.ts'
import { headerOf, type PreparedResponse } from './prepare-response.ts'

/** A strong validator of the bytes. @see https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 */
function etagOf({ body }: PreparedResponse): string {
  const hash = (start: number) => mixHash(addToHash(start, body)).toString(36)
  return `"${hash(hashStart)}${hash(1)}-${body.length}"`
}

/** With its validator; without a body for a client that has it. @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function answerIfChanged(response: PreparedResponse, { headers }: RawRequest): PreparedResponse {
  const etag = headerOf(response, 'etag') ?? etagOf(response)
  const own = response.headers.flatMap((text, index, all) =>
    index % 2 === 1
      ? []
      : text === 'cache-control'
        ? [text, 'no-cache']
        : text === 'etag'
          ? []
          : [text, all[index + 1]!],
  )
  const asked = headerText(headers, 'if-none-match')
  if (!asked || !names(asked, etag)) return { ...response, headers: [...own, 'etag', etag] }
  const kept = own.flatMap((text, index) =>
    index % 2 === 0 && !text.startsWith('content-') ? [text, own[index + 1]!] : [],
  )
  return { ...response, status: 304, headers: [...kept, 'etag', etag], body: '' }
}

/** Whether a change is meant for what is there now. @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 */
export function isMeant(current: PreparedResponse, { headers }: RawRequest): boolean {
  const asked = headerText(headers, 'if-match')
  return !asked || names(asked, etagOf(current))
}

function names(list: string, etag: string): boolean {
  return list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
