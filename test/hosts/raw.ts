import { once } from 'node:events'
import { openWire } from './wire.ts'

/* Requests as bytes, and their answers parsed. */

export interface RawResponse {
  status: number
  headers: Record<string, string>
  text: string
  bytes: Buffer
}

export interface RawConnection {
  write: (bytes: string | Uint8Array) => void
  /** Ends the sending side of the connection. */
  end: () => void
  /** Closes the connection with a reset (RST). */
  reset: () => void
  /** The next answer, interim ones included; `undefined` when the server has closed the connection instead. */
  next: (options?: { isHead?: boolean }) => Promise<RawResponse | undefined>
  /** Everything until the server closes the connection, unparsed. */
  rest: () => Promise<string>
  /** Resolves when both sides have closed the connection. */
  closed: Promise<void>
}

export async function openRaw(origin: string): Promise<RawConnection> {
  const { socket, reset, find, ended } = openWire(origin)
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await once(socket, origin.startsWith('https:') ? 'secureConnect' : 'connect')
  /** How much of what was received has been returned. */
  let taken = 0
  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    reset,
    closed,
    async rest() {
      await ended
      return (await find((received) => received.toString('latin1', taken))) ?? ''
    },
    async next({ isHead = false } = {}) {
      const parsed = await find((received, isEnded) =>
        parseResponse(received.subarray(taken), isHead, isEnded),
      )
      taken += parsed?.length ?? 0
      return parsed?.response
    },
  }
}

/** Sends bytes in one write. Returns `count` answers, or fewer where the server closes the connection. */
export async function sendRaw(
  origin: string,
  bytes: string | Uint8Array,
  count = 1,
): Promise<(RawResponse | undefined)[]> {
  const connection = await openRaw(origin)
  connection.write(bytes)
  const responses: (RawResponse | undefined)[] = []
  while (responses.length < count) {
    const response = await connection.next()
    responses.push(response)
    if (!response) break
  }
  connection.reset()
  return responses
}

/** The answer at the beginning of the received bytes; `undefined` until it is complete. */
function parseResponse(
  received: Buffer,
  isHead: boolean,
  isEnded: boolean,
): { response: RawResponse; length: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1])
  if (!status) throw new Error(`no status line: ${JSON.stringify(statusLine)}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  const start = headEnd + 4
  const body =
    isHead || status < 200 || status === 204 || status === 304
      ? { bytes: Buffer.alloc(0), end: start }
      : readBody(received, start, headers, isEnded)
  if (!body) return undefined
  const { bytes, end } = body
  return { response: { status, headers, text: bytes.toString(), bytes }, length: end }
}

function readBody(received: Buffer, start: number, headers: Record<string, string>, isEnded: boolean) {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(received, start)
  const length = headers['content-length']
  if (length === undefined)
    return isEnded ? { bytes: received.subarray(start), end: received.length } : undefined
  const end = start + Number(length)
  return received.length < end ? undefined : { bytes: received.subarray(start, end), end }
}

function readChunks(received: Buffer, start: number): { bytes: Buffer; end: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (received.length < end) return undefined
    if (size === 0) return { bytes: Buffer.concat(chunks), end }
    chunks.push(received.subarray(lineEnd + 2, end - 2))
    at = end
  }
}
