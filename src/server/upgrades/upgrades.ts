import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { andThen } from '../../core/values/values.ts'
import { inProcess } from '../../wire/in-process.ts'

/*
 * Exactly one party answers an upgrade. Node calls every listener of `upgrade`, and two that answer corrupt both ends: so a
 * taker is asked before the event is emitted, and what it takes is not.
 */

export interface Taker {
  /** Whether the taker answers the upgrade, which then no one else sees. A promise while fixtures are loading. */
  take: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean | Promise<boolean>
  /** Whether the path is one of the taker: an upgrade that no one has answered is then refused. */
  refuses: (req: IncomingMessage) => boolean
  /** Says that no one has answered an upgrade. Without a taker that refuses it, it stays as the host leaves it. */
  tell: (req: IncomingMessage) => void
}

/** Milliseconds in which a backend has to accept a WebSocket that a proxy passes on. */
const patience = 5000
/** Milliseconds until the terminal says that no one has answered. */
const noticeAfter = 1000

const takersOf = inProcess('upgrades', () => new WeakMap<Server, Set<Taker>>())

/** In middleware mode, a dev server does not know the server that it is in. */
export function serverOf({ socket }: IncomingMessage): Server | undefined {
  return (socket as { server?: Server } | undefined)?.server
}

export function countUpgradeListeners(req: IncomingMessage): number {
  return serverOf(req)?.listenerCount('upgrade') ?? 0
}

/** @returns ends it */
export function takeUpgrades(server: Server, taker: Taker, patient = patience): () => void {
  const known = takersOf.get(server)
  const takers = known ?? new Set<Taker>()
  takers.add(taker)
  if (!known) {
    takersOf.set(server, takers)
    wrapEmit(server, takers, patient)
  }
  return () => void takers.delete(taker)
}

function wrapEmit(server: Server, takers: ReadonlySet<Taker>, patient: number): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the server as `this`
  const emit = server.emit as (this: Server, event: string, ...given: unknown[]) => boolean
  server.emit = function (this: Server, event: string, ...given: unknown[]): boolean {
    if (event !== 'upgrade' || takers.size === 0) return emit.call(this, event, ...given)
    const [req, socket, head] = given as [IncomingMessage, Duplex, Buffer]
    // Node listens no more to the errors of this socket: one would end the process.
    socket.on('error', () => {})
    const passOn = () => {
      const before = countListeners(socket)
      emit.call(this, event, ...given)
      refuseUntaken(req, socket, before)
    }
    void andThen(offer([...takers], req, socket, head), (isTaken) => (isTaken ? undefined : passOn()))
    return true
  } as Server['emit']

  /**
   * Clients of WebSockets that no one answers would wait forever, since the dev server listens to upgrades for hot reload. A new
   * listener of the socket is a proxy that waits for its backend, or Vite 8, which listens to the errors of every socket.
   */
  function refuseUntaken(req: IncomingMessage, socket: Duplex, before: number): void {
    const owner = [...takers].find((taker) => taker.refuses(req))
    const settle = () => {
      if (socket.destroyed || (socket as Socket).bytesWritten > 0) return
      for (const taker of owner ? [owner] : takers) taker.tell(req)
      if (owner) endUpgrade(socket)
    }
    setImmediate(() => {
      if (countListeners(socket) === before) settle()
      else setTimeout(settle, owner ? patient : noticeAfter).unref()
    })
  }
}

/** @returns whether one of the takers answers */
function offer(
  [taker, ...others]: readonly Taker[],
  ...upgrade: Parameters<Taker['take']>
): ReturnType<Taker['take']> {
  return taker ? andThen(taker.take(...upgrade), (isTaken) => isTaken || offer(others, ...upgrade)) : false
}

export function endUpgrade(socket: Duplex): void {
  socket.on('error', () => {}) // the client has disconnected
  socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
}

function countListeners(socket: Duplex): number {
  return socket.eventNames().reduce((count, name) => count + socket.listenerCount(name), 0)
}
