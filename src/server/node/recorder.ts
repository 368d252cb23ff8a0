import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeAnswer, interceptAnswer, type AnswerHead } from '../../backend/intercept-answer.ts'
import type { Decision } from '../../core/answer/decision.ts'
import { maxBackendAnswer } from '../../core/answer/change-answer.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import { Budget } from '../../core/graphql/budget.ts'
import { documentReaderOf } from '../../core/graphql/document.ts'
import { readGraphQL } from '../../core/graphql/params.ts'
import type { Headers } from '../../core/http/raw-request.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { type BackendPaths, matchBackend } from '../../core/sad-path/backend-endpoint.ts'
import type { EndpointMatch } from '../../core/table/match.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { StreamEvent } from '../../core/stream/event.ts'
import { resultOf } from '../../core/stream/frames.ts'
import { toBase64 } from '../../core/websocket/compile-socket.ts'
import { toJson } from '../../core/values/exact-number.ts'
import type { Journal, JournalEntry } from '../../inspector/journal.ts'
import { beforeHead } from '../../wire/node/write-response.ts'
import type { Decided } from '../reply.ts'
import { isMiss, isOfScript, isPageOrNothing } from './unanswered.ts'

/** Faults that end a connection before the status is sent, or never send it. */
const withoutStatus: unknown[] = ['reset', 'empty', 'silent']

/** Milliseconds in which frames are told together. */
const toldEvery = 100

export interface SocketRecord {
  /** As the inspector counts. */
  id: number
  /** Bytes are shown in Base64. */
  note: (direction: 'sent' | 'received', data: string | Uint8Array) => void
  /** `left` when the connection was lost, `broken` by a fault. */
  end: (state: 'complete' | 'left' | 'broken') => void
}

/** Nothing is written into the journal until the outcome of the request is known. */
export class Recorder {
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

  /** The client has disconnected before it had sent everything. */
  abort(): void {
    const entry = this.add()
    entry.isAborted = true
    entry.isPending = true
    this.journal.end(entry, undefined)
  }

  pass(res: ServerResponse, { diagnostic, raw, request }: Decision): void {
    const { journal } = this
    if (!journal.recordsPassed && !this.entry) return
    const end = (response?: PreparedResponse) => {
      const entry = Object.assign(this.add(), { diagnostic })
      if (raw.body) journal.keepBody(entry, raw.body)
      if (request?.graphql) journal.nameOperations(entry, [request])
      endPassed(journal, entry, res, response)
    }
    if (journal.recordsPassed) keepAnswer(res, end)
    else onClose(res, end)
  }

  /** The package has answered without a route. */
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
      const text =
        typeof payload === 'string'
          ? payload
          : payload instanceof Uint8Array
            ? new TextDecoder().decode(payload)
            : toJson(payload)!
      frames.add('sent', text, event.event)
    }
  }

  /** One row for a WebSocket, from its handshake to its end. */
  open(decision: Decided): SocketRecord {
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

/**
 * Without a client that asks for all, only what has got no answer: mostly a route that is missing.
 *
 * @param tell called before the answer of the dev server is sent, if it is none for the script that has asked
 * @param body where it was read
 */
export function recordPassed(
  journal: Journal,
  req: IncomingMessage,
  url: string,
  res: ServerResponse,
  paths: BackendPaths,
  tell: (id: number) => void,
  body?: ReceivedBody,
): void {
  const start = journal.now()
  let added: JournalEntry | undefined
  const { method = 'GET', headers } = req
  const add = () => {
    const entry = journal.add(start, method, url, headers)
    if (body?.kind === 'complete' && body.bytes) journal.keepBody(entry, body.bytes)
    const { endpoint, path, search, params } = matchBackend(paths, method, url)
    const { graphql } = endpoint
    const base = paths.bases.find((one) => one !== '' && url.startsWith(`${one}/`)) ?? ''
    entry.path = graphql ? path : path.slice(base.length)
    const raw = { method, url, path, search, headers, params, body: entry.body?.bytes }
    const read = graphql && readGraphQL(raw, documentReaderOf(graphql), new Budget(graphql.maxCost))
    if (read && read.malformed === undefined) {
      const all = read.batch ?? [read.params]
      journal.nameOperations(
        entry,
        all.map((one) => new ParsedRequest(raw, params, one.payload, one)),
      )
    }
    return entry
  }
  const entry = () => (added ??= add())
  if (isOfScript(req)) beforeHead(res, () => isPageOrNothing(res) && tell(entry().id))
  if (journal.recordsPassed) keepAnswer(res, (response) => endPassed(journal, entry(), res, response))
  else
    onClose(
      res,
      () => (added || res.statusCode === 404 || isMiss(headers, res)) && endPassed(journal, entry(), res),
    )
}

/** An upgrade that no one has answered. */
export function recordMiss(journal: Journal, method: string, url: string, headers: Headers): void {
  const entry = journal.add(journal.now(), method, url, headers)
  entry.isUnanswered = true
  journal.end(entry, undefined)
}

/** Its JSON is copied on its way: a sad path changes it, and the inspector shows it. */
function keepAnswer(res: ServerResponse, keep: (response: PreparedResponse | undefined) => void): void {
  const treat = ({ headers }: AnswerHead) =>
    /\bjson\b/.test(String(headers['content-type'])) ? ('copy' as const) : ('send' as const)
  void interceptAnswer(res, treat, maxBackendAnswer).then((answer) => {
    const decoded = answer.treatment === 'copy' ? decodeAnswer(answer) : { reason: '' }
    onClose(res, () =>
      keep('bytes' in decoded && decoded.bytes.length > 0 ? prepared(answer, decoded.bytes) : undefined),
    )
  })
}

function endPassed(
  journal: Journal,
  entry: JournalEntry,
  res: ServerResponse,
  response?: PreparedResponse,
): void {
  entry.isAborted = !res.writableFinished
  entry.isPending = true
  entry.isUnanswered = isMiss(entry.headers, res)
  journal.end(entry, res.headersSent ? res.statusCode : undefined, response)
}

function prepared({ status, headers }: AnswerHead, body: Uint8Array): PreparedResponse {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => [name, text]),
  )
  return { status, headers: list, body, delay: 0, fault: undefined }
}

function onClose(res: ServerResponse, listener: () => unknown): void {
  if (res.closed || res.destroyed) listener()
  else res.once('close', listener)
}
