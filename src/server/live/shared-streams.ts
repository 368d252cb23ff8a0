import { isResult, jsonIn } from '../../core/graphql/result.ts'
import { clientOf } from '../../core/http/whose-state.ts'
import { streamToken } from '../../core/http/protocols.ts'
import { firstValues, type RawRequest } from '../../core/http/raw-request.ts'
import {
  prepareResponse,
  type PreparedResponse,
  withoutHeader,
} from '../../core/response/prepare-response.ts'
import { createFraming, operationFraming } from '../../core/stream/frames.ts'
import { wait, type Chunk } from '../../wire/web/web-fault.ts'
import type { Decided } from '../reply.ts'
import { chunksOf, type ServedStream } from './chunks.ts'
import { heartbeat, type Hub } from './hub.ts'

/** Reservations, and operations of one stream, so that a flood of them takes no memory. */
const maxStreams = 1000
const maxOperations = 1000

/** The results of several operations in one answer. */
class SharedStream {
  readonly operations = new Map<string, AbortController>()
  readonly end = new AbortController()
  isOpen = false
  readonly #waiting: { chunk: Chunk; taken: () => void }[] = []
  #wake = () => {}

  constructor() {
    this.end.signal.addEventListener('abort', () => {
      for (const operation of this.operations.values()) operation.abort()
      for (const { taken } of this.#waiting) taken()
      this.#wake()
    })
  }

  /** Resolves when it is written. */
  send(chunk: Chunk): Promise<void> {
    return new Promise((taken) => {
      if (this.end.signal.aborted) return taken()
      this.#waiting.push({ chunk, taken })
      this.#wake()
    })
  }

  async *chunks(): AsyncGenerator<Chunk, void> {
    const { signal } = this.end
    while (!signal.aborted) {
      const next = this.#waiting.shift()
      if (!next) await new Promise<void>((resolve) => (this.#wake = resolve))
      else {
        yield next.chunk
        next.taken()
      }
    }
  }
}

/**
 * The single connection mode of graphql-sse: PUT reserves a stream, GET opens it, POST sends an operation, and DELETE ends it.
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#single-connection-mode
 */
export class SharedStreams {
  readonly #streams = new Map<string, SharedStream>()

  constructor(private readonly hub: Hub) {}

  /** Answers PUT, GET and DELETE. */
  serve(raw: RawRequest): { response: PreparedResponse; stream?: ServedStream } {
    if (raw.method === 'PUT') return { response: this.#reserve() }
    const token = streamToken(raw)!
    const shared = this.#streams.get(token)
    if (!shared) return { response: refuse(404, noStream) }
    if (raw.method === 'DELETE') {
      const { operationId: id } = firstValues(raw.search)
      if (id === undefined) return { response: refuse(400, noOperation) }
      shared.operations.get(id)?.abort()
      return { response: prepareResponse({ status: 200 }) }
    }
    if (shared.isOpen) return { response: refuse(409, 'The stream is open already.') }
    shared.isOpen = true
    const { contentType, start } = createFraming('graphql-sse')
    const headers = { 'content-type': contentType, 'cache-control': 'no-cache, no-transform' }
    const timer: ReturnType<typeof setInterval> & { unref?: () => void } = setInterval(
      () => void shared.send(start),
      heartbeat,
    )
    timer.unref?.()
    const close = () => {
      clearInterval(timer)
      this.#streams.delete(token)
      shared.end.abort()
    }
    void shared.send(start)
    const response = withoutHeader(prepareResponse({ headers }), 'content-length')
    return { response, stream: { chunks: shared.chunks(), signal: shared.end.signal, close } }
  }

  #reserve(): PreparedResponse {
    if (this.#streams.size >= maxStreams) {
      const [unused] = [...this.#streams].find(([, { isOpen }]) => !isOpen) ?? []
      if (unused === undefined) return refuse(503, 'Too many streams are open.')
      this.#streams.get(unused)!.end.abort()
      this.#streams.delete(unused)
    }
    const token = crypto.randomUUID()
    this.#streams.set(token, new SharedStream())
    return prepareResponse({ status: 201, body: token })
  }

  /** The answer to the request that sends an operation. */
  accept(token: string, decision: Decided): PreparedResponse {
    if (decision.by === 'refused')
      return { ...decision.response, status: Math.max(400, decision.response.status) }
    const shared = this.#streams.get(token)
    if (!shared) return refuse(404, noStream)
    const id = decision.request?.graphql?.extensions?.['operationId']
    if (typeof id !== 'string' || id === '') return refuse(400, noOperation)
    if (shared.operations.has(id)) return refuse(409, `The operation "${id}" exists already.`)
    if (shared.operations.size >= maxOperations) return refuse(429, 'Too many operations.')
    const end = new AbortController()
    shared.operations.set(id, end)
    void this.#run(shared, id, decision, end.signal).finally(() => shared.operations.delete(id))
    return prepareResponse({ status: 202 })
  }

  async #run(shared: SharedStream, id: string, decision: Decided, signal: AbortSignal): Promise<void> {
    const { stream, route, response, raw } = decision
    if (decision.wait > 0) await wait(decision.wait, signal)
    const framing = operationFraming(id)
    if (signal.aborted) return shared.send(framing.end())
    if (!stream || !route || response.fault !== undefined) {
      if (response.fault !== undefined) return shared.send({ fault: 'reset' })
      const result = jsonIn(response)
      const message = `The mock API answered with the status ${response.status} and no result.`
      await shared.send(framing.frame(isResult(result) ? (result as object) : { errors: [{ message }] }))
      return shared.send(framing.end())
    }
    const open = this.hub.open({ stream, route, client: clientOf(raw.headers) })
    signal.addEventListener('abort', () => open.close())
    open.signal.addEventListener('abort', () => {
      if (open.signal.reason === 'cut') shared.end.abort('cut')
    })
    let isComplete = false
    const end = () => {
      isComplete = true
      return framing.end()
    }
    for await (const chunk of chunksOf(open, { ...framing, end })) await shared.send(chunk)
    // Unless the client ends it: its route has changed, and the client is to connect again.
    if (!isComplete) await shared.send(signal.aborted ? framing.end() : { fault: 'reset' })
  }
}

const noOperation = 'The operation has no "operationId".'
const noStream = 'No event stream has this token.'

function refuse(status: number, message: string): PreparedResponse {
  return prepareResponse({ status, body: { errors: [{ message }] } })
}
