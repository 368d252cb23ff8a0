import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientOf } from '../../core/http/whose-state.ts'
import { otherMachine } from '../../wire/node/this-machine.ts'
import type { RequestSummary, StreamEvent } from '../api/api.ts'
import { isMiss } from '../client/is-miss.ts'
import type { JournalEntry } from '../journal.ts'
import { tryAgain } from '../try-request.ts'
import { createSearch, showDetails, showSummary } from '../show.ts'
import type { ApiHandlers, InspectedServer, Site } from './context.ts'
import { findEntry, explainEntry } from './explain-route.ts'
import { scenarioNow, shownOverrides } from './state.ts'
import { HttpError, setOwnHeaders } from './json.ts'
import { SadPaths } from '../sad-paths.ts'
import { errorsIn } from '../../core/diagnostics/severity.ts'

/** Milliseconds for which requests that are passed on are recorded after a list has asked for them. */
const passedFor = 60_000

/** Sad paths in an answer: more do not help to find out what a page does. */
const usualSadPaths = 100

export function createRequestHandlers(server: InspectedServer) {
  const { journal, store, state, open } = server
  const streams = new Set<EventStream>()
  let passedTimer: NodeJS.Timeout | undefined

  const stateEvent = (client: string): StreamEvent => ({
    event: 'state',
    data: { ...scenarioNow(server, client), overrides: shownOverrides(server, client) },
  })

  store.onReload(({ table, diagnostics }) => {
    const errors = errorsIn(diagnostics).length
    const message = messageOf({ event: 'reload', data: { routeCount: table.routeCount, errors } })
    for (const { res, client } of streams) {
      if (state.overrides.isOn) send(res, messageOf(stateEvent(client))) // its routes may be gone
      send(res, message)
    }
  })
  state.onChange(() => {
    for (const { res, client } of streams) send(res, messageOf(stateEvent(client)))
  })

  journal.listen((entry) => {
    let message: string | undefined
    for (const { res, wants } of streams) if (wants(entry)) send(res, (message ??= showEntry(entry)))
  })

  async function showNow(entry: JournalEntry, site: Site): Promise<RequestSummary> {
    const shown = showSummary(entry)
    const by = isMiss(shown) ? (await tryAgain(server, site, entry))?.answeredBy : undefined
    const isMended = by === 'route' || by === 'template'
    return isMended ? { ...shown, isMended } : shown
  }

  const showEntry = (entry: JournalEntry): string =>
    messageOf({ event: 'request', data: showSummary(entry) }, entry.id)

  function updatePassed(): void {
    journal.keepsPassed = passedTimer !== undefined || [...streams].some(({ isPassed }) => isPassed)
  }

  function recordPassedForAWhile(isOn: boolean): void {
    clearTimeout(passedTimer)
    passedTimer = isOn ? setTimeout(recordPassedForAWhile, passedFor, false).unref() : undefined
    updatePassed()
  }

  return {
    'GET /requests': async ({ query, site }) => {
      const wants = filterOf(query)
      const limit = readLimit(query, journal.capacity)
      if (query.has('passed')) recordPassedForAWhile(wantsPassed(query))
      const hasText = createSearch(query.get('search') ?? '')
      const entries = [...journal.after(0)].reverse()
      const newest = entries.filter((entry) => wants(entry) && hasText(entry)).slice(0, limit)
      const requests = newest.map((entry) => showNow(entry, site))
      return { requests: await Promise.all(requests), capacity: journal.capacity }
    },

    'GET /requests/stream': ({ req, res, query, client }) => {
      const isElsewhere = otherMachine(req.socket) !== undefined
      const others = [...streams].filter((stream) => stream.isElsewhere).length
      if (streams.size >= maxStreams || (isElsewhere && others >= maxStreams / 2))
        throw new HttpError(409, 'api-streams-full', {
          message: `${streams.size} clients listen to the event stream already.`,
          fix: 'Close pages of the inspector that are not used, or ask GET requests.',
        })
      if (!open.hold(res)) return
      if (!openStream(req, res)) return
      const wants = filterOf(query)
      const owner = query.get('client') ?? client
      const stream = { res, wants, client: owner, isPassed: wantsPassed(query), isElsewhere }
      streams.add(stream)
      updatePassed()
      res.once('close', () => {
        streams.delete(stream)
        updatePassed()
      })
      send(res, messageOf(stateEvent(owner)))
      const lastSeen = readId(req.headers['last-event-id']) ?? readId(query.get('after'))
      if (lastSeen === undefined) return
      // An unknown id is from before a restart of the server.
      const from = lastSeen > journal.lastId ? 0 : lastSeen
      for (const entry of journal.after(from)) if (wants(entry)) send(res, showEntry(entry))
    },

    'GET /requests/{id}': async ({ params, site }) => {
      const entry = findEntry(server, params['id']!)
      const { isMended } = await showNow(entry, site)
      // Why nothing has answered is asked of the routes as they are now.
      const details = showDetails(entry, explainEntry(server, entry, isMended ? undefined : site))
      return isMended ? { ...details, isMended } : details
    },

    'GET /sad-paths': async ({ query, site }) => {
      const [request, route] = [query.get('request'), query.get('route')]
      if ((request === null) === (route === null))
        throw new HttpError(400, 'api-parameter-invalid', {
          message: 'Either "request" or "route" is needed.',
          fix: 'Ask for sad-paths?request=7 with the id of a request, or for sad-paths?route=… with that of a route.',
        })
      const limit = readLimit(query, usualSadPaths)
      const all =
        request === null
          ? await sadPathsOfRoute(server, site, route!)
          : await new SadPaths(server, site).ofRequest(findEntry(server, request))
      return { sadPaths: all.slice(0, limit), more: Math.max(0, all.length - limit) }
    },
  } satisfies Partial<ApiHandlers>
}

async function sadPathsOfRoute(server: InspectedServer, site: Site, id: string) {
  const { endpoints } = server.store.current!.table
  const endpoint = endpoints.find(({ routes }) => routes.some((one) => one.id === id))
  const route = endpoint?.routes.find((one) => one.id === id)
  if (!endpoint || !route)
    throw new HttpError(404, 'api-route-unknown', {
      message: `No route has the id "${id}".`,
      fix: 'GET routes lists the ids.',
    })
  const found = await new SadPaths(server, site).ofRoute(endpoint, route)
  if (found) return found.sadPaths
  throw new HttpError(409, 'api-answer-unknown', {
    message: `What "${route.name}" answers is not known yet.`,
    fix: 'Send a request that it answers, and ask again.',
  })
}

/** `undefined` for what is not an id, such as an empty header. */
function readId(given: unknown): number | undefined {
  return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : undefined
}

function wantsPassed(query: URLSearchParams): boolean {
  return query.get('passed') === 'true'
}

function filterOf(query: URLSearchParams): (entry: JournalEntry) => boolean {
  const client = query.get('client')
  const withPassed = wantsPassed(query)
  return ({ answeredBy, headers, status, isAborted, isUnanswered }) => {
    const isPending = status === undefined && !isAborted
    const isListed = isPending || isAborted || isUnanswered || status === 404
    if (answeredBy === 'passed-on' && !withPassed && !isListed) return false
    return client === null || clientOf(headers) === client
  }
}

function readLimit(query: URLSearchParams, most: number): number {
  const limit = Number(query.get('limit') ?? most)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new HttpError(400, 'api-parameter-invalid', {
    message: 'The parameter "limit" must be a whole number above 0.',
    fix: 'Leave it out to get as many as usual.',
  })
}

/** Milliseconds between two comments, which keep proxies from closing an idle connection. */
const heartbeat = 15_000
/** Unread bytes after which a client is disconnected. It reconnects, and asks for what it has missed. */
const maxUnread = 4_194_304

/** Each makes every request of the application slower. Half of them are for this machine. */
const maxStreams = 100

interface EventStream {
  res: ServerResponse
  wants: (entry: JournalEntry) => boolean
  client: string
  isPassed: boolean
  isElsewhere: boolean
}

function messageOf({ event, data }: StreamEvent, id?: number): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** @returns whether it is to be followed: `HEAD` asks for the headers alone */
function openStream({ method }: IncomingMessage, res: ServerResponse): boolean {
  setOwnHeaders(res)
  res.statusCode = 200
  res.setHeader('content-type', 'text/event-stream; charset=utf-8')
  res.setHeader('x-accel-buffering', 'no')
  if (method === 'HEAD') {
    res.end()
    return false
  }
  res.write('retry: 1000\n\n')
  // It must not keep the process alive.
  const timer = setInterval(() => res.write(':\n\n'), heartbeat).unref()
  res.once('close', () => clearInterval(timer))
  res.on('error', () => {}) // the client has left
  return true
}

function send(res: ServerResponse, message: string): void {
  if (res.destroyed) return
  res.write(message)
  if (res.writableLength > maxUnread) res.destroy()
}
