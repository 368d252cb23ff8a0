import type { FunctionResponse } from '../schema/schema.ts'
import type { WebResponse } from '../schema/function-types.ts'

/** Headers that describe the transfer of a response from `fetch`, whose body is already decoded. */
const transferHeaders = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]

/**
 * A `Response` as a fixture's response: status, headers (each `set-cookie` on its own) and the bytes of the body.
 * `Response.error()` is a network error, so the connection is reset.
 *
 * @throws TypeError when the body has been read before
 */
export async function fromWebResponse(response: WebResponse): Promise<FunctionResponse> {
  if (response.type === 'error') return { fault: 'reset' }
  if (response.bodyUsed) throw new TypeError('the body of the Response it returned has been read before')
  const headers: Record<string, string | string[]> = {}
  const isFetched = response.url !== ''
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && !(isFetched && transferHeaders.includes(name))) headers[name] = value
  })
  const cookies = response.headers.getSetCookie?.() ?? []
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers, ...(bytes.length > 0 && { body: bytes }) }
}
