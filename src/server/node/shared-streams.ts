import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isResult, jsonIn } from '../../core/graphql/result.ts'
import { clientOf } from '../../core/http/client.ts'
import { streamToken } from '../../core/http/protocols.ts'
import { queryValue, type RawRequest } from '../../core/http/raw-request.ts'
import {
  prepareResponse,
  type PreparedResponse,
  withoutHeader,
} from '../../core/response/prepare-response.ts'
import { createFraming, operationFraming } from '../../core/stream/frames.ts'
import type { OpenAnswers } from '../../wire/node/open-answers.ts'
import { writeResponse } from '../../wire/node/write-response.ts'
import { writeStream } from '../../wire/node/write-stream.ts'
import { wait } from '../../wire/web/web-fault.ts'
import type { Decided } from '../handle-request.ts'
import { type Chunk, chunksOf } from '../live/chunks.ts'
import { heartbeat, type Hub } from '../live/hub.ts'

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

  constructor(
    private readonly open: OpenAnswers,
    private readonly hub: Hub,
  ) {}

  /** PUT, GET and DELETE. */
  serve(req: IncomingMessage, res: ServerResponse, raw: RawRequest): void {
    const answer = this.#answer(req, res, raw)
    if (answer) writeResponse(req, res, answer)
  }

  #answer(req: IncomingMessage, res: ServerResponse, raw: RawRequest): PreparedResponse | undefined {
    if (raw.method === 'PUT') return this.#reserve()
    const token = streamToken(raw)!
    const shared = this.#streams.get(token)
    if (!shared) return refuse(404, noStream)
    if (raw.method === 'DELETE') {
      shared.operations.get(queryValue(raw.search, 'operationId') ?? '')?.abort()
      return prepareResponse({ status: 200 })
    }
    if (shared.isOpen) return refuse(409, 'The stream is open already.')
    shared.isOpen = true
    if (!this.open.hold(res)) return undefined
    const { contentType, start } = createFraming('graphql-sse')
    const headers = { 'content-type': contentType, 'cache-control': 'no-cache, no-transform' }
    const head = withoutHeader(prepareResponse({ headers }), 'content-length')
    const timer = setInterval(() => void shared.send(start), heartbeat).unref()
    res.once('close', () => {
      clearInterval(timer)
      this.#streams.delete(token)
      shared.end.abort()
    })
    void shared.send(start)
    writeStream(req, res, head, shared.chunks(), shared.end.signal).catch(() => res.destroy())
    return undefined
  }

  #reserve(): PreparedResponse {
    if (this.#streams.size >= maxStreams) {
      const [unused] = [...this.#streams].find(([, { isOpen }]) => !isOpen) ?? []
      if (unused === undefined) return refuse(503, 'Too many streams are open.')
      this.#streams.get(unused)!.end.abort()
      this.#streams.delete(unused)
    }
    const token = randomUUID()
    this.#streams.set(token, new SharedStream())
    return prepareResponse({ status: 201, body: token })
  }

  /** The answer to the request that sends an operation. `undefined` for one that is not run. */
  accept(token: string, decision: Decided): PreparedResponse | undefined {
    if (decision.by === 'refused') return undefined
    const shared = this.#streams.get(token)
    if (!shared) return refuse(404, noStream)
    const id = decision.request?.graphql?.extensions?.['operationId']
    if (typeof id !== 'string' || id === '') return refuse(400, 'The extension "operationId" is missing.')
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
    if (signal.aborted) return
    const framing = operationFraming(id)
    if (!stream || !route || response.fault !== undefined) {
      if (response.fault !== undefined) return shared.send({ fault: 'reset' })
      const result = jsonIn(response)
      const message = `The mock API answered with the status ${response.status} and no result.`
      await shared.send(framing.frame(isResult(result) ? (result as object) : { errors: [{ message }] }))
      return shared.send(framing.end())
    }
    const open = this.hub.open({ stream, route, client: clientOf(raw.headers) })
    signal.addEventListener('abort', () => open.close())
    let isComplete = false
    const end = () => {
      isComplete = true
      return framing.end()
    }
    for await (const chunk of chunksOf(open, { ...framing, end }, () => {})) await shared.send(chunk)
    // Its route has changed, or its client does not read: the client is to connect again.
    if (!isComplete && !signal.aborted) await shared.send({ fault: 'reset' })
  }
}

const noStream = 'No event stream has this token.'

function refuse(status: number, message: string): PreparedResponse {
  return prepareResponse({ status, body: { errors: [{ message }] } })
}
