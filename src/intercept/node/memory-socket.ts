import { Duplex } from 'node:stream'

/**
 * One end of a connection inside this process, which `node:http` takes in place of a socket, on both sides. Unlike
 * `stream.duplexPair`, it can be reset.
 */
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

  /* What connections of a machine have, and this one does not need. */

  setTimeout(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
}
