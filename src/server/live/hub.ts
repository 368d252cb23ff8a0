import type { Decision } from '../../core/answer/decision.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { jsonIn } from '../../core/graphql/result.ts'
import type { CollectionStore } from '../../core/collection/collection-store.ts'
import { clientOf } from '../../core/http/whose-state.ts'
import { bodyAsText, type PreparedResponse } from '../../core/response/prepare-response.ts'
import type { StreamFault } from '../../core/schema/fault-schema.ts'
import type { Trigger, triggerNames } from '../../core/schema/stream-schema.ts'
import { openEvents } from '../../core/stream/open-events.ts'
import type { PreparedStream } from '../../core/stream/stream.ts'
import type { StreamEvent } from '../../core/stream/frames.ts'
import type { CompiledRoute, RouteTable } from '../../core/table/route-table.ts'
import { isRecord } from '../../core/values/values.ts'
import { wait } from '../../wire/web/web-fault.ts'

/** Something that has happened, which triggers of streams may name. */
interface HubEvent {
  by: (typeof triggerNames)[number]
  name: string
  /** Client whose streams get the event; the empty string means all. */
  client: string
  data: unknown
  event?: string | undefined
}

/** An event for a channel, or for certain streams, or their end. */
interface Push {
  channel?: string
  /** The name or the id of a route. */
  route?: string
  /** Id of the request in the inspector. */
  request?: number
  data?: unknown
  event?: string
  end?: 'complete' | StreamFault
}

interface StreamOwner {
  stream: PreparedStream
  route: CompiledRoute
  client: string
  /** Id of the request in the inspector. */
  request?: number | undefined
}

/** A stream or a WebSocket that is open. */
interface Held {
  /** Absent for a WebSocket of GraphQL, whose operations are streams of their own. */
  route?: CompiledRoute
  client: string
  request?: number | undefined
  /** Adds an event, in front of those that are not due yet. */
  send: (event: StreamEvent) => void
  /** Ends it at once: the server closes, or the file of its route has changed. */
  close: (why?: 'reload') => void
}

export interface OpenStream extends Held {
  /** Events of the stream and its triggers, when they are due; also heartbeats. */
  events: AsyncGenerator<StreamEvent, void>
  /** Aborts with the end; its reason is `cut` for a client that does not read. */
  signal: AbortSignal
}

export interface Hub {
  /** Calls a listener with the events of triggers until the returned function is called. */
  subscribe: (on: readonly Trigger[], client: string, listener: (event: StreamEvent) => void) => () => void
  /** @returns how many listeners it has reached */
  emit: (event: HubEvent) => number
  held: ReadonlySet<Held>
  /** Calls `send` and `close` until the returned function is called. */
  hold: (held: Held) => () => void
  /** @returns how many streams it has reached */
  push: (push: Push, client: string) => number
  /** Whether anyone listens to triggers. */
  isHeard: () => boolean
  emitAnswer: (decision: Decision) => void
  open: (owner: StreamOwner) => OpenStream
  /** Ends streams and WebSockets whose route has changed. */
  reload: (table: RouteTable) => void
  close: () => void
}

/** Milliseconds between two heartbeats, which keep proxies from closing an idle connection. */
export const heartbeat = 12_000
/** Listeners that are told before other work of the process has its turn. */
const maxAtOnce = 100

export function createHub(report: Report, collections?: Pick<CollectionStore, 'onChange'>): Hub {
  const listeners = new Set<{
    on: readonly Trigger[]
    client: string
    listener: (event: StreamEvent) => void
  }>()
  const held = new Set<Held>()
  let isClosed = false
  const due: (() => void)[] = []
  let turn: ReturnType<typeof setTimeout> | undefined
  let timer: (ReturnType<typeof setInterval> & { unref?: () => void }) | undefined

  function beat(): void {
    for (const { send } of held) send({ isHeartbeat: true })
  }

  /** Tells listeners in their order, with other work of the process between them: 1000 streams take 50 ms. */
  function tellDue(): void {
    for (const tell of due.splice(0, maxAtOnce)) tell()
    turn = due.length > 0 ? setTimeout(tellDue) : undefined
  }

  const forget = collections?.onChange(({ collection, client, done, item }) =>
    hub.emit({ by: 'collection', name: collection, client, data: item, event: done }),
  )

  const hub: Hub = {
    held,

    hold(one) {
      if (isClosed) {
        one.close()
        return () => {}
      }
      held.add(one)
      timer ??= setInterval(beat, heartbeat)
      timer.unref?.()
      return () => {
        held.delete(one)
        if (held.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },

    subscribe(on, client, listener) {
      if (on.length === 0) return () => {}
      const entry = { on, client, listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },

    emit({ by, name, client, data, event }) {
      const told = [...listeners].filter(
        (one) => (client === '' || one.client === client) && one.on.some((trigger) => trigger[by] === name),
      )
      for (const one of told) {
        const type = one.on.find((trigger) => trigger[by] === name)!.event ?? event
        due.push(() => {
          if (listeners.has(one)) one.listener({ by, data, ...(type !== undefined && { event: type }) })
        })
      }
      if (turn === undefined) tellDue()
      return told.length
    },

    push({ channel, route, request, data, event, end }, client) {
      if (channel !== undefined) return hub.emit({ by: 'push', name: channel, client, data, event })
      const meant = [...held].filter(
        (one) =>
          (request === undefined
            ? one.route && (one.route.name === route || one.route.id === route)
            : one.request === request) &&
          (client === '' || one.client === client),
      )
      for (const { send } of meant) {
        send({
          by: 'push',
          ...(data !== undefined && { data }),
          ...(event !== undefined && { event }),
          ...(end === 'complete' ? { isLast: true } : end !== undefined && { fault: end }),
        })
      }
      return meant.length
    },

    isHeard: () => listeners.size > 0,

    emitAnswer({ batch, ...decision }) {
      for (const { by, route, request, response, stream, raw } of batch ?? [decision]) {
        const answer = stream ? stream.whole : response
        if (by !== 'route' || !route || !answer || answer.status >= 400 || answer.fault !== undefined)
          continue
        const client = clientOf(raw.headers)
        const data = dataIn(answer)
        hub.emit({ by: 'route', name: route.name, client, data })
        const name = request?.operationType?.valueOf() === 'mutation' ? request.operationName : undefined
        if (name !== undefined && isRecord(data) && isRecord(data['data']))
          hub.emit({ by: 'mutation', name, client, data: data['data'] })
      }
    },

    open({ stream, route, client, request }) {
      const end = new AbortController()
      const { signal } = end
      let tell: ((event: StreamEvent) => void) | undefined
      const open: OpenStream = {
        route,
        client,
        request,
        signal,
        send: (event: StreamEvent) => tell?.(event),
        close: () => end.abort(),
        events: openEvents(stream, { signal, wait, listen, report, cut: () => end.abort('cut') }),
      }
      function listen(listener: (event: StreamEvent) => void) {
        tell = listener
        const release = hub.hold(open)
        const unlisten = hub.subscribe(stream.on, client, listener)
        return () => {
          unlisten()
          release()
        }
      }
      return open
    },

    reload({ endpoints }) {
      if (held.size === 0) return
      // The source of an unchanged file stays the same object.
      const sources = new Set(endpoints.flatMap(({ routes }) => routes.map(({ source }) => source)))
      for (const { route, close } of held) if (route && !sources.has(route.source)) close('reload')
    },

    close() {
      isClosed = true
      forget?.()
      for (const { close } of held) close()
      listeners.clear()
      clearTimeout(turn)
      clearInterval(timer)
    },
  }
  return hub
}

function dataIn(response: PreparedResponse): unknown {
  return jsonIn(response) ?? (response.body.length > 0 ? bodyAsText(response.body) : null)
}
