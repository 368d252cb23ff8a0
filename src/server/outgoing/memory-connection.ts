import { request as startRequest, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'

/** Takes the place of a socket in `node:http`. Unlike `stream.duplexPair`, it can be reset. */
export class MemorySocket extends Duplex {
  readonly connecting = false
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 0
  readonly remoteFamily = 'IPv4'
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
    if (this.#peer.push(chunk)) done()
    else this.#written = done
  }

  override _final(done: () => void): void {
    if (this.#peer && !this.#peer.destroyed) this.#peer.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
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

  /* Methods of sockets without a use here. */
  setTimeout = (): this => this
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
}

const withoutBody = [204, 205, 304]

/** @throws TypeError when the connection breaks; the reason of the signal when the request is aborted */
export async function sendRequest(request: Request, socket: MemorySocket): Promise<Response> {
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
    sent.on('response', (answer) => resolve(toResponse(request, answer)))
    sent.end(body)
  })
}

function toResponse({ method, url, signal }: Request, answer: IncomingMessage): Response {
  const status = answer.statusCode!
  const isEmpty = method === 'HEAD' || withoutBody.includes(status)
  const headers = new Headers()
  for (let i = 0; i < answer.rawHeaders.length; i += 2)
    headers.append(answer.rawHeaders[i]!, answer.rawHeaders[i + 1]!)
  const body = bodyOf(answer, signal)
  const init = { status, statusText: answer.statusMessage!, headers }
  const response = new Response(isEmpty ? null : body, init)
  return Object.defineProperty(response, 'url', { value: url.replace(/#.*$/, '') })
}

function bodyOf(answer: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
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
