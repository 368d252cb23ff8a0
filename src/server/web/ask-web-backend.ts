import { maxBackendAnswer, tooLarge } from '../../core/answer/change-answer.ts'
import type { BackendAnswer } from '../../core/answer/decision.ts'
import { withoutBase } from '../../core/http/path.ts'
import type { ResolvedRecord } from '../../core/options/resolve-options.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { words } from '../../core/values/values.ts'
import { readWebStream } from '../../wire/web/read-web-body.ts'

/**
 * `fetch` also undoes the content coding.
 * @param sent the body of the request, or what is sent instead
 * @param hostBase path below which the host serves everything
 */
export async function askWebBackend(
  request: Request,
  sent: Uint8Array | undefined,
  { target, headers: added }: ResolvedRecord,
  hostBase: string,
): Promise<BackendAnswer> {
  if (target === undefined) return { kind: 'unknown' }
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  for (const name of notForwarded) headers.delete(name)
  if (sent) headers.delete('content-encoding') // its bytes are decoded
  for (const [name, value] of Object.entries(added)) headers.set(name, value)
  const { method, signal } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  if (hasBody && !sent && (request.bodyUsed || request.body?.locked)) return { kind: 'body-used' }
  const body = hasBody ? (sent ?? (await request.arrayBuffer())) : undefined
  try {
    const answer = await fetch(`${target.replace(/\/$/, '')}${withoutBase(pathname, hostBase)}${search}`, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body && { body: body as BodyInit }),
    })
    if (answer.type === 'opaqueredirect')
      return { kind: 'unreadable', reason: 'it is a redirect, which a browser does not show' }
    if (answer.status < 200 || answer.status > 599)
      return { kind: 'unreadable', reason: `its status is ${answer.status}` }
    const bytes = answer.body
      ? await readWebStream(answer.body, maxBackendAnswer, 'cancel')
      : new Uint8Array()
    if (!bytes) return { kind: 'unreadable', reason: tooLarge }
    return { kind: 'complete', status: answer.status, headers: toRecord(answer.headers), body: bytes }
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return { kind: 'unreachable', target, reason: reasonOf(cause instanceof Error ? cause : error) }
  }
}

/** Headers of one connection, or that ask for a part of the answer or none of it. */
const notForwarded = words(
  'connection content-length host if-modified-since if-none-match if-range keep-alive range transfer-encoding upgrade',
)

function toRecord(headers: Headers): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = Object.fromEntries(headers)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) record['set-cookie'] = cookies
  return record
}
