import type { StreamEvent } from './frames.ts'
import { parseExactly, toJson, writtenNumber } from '../values/exact-number.ts'
import { isRecord } from '../values/values.ts'

/** How the messages of a WebSocket are written, in one entry for each protocol that routes can speak. */
interface SocketFraming {
  /**
   * @param answered the message of the client that is answered
   * @returns `undefined` if there is nothing to send
   */
  write: (message: unknown, answered: unknown) => string | Uint8Array | undefined
  /** The message that tells of an event of a trigger. */
  ofEvent: (event: StreamEvent) => unknown
}

export const socketFramings = {
  none: {
    write(message) {
      const isText = typeof message === 'string' && writtenNumber(message) === undefined
      return isText || message instanceof Uint8Array ? message : toJson(message)
    },
    ofEvent: ({ data }) => data,
  },
  /** Packets without their namespace. An object of other keys is the data of the event `message`, as a text is. */
  'socket.io': {
    write(message, answered) {
      if (message instanceof Uint8Array) throw new TypeError('binary messages of Socket.IO are left out')
      if (!isWrittenPacket(message)) return `${packet.event}${toJson(['message', message])}`
      const { ack, event = 'message', data, args = data === undefined ? [] : [data] } = message
      if (ack === undefined) return `${packet.event}${toJson([event, ...[args].flat()])}`
      const id = isRecord(answered) ? answered['ack'] : undefined
      return typeof id === 'number' ? `${packet.ack}${id}${toJson([ack].flat())}` : undefined
    },
    ofEvent: ({ event = 'message', data }) => ({ event, data }),
  },
} satisfies Record<string, SocketFraming>

/** Keys of an event of Socket.IO, in steps and in selectors. */
export const eventKeys = ['event', 'data', 'args', 'ack']

export function isWrittenPacket(message: unknown): message is Record<string, unknown> {
  return isRecord(message) && eventKeys.some((key) => key in message)
}

/** @see https://socket.io/docs/v4/socket-io-protocol/#packet-encoding */
export const packet = { connect: '0', disconnect: '1', event: '2', ack: '3', refused: '4' }
/** @see https://socket.io/docs/v4/engine-io-protocol/#protocol */
export const enginePacket = {
  open: '0',
  close: '1',
  ping: '2',
  pong: '3',
  message: '4',
  upgrade: '5',
  noop: '6',
}
/** Between the packets of one body. */
export const separator = '\x1e'

export function packetOf(type: string, namespace: string, rest = ''): string {
  return `${enginePacket.message}${type}${namespace === '/' ? '' : `${namespace},`}${rest}`
}

/** `undefined` for what is no packet. */
export function readPacket(text: string) {
  const found = /^([0-6])(?:\d+-)?(?:(\/[^,?]*)[^,]*,?)?(\d*)(.*)$/s.exec(text)
  if (!found) return undefined
  const [, type = '', namespace = '/', id = '', json = ''] = found
  try {
    return { type, namespace, id, data: json === '' ? undefined : parseExactly(json) }
  } catch {
    return undefined
  }
}

/** An event as selectors and values read it. `ack` is there if the client waits for an acknowledgement. */
export function eventAsJson({ id, data }: NonNullable<ReturnType<typeof readPacket>>): string | undefined {
  if (!Array.isArray(data)) return undefined
  const [event, ...args] = data as unknown[]
  return toJson({ event, data: args[0], args, ...(id !== '' && { ack: Number(id) }) })
}

/** Names the session of a request that belongs to one. */
export function sessionOf(search: string): string | undefined {
  return new URLSearchParams(search).get('sid') ?? undefined
}

/** Whether a client of Socket.IO asks: the version of its transport is in each URL. */
export function isSocketIo(url: string): boolean {
  return /[?&]EIO=\d/.test(url)
}
