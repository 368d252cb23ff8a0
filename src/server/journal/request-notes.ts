import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Decision } from '../../core/answer/decision.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { Headers } from '../../core/http/raw-request.ts'
import type { EndpointMatch } from '../../core/table/match.ts'
import { type StreamEvent, resultOf, eventText } from '../../core/stream/frames.ts'
import { toBase64 } from '../../core/stream/compile-socket.ts'
import type { Journal, JournalEntry } from '../../inspector/journal.ts'
import type { Decided } from '../reply.ts'
import { followPassed, onClose } from './note-passed.ts'

/** Faults that end a connection before the status is sent, or never send it. */
const withoutStatus: unknown[] = ['reset', 'empty', 'silent']

/** Milliseconds in which frames are told together. */
const toldEvery = 100

export interface SocketNotes {
  /** Id of the request in the inspector. */
  id: number
  /** Bytes are shown in Base64. */
  note: (direction: 'sent' | 'received', data: string | Uint8Array) => void
  /** `left` when the connection was lost, `broken` by a fault. */
  end: (state: 'complete' | 'left' | 'broken') => void
}

/** Nothing is written into the journal until the outcome of the request is known. */
export class RequestNotes {
  private readonly start: number
  private entry: JournalEntry | undefined

  constructor(
    private readonly journal: Journal,
    private readonly request: { method: string; url: string; headers: Headers; isServer: boolean },
    private readonly match: EndpointMatch,
  ) {
    this.start = journal.now()
  }

  get id(): number {
    return this.add().id
  }

  wait(): void {
    const entry = this.add()
    entry.headers = { ...entry.headers } // the next middleware may change its own
    this.journal.wait(entry)
  }

  /** Notes that the client has disconnected before it had sent everything. */
  abort(): void {
    const entry = this.add()
    entry.isAborted = true
    entry.isPending = true
    this.journal.end(entry, undefined)
  }

  pass(
    req: IncomingMessage,
    res: ServerResponse,
    { diagnostic, raw, request }: Decision,
    tell: (id: number) => void,
  ): void {
    const { journal } = this
    const entry = () => {
      const entry = Object.assign(this.add(), { diagnostic })
      if (raw.body) journal.keepBody(entry, raw.body)
      if (request?.graphql) journal.nameOperations(entry, [request])
      return entry
    }
    followPassed(journal, req, res, entry, () => this.entry !== undefined, tell)
  }

  /** Notes that the package has answered without a route. */
  endByPlugin(res: ServerResponse): void {
    const entry = this.add()
    entry.answeredBy = 'plugin'
    this.journal.end(entry, res.statusCode)
  }

  /** @param takesTime whether the response has not ended yet */
  respond(decision: Decided, res: ServerResponse, takesTime: boolean): void {
    const { journal } = this
    const { response } = decision
    const entry = this.add()
    journal.decide(entry, decision)
    if (!takesTime && !res.destroyed) return journal.end(entry, response.status, response)
    journal.wait(entry)
    onClose(res, () => {
      entry.isAborted = response.fault === undefined && !res.writableFinished
      const hasStatus = !entry.isAborted && !withoutStatus.includes(response.fault)
      journal.end(entry, hasStatus ? response.status : undefined, response)
    })
  }

  /** A streamed answer. Returns the function that receives its events. */
  stream(decision: Decided, res: ServerResponse): (event: StreamEvent) => void {
    const { journal } = this
    const { response, stream } = decision
    const entry = this.add()
    journal.decide(entry, decision)
    const record = journal.openStream(entry, response)
    const frames = this.framesOf(entry)
    onClose(res, () => {
      frames.end()
      if (record.state === 'open') record.state = res.writableFinished ? 'complete' : 'left'
      journal.end(entry, response.status, response)
    })
    return (event) => {
      const payload = stream!.fit ? resultOf(event) : event.data
      if (event.fault !== undefined) record.state = 'broken'
      if (payload === undefined) return
      const text = payload instanceof Uint8Array ? new TextDecoder().decode(payload) : eventText(payload)
      frames.add('sent', text, event.event)
    }
  }

  /** One row for a WebSocket, from its handshake to its end. */
  open(decision: Decided): SocketNotes {
    const { journal } = this
    const entry = this.add()
    journal.decide(entry, decision)
    const record = journal.openStream(entry, decision.response)
    const frames = this.framesOf(entry)
    return {
      id: entry.id,
      note: (direction, data) => frames.add(direction, typeof data === 'string' ? data : toBase64(data)),
      end(state) {
        frames.end()
        record.state = state
        journal.end(entry, decision.response.status, decision.response)
      },
    }
  }

  private framesOf(entry: JournalEntry) {
    const { journal } = this
    let timer: NodeJS.Timeout | undefined
    const tell = () => {
      timer = undefined
      journal.wait(entry)
    }
    return {
      add(direction: 'sent' | 'received', text: string, event?: string) {
        journal.addFrame(entry, direction, text, event)
        timer ??= setTimeout(tell, toldEvery).unref()
      },
      end: () => clearTimeout(timer),
    }
  }

  /** A body that no route needs may arrive after the answer was sent. */
  keepBody(body: ReceivedBody): void {
    if (body.kind === 'complete' && body.bytes) this.journal.keepBody(this.add(), body.bytes)
  }

  private add(): JournalEntry {
    const { journal, start, request, match } = this
    if (this.entry) return this.entry
    this.entry = journal.add(start, request.method, request.url, request.headers, match)
    if (request.isServer) this.entry.isServer = true
    return this.entry
  }
}
