/** Bytes of an answer that is read whole, as sent and decoded. */
export const maxBackendAnswer = 33_554_432
export const tooLarge = `it is larger than ${maxBackendAnswer / 1_048_576} MiB`

/** Read whole, with its content codings undone. A host asks for it: see `AskBackend`. */
export type BackendAnswer =
  | {
      kind: 'complete'
      status: number
      /** By lower-case name. */
      headers: Readonly<Record<string, string | readonly string[]>>
      body: Uint8Array
    }
  /** The backend is down, or has broken off its answer. */
  | { kind: 'unreachable'; target: string | undefined; reason: string }
  /** Nothing says where it is. `instead`: what the dev server itself has at the path. */
  | { kind: 'unknown'; instead?: 'page' | 'nothing' }
  /** The body of the request can't be sent on. */
  | { kind: 'body-used' }
  /** Too large, or in a coding that is not supported. */
  | { kind: 'unreadable'; reason: string }

/** Headers of the way from the backend to here. CORS is decided here, as for every route. */
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

/** @param isChanged whether the body is not the backend's */
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
