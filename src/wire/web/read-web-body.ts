import type { ReceivedBody } from '../../core/answer/exchange.ts'
import { decodeWebBody } from './decode-web-body.ts'
import { readStream } from './read-stream.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'

/** `aborted`: the client disconnected before it had sent everything. */
type WebBody = ReceivedBody | { kind: 'aborted' }

/**
 * Reads and decodes the whole body, up to a limit in bytes.
 *
 * @param keepOriginal whether the next handler may need it: then a copy is read, since a stream can be read only once
 */
export async function readWebBody(
  request: Request,
  headers: RawRequest['headers'],
  limit: number,
  keepOriginal: boolean,
): Promise<WebBody> {
  if (request.bodyUsed || request.body?.locked) return { kind: 'used' }
  let bytes: Uint8Array | undefined
  try {
    const body = await bodyOf(keepOriginal ? request.clone() : request)
    if (!body) return { kind: 'complete', bytes: undefined }
    // Without a next handler, the body is read to its end: some runtimes cut off a client that is still sending.
    bytes = await readStream(body, limit, keepOriginal ? 'cancel' : 'drain')
  } catch {
    return { kind: 'aborted' }
  }
  if (!bytes) return { kind: 'too-large', limit }
  return decodeWebBody(bytes, headers, limit)
}

/** Firefox has no `Request.body` (https://bugzilla.mozilla.org/show_bug.cgi?id=1387483). */
async function bodyOf(request: Request): Promise<Request['body']> {
  if ((request.body as Request['body'] | undefined) !== undefined) return request.body
  const blob = await request.blob()
  return blob.size === 0 ? null : blob.stream()
}
