import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange, Verdict } from '../../core/answer/exchange.ts'
import type { Target } from '../../core/answer/receive.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import type { Journal, JournalEntry } from '../../inspector/journal.ts'

type Response = Extract<Verdict, { kind: 'respond' }>

/** Faults that end a connection before the status is sent, or never send it. */
const withoutStatus: unknown[] = ['reset', 'empty', 'silent']

/** Writes into the journal what happens to the requests of a middleware. */
export class Recorder {
  constructor(private readonly journal: Journal) {}

  /** Whether requests that are not for a mock endpoint are recorded. */
  get recordsPassed(): boolean {
    return this.journal.recordsPassed
  }

  /** A request for a mock endpoint. */
  begin({ match }: Target, { raw }: Exchange): JournalEntry {
    return this.journal.begin(raw.method, raw.url, raw.headers, match)
  }

  /** A request that is not for a mock endpoint. */
  passOther(req: IncomingMessage, url: string, res: ServerResponse): void {
    this.endWhenAnswered(this.journal.begin(req.method ?? 'GET', url, req.headers), res)
  }

  /** A request for a mock endpoint that is left to the next middleware. */
  pass(entry: JournalEntry, res: ServerResponse): void {
    if (this.journal.recordsPassed || entry.id !== 0) this.endWhenAnswered(entry, res)
  }

  /** Its answer takes time. */
  wait(entry: JournalEntry): void {
    this.journal.await(entry)
  }

  /** The client has disconnected before it had sent everything. */
  abort(entry: JournalEntry): void {
    this.journal.abort(entry)
  }

  /** The package has answered without a route. */
  endByPlugin(entry: JournalEntry, res: ServerResponse): void {
    this.journal.endByPlugin(entry, res.statusCode)
  }

  /**
   * A response that has been written, or that begins to be.
   *
   * @param takesTime whether it has not ended yet
   */
  respond(
    entry: JournalEntry,
    { kind }: Target,
    { raw }: Exchange,
    verdict: Response,
    res: ServerResponse,
    takesTime: boolean,
  ): void {
    const { response } = verdict
    this.journal.decide(entry, kind, raw, verdict)
    if (takesTime) this.endLater(entry, res, response)
    else this.journal.end(entry, response.status, response)
  }

  private endLater(entry: JournalEntry, res: ServerResponse, response: PreparedResponse): void {
    this.journal.await(entry)
    onClose(res, () => {
      entry.isAborted = response.fault === undefined && !res.writableFinished
      const hasStatus = !entry.isAborted && !withoutStatus.includes(response.fault)
      this.journal.end(entry, hasStatus ? response.status : undefined, response)
    })
  }

  private endWhenAnswered(entry: JournalEntry, res: ServerResponse): void {
    onClose(res, () => {
      entry.isAborted = !res.writableFinished
      this.journal.end(entry, res.headersSent ? res.statusCode : undefined)
    })
  }
}

function onClose(res: ServerResponse, listener: () => void): void {
  if (res.closed || res.destroyed) listener()
  else res.once('close', listener)
}
