/**
 * What the backend has answered to a request, read whole and with its content codings undone, or why there is no answer.
 * A host asks it: see `AsksBackend`.
 */
export type BackendAnswer =
  | {
      kind: 'complete'
      status: number
      /** By lower-case name. */
      headers: Readonly<Record<string, string | readonly string[]>>
      body: Uint8Array
    }
  /** It is down, or has broken off its answer. */
  | { kind: 'unreachable'; target: string | undefined; reason: string }
  /** Neither the dev server nor an option says where it is. `instead`: what the dev server itself has at the path. */
  | { kind: 'unknown'; instead?: 'page' | 'nothing' }
  /** Its answer can't be read: too large, or in a coding that is not supported. */
  | { kind: 'unreadable'; reason: string }

/** Headers about the way from the backend to here. Which pages may read the answer is decided here, as for every route. */
const ofTransfer = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that are only true of the bytes that the backend has sent. */
const ofBytes = new Set([
  'accept-ranges',
  'content-digest',
  'content-md5',
  'digest',
  'etag',
  'last-modified',
  'repr-digest',
])

/**
 * The headers of an answer that are sent on with its decoded body.
 *
 * @param isChanged whether the body is another one
 */
export function headersToSend(
  headers: Extract<BackendAnswer, { kind: 'complete' }>['headers'],
  isChanged: boolean,
): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (ofTransfer.has(name) || (isChanged && ofBytes.has(name))) continue
    sent[name] = typeof value === 'string' ? value : [...value]
  }
  return sent
}
