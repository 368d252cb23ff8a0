import type { ReceivedBody } from '../../core/answer/exchange.ts'
import { decodeWebBody } from './decode-web-body.ts'
import { readStream } from './read-stream.ts'
import type { RawRequest } from '../../core/http/raw-request.ts'

/** `aborted`: the client disconnected before it had sent everything. */
export type WebBody = ReceivedBody | { kind: 'aborted' }

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
  const { body } = keepOriginal ? request.clone() : request
  if (!body) return { kind: 'complete', bytes: undefined }
  let bytes: Uint8Array | undefined
  try {
    // Without a next handler, the body is read to its end: some runtimes cut off a client that is still sending.
    bytes = await readStream(body, limit, keepOriginal ? 'cancel' : 'drain')
  } catch {
    return { kind: 'aborted' }
  }
  if (!bytes) return { kind: 'too-large', limit }
  return decodeWebBody(bytes, headers, limit)
}
