/* HTTP/1.1 as bytes on a socket: a client that can pipeline, leave in the middle, and be told half of an answer. */
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * @typedef {{ status: number, headers: Record<string, string>, text: string }} Answer
 * @typedef {{ closed: 'end' | 'reset', received: string }} Closed what was received before the connection ended
 * @typedef {Awaited<ReturnType<typeof openConnection>>} Connection
 */

export async function openConnection(port) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  let chunks = []
  let size = 0
  /** The number of received bytes from which parsing is worth while. */
  let needed = 0
  let closed
  let wake = () => {}
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= needed) wake()
  })
  socket.on('error', () => (closed = 'reset'))
  socket.on('end', () => end('end'))
  const gone = new Promise((resolve) => {
    socket.on('close', () => {
      end('end')
      resolve()
    })
  })

  function end(how) {
    closed ??= how
    wake()
  }

  function received() {
    if (chunks.length !== 1) chunks = [Buffer.concat(chunks, size)]
    return chunks[0]
  }

  function take(length) {
    const rest = received().subarray(length)
    chunks = rest.length > 0 ? [rest] : []
    size = rest.length
    needed = 0
  }

  return {
    get isOpen() {
      return closed === undefined && socket.writable
    },
    gone,
    write: (bytes) => void socket.write(bytes),
    /** Resolves when everything written so far has left this process. */
    flushed: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    /** Closes the connection, with FIN or RST. */
    leave(how) {
      if (how === 'reset') socket.resetAndDestroy()
      else socket.destroy()
    },
    /** The next answer, interim ones included; its beginning where the server has closed the connection. */
    async next(isHead = false) {
      for (;;) {
        const parsed = size > 0 ? parseAnswer(received(), isHead, closed !== undefined) : { needed: 1 }
        if (parsed.answer) {
          take(parsed.length)
          return parsed.answer
        }
        if (closed !== undefined) return { closed, received: received().toString('latin1') }
        needed = parsed.needed
        await new Promise((resolve) => (wake = resolve))
      }
    },
    /** The beginning of an answer, with this many bytes of its body. */
    async beginning(bytes) {
      for (;;) {
        const text = received().toString('latin1')
        const bodyStart = text.indexOf('\r\n\r\n') + 4
        if (closed !== undefined || (bodyStart > 3 && text.length >= bodyStart + bytes)) return text
        needed = size + 1
        await new Promise((resolve) => (wake = resolve))
      }
    },
  }
}

/** The answer at the beginning of the received bytes, or the number of bytes that it needs. */
function parseAnswer(received, isHead, isClosed) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return { needed: received.length + 1 }
  const [statusLine, ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  const headers = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const start = headEnd + 4
  const answer = (text, length) => ({ answer: { status, headers, text }, length })
  if (isHead || status < 200 || status === 204 || status === 304) return answer('', start)
  if (headers['transfer-encoding'] === 'chunked') {
    const body = readChunks(received, start)
    return body ? answer(body.text, body.end) : { needed: received.length + 1 }
  }
  const length = headers['content-length']
  if (length === undefined) {
    return isClosed ? answer(received.toString('utf8', start), received.length) : { needed: Infinity }
  }
  const end = start + Number(length)
  return received.length < end ? { needed: end } : answer(received.toString('utf8', start, end), end)
}

function readChunks(received, start) {
  const chunks = []
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (!(received.length >= end)) return undefined
    if (size === 0) return { text: Buffer.concat(chunks).toString(), end }
    chunks.push(received.subarray(lineEnd + 2, end - 2))
    at = end
  }
}
