import * as v from 'valibot'
import { givenFor } from '../../core/answer/by-route.ts'
import { functionFailed } from '../../core/answer/error-response.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { clientOf } from '../../core/http/whose-state.ts'
import type { StreamEvent } from '../../core/stream/frames.ts'
import { parseJson } from '../../core/http/body.ts'
import { functionRequest, ParsedRequest } from '../../core/request/parsed-request.ts'
import { makeValue } from '../../core/request-values/compile-values.ts'
import { TooMuchFromRequest } from '../../core/request-values/read-value.ts'
import { waitOf } from '../../core/response/delay.ts'
import { type SocketFunction, socketStepSchema } from '../../core/schema/websocket-schema.ts'
import type { CompiledRoute } from '../../core/table/route-table.ts'
import type { EndpointMatch } from '../../core/table/match.ts'
import {
  type CompiledSocket,
  type CompiledStep,
  compileSteps,
  findAnswer,
  toBase64,
} from '../../core/stream/compile-socket.ts'
import { socketFramings } from '../../core/stream/socket-framing.ts'
import type { Hub } from '../live/hub.ts'
import type { SocketClient } from './client.ts'

export interface RouteContext {
  match: EndpointMatch
  route: CompiledRoute
  socket: CompiledSocket
  /** The request that has opened the WebSocket. */
  request: ParsedRequest
  rules: Rules
  report: Report
  hub: Hub
  /** The request, as the inspector counts. */
  id?: number | undefined
}

/** Maximum answers that wait in one WebSocket. */
const maxWaiting = 1000

const goingAway = 1001
const internalError = 1011
const policyViolation = 1008
/** Close code for clients that are to connect again. */
const serviceRestart = 1012

/** A WebSocket of a route: its messages in their order, and answers to those of the client. */
export function serveRoute(client: SocketClient, context: RouteContext): void {
  new RouteSession(client, context).start()
}

/** Ends it with the server, or when the file of its route has changed. */
export function endOf(client: SocketClient) {
  return (why?: 'reload') => client.end(why === 'reload' ? serviceRestart : goingAway)
}

class RouteSession {
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #isOver = false

  constructor(
    private readonly client: SocketClient,
    private readonly context: RouteContext,
  ) {}

  start(): void {
    const { client: connection, context } = this
    const { route, socket, request, hub, id } = context
    const client = clientOf(request.headers)
    const send = (event: StreamEvent) => this.#push(event)
    const release = hub.hold({ route, client, request: id, send, close: endOf(connection) })
    const unsubscribe = hub.subscribe(socket.on, client, send)
    connection.onClose(() => {
      this.#end()
      unsubscribe()
      release()
    })
    connection.onMessage((data) => this.#answer(data))
    this.#run(socket.open, request)
  }

  #end(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #push(event: StreamEvent): void {
    const { data, isHeartbeat, isLast, fault } = event
    if (isHeartbeat || this.#isOver) return
    const { request, socket } = this.context
    if (data !== undefined) this.#send(socketFramings[socket.framing].ofEvent(event), request)
    this.#do({ delay: 0, fault, close: isLast ? { code: 1000, reason: '' } : undefined }, request)
  }

  #answer(data: string | Uint8Array): void {
    if (this.#isOver) return
    const { socket } = this.context
    const request = this.#requestWith(data)
    const answer = findAnswer(socket, request)
    if (!answer) return
    if ('respond' in answer) void this.#call(answer.respond, request)
    else this.#run(answer.steps, request)
  }

  /** The message is its body, so that selectors and values read it like that of any other request. */
  #requestWith(data: string | Uint8Array): ParsedRequest {
    const { raw, params } = this.context.request
    const { method, url, path, search, headers } = raw
    const text = typeof data === 'string' ? data : `{"bytes":"${toBase64(data)}"}`
    const body = new TextEncoder().encode(text)
    const message = { method, url, path, search, headers, params, body }
    const parsed = parseJson(text)
    return new ParsedRequest(message, params, parsed.malformed === undefined ? parsed.value : text)
  }

  async #call(respond: SocketFunction, request: ParsedRequest): Promise<void> {
    const { match, route, rules, report, request: opening } = this.context
    try {
      const message = functionRequest(request).body
      const called = Promise.resolve(respond(message, functionRequest(opening)))
      const returned = await rules.limits.inTime(called)
      if (!v.is(stepsSchema, returned))
        throw new TypeError('it must return { send: … }, a list of these, or nothing')
      this.#run(compileSteps(returned), request)
    } catch (error) {
      const asked = { endpoint: match.endpoint, raw: opening.raw, route }
      report(functionFailed(asked, 'response', error).diagnostic)
      this.client.close(internalError, 'The function of the route failed.')
    }
  }

  #run(steps: readonly CompiledStep[], request: ParsedRequest, from = 0): void {
    for (let index = from; index < steps.length && !this.#isOver; index++) {
      const step = steps[index]!
      const wait = waitOf(step.delay, request.raw)
      if (wait === 0) {
        this.#do(step, request)
        continue
      }
      this.#later(wait, () => {
        this.#do(step, request)
        this.#run(steps, request, index + 1)
      })
      return
    }
  }

  #later(milliseconds: number, run: () => void): void {
    if (this.#timers.size >= maxWaiting) return this.client.close(policyViolation, 'Too many messages.')
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#isOver) run()
    }, milliseconds)
    this.#timers.add(timer)
  }

  #do({ message, close, fault, scenario }: CompiledStep, request: ParsedRequest): void {
    const { client } = this
    const { rules, route } = this.context
    if (scenario) rules.state.changeScenarios(scenario, clientOf(request.headers), route.id)
    if (message !== undefined) this.#send(message, request)
    if (close) client.close(close.code, close.reason)
    if (!fault) return
    this.#end()
    client.fail(fault)
  }

  #send(message: unknown, request: ParsedRequest): void {
    const { route, rules, report, socket } = this.context
    try {
      const value = makeValue(message, givenFor({ rules, route, request }))
      const written = socketFramings[socket.framing].write(value, request.body)
      if (written !== undefined) this.client.send(written)
    } catch (error) {
      const reason =
        error instanceof TooMuchFromRequest ? 'its message takes too much of a request' : String(error)
      report(diagnoseRequest('socket-failed', route.source, { name: route.name, reason }))
      this.client.close(internalError, 'The message could not be made.')
    }
  }
}

const stepsSchema = v.optional(v.union([socketStepSchema, v.array(socketStepSchema)]))
