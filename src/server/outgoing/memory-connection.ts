import { request as startRequest, type IncomingMessage } from 'node:http'
import { Duplex, type Readable } from 'node:stream'
import { withNetworkValues } from '../../core/http/network-values.ts'
import { clearTimeout, setTimeout } from '../../wire/node/timers.ts'

/** Takes the place of a socket in `node:http`. Unlike `stream.duplexPair`, it can be reset. */
export class MemorySocket extends Duplex {
  readonly connecting = false
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 0
  readonly remoteFamily = 'IPv4'
  timeout = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #peer: MemorySocket | undefined
  #isReset = false
  /** Continues a write that waits until the peer reads on. */
  #written: (() => void) | undefined

  /** @returns both ends */
  static connect(): [MemorySocket, MemorySocket] {
    const ends = [new MemorySocket(), new MemorySocket()] as [MemorySocket, MemorySocket]
    ends[0].#peer = ends[1]
    ends[1].#peer = ends[0]
    return ends
  }

  override _read(): void {
    const peer = this.#peer!
    const written = peer.#written
    peer.#written = undefined
    written?.()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    if (!this.#peer || this.#peer.destroyed) return done(connectionReset())
    this.#timer?.refresh()
    this.#peer.#timer?.refresh()
    if (this.#peer.push(chunk)) done()
    else this.#written = done
  }

  override _final(done: () => void): void {
    if (this.#peer && !this.#peer.destroyed) this.#peer.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.setTimeout(0)
    const peer = this.#peer
    const isBroken = this.#isReset || error !== null
    process.nextTick(() => {
      if (!peer || peer.destroyed) return
      if (isBroken) peer.destroy(connectionReset())
      else if (!peer.readableEnded) peer.push(null)
    })
    done(error)
  }

  resetAndDestroy(): this {
    this.#isReset = true
    return this.destroy()
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  /** Emits `timeout` where nothing has arrived for so long: a client gives up on a slow answer then. */
  setTimeout(timeout: number, listener?: () => void): this {
    clearTimeout(this.#timer)
    this.timeout = timeout
    this.#timer = timeout > 0 ? setTimeout(() => this.emit('timeout'), timeout) : undefined
    if (listener) this[timeout > 0 ? 'once' : 'off']('timeout', listener)
    return this
  }

  /* Methods of sockets without a use here. */
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
}

const withoutBody = [204, 205, 304]

/**
 * @param read gives the body of an answer, such as decoded
 * @throws TypeError when the connection breaks; the reason of the signal when the request is aborted
 */
export async function sendRequest(
  request: Request,
  socket: MemorySocket,
  read: (answer: IncomingMessage) => Readable = (answer) => answer,
): Promise<Response> {
  const { method, signal } = request
  const { host, pathname, search } = new URL(request.url)
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined
  signal.throwIfAborted()
  return new Promise<Response>((resolve, reject) => {
    const sent = startRequest({
      createConnection: () => socket,
      method,
      path: `${pathname}${search}`,
      headers: {
        host,
        connection: 'close',
        accept: '*/*',
        'user-agent': 'node',
        'sec-fetch-mode': 'cors',
        ...Object.fromEntries(request.headers),
        ...(body && { 'content-length': body.length }),
      },
    })
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
      sent.destroy(signal.reason as Error)
    })
    sent.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    // At once: a body may break off before anyone reads it.
    sent.on('response', (answer) => resolve(toResponse(request, answer, read)))
    sent.end(body)
  })
}

function toResponse(
  { method, url, signal }: Request,
  answer: IncomingMessage,
  read: (answer: IncomingMessage) => Readable,
): Response {
  const status = answer.statusCode!
  const isEmpty = method === 'HEAD' || withoutBody.includes(status)
  const headers = new Headers()
  for (let i = 0; i < answer.rawHeaders.length; i += 2)
    headers.append(answer.rawHeaders[i]!, answer.rawHeaders[i + 1]!)
  const body = isEmpty ? null : bodyOf(read(answer), signal)
  if (isEmpty) answer.resume()
  const init = { status, statusText: answer.statusMessage!, headers }
  return withNetworkValues(new Response(body, init), { url: url.replace(/#.*$/, '') })
}

function bodyOf(answer: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (cause: unknown) =>
        controller.error(signal.aborted ? signal.reason : new TypeError('terminated', { cause }))
      answer.on('data', (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk))
        if (controller.desiredSize! <= 0) answer.pause()
      })
      answer.on('end', () => controller.close())
      answer.on('error', fail)
    },
    pull: () => void answer.resume(),
    cancel() {
      // Chunks that have arrived are emitted even after `destroy`, and a cancelled stream takes nothing.
      answer.removeAllListeners('data').removeAllListeners('end')
      answer.destroy()
    },
  })
}
