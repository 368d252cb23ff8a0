import { resolve } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxBackendAnswer } from '../core/answer/change-answer.ts'
import { plainError } from '../core/answer/error-response.ts'
import { ClientLeft } from '../core/http/body.ts'
import { withoutBase } from '../core/http/path.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseBackend } from '../core/diagnostics/backend-texts.ts'
import { listSome } from '../core/diagnostics/text.ts'
import type { ResolvedOptions, ResolvedRecord } from '../core/options/resolve-options.ts'
import { addTo } from '../core/values/collections.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { hasBody, readBody } from '../wire/node/read-body.ts'
import { writeResponse } from '../wire/node/write-response.ts'
import { displayPath } from '../loader/paths.ts'
import type { Exchange } from '../writer/exchange.ts'
import { Omissions, type Omission } from '../writer/omissions.ts'
import { writeFixtures } from '../writer/write-fixtures.ts'
import { follow } from './ask-backend.ts'
import { askUncached, wayOf, type BackendSite, type Sent } from './backend.ts'
import { interceptAnswer, type AnswerHead } from './intercept-answer.ts'
import { createRecordability, isOfHost, toExchange, whyNotRecorded } from './recordable.ts'
import { RecordedFiles, recordingFolder } from './recorded-files.ts'

/** Bytes of all bodies of one recording; further answers are passed on only. */
const maxRecorded = 268_435_456
/** Milliseconds without a new answer. */
const writeDelay = 300

export interface RecordingResult {
  answers: number
  files: readonly string[]
  omitted: readonly Omission[]
}

export class Recording {
  readonly files: RecordedFiles
  readonly #options: ResolvedOptions
  readonly #record: ResolvedRecord
  readonly #decide: ReturnType<typeof createRecordability>
  readonly #report: (diagnostic: Diagnostic) => void
  #exchanges: Exchange[] = []
  #size = 0
  readonly #notRecorded = new Omissions()
  #omitted: readonly Omission[] = []
  #written = new Set<string>()
  readonly #told = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ResolvedOptions, record: ResolvedRecord, report: (diagnostic: Diagnostic) => void) {
    this.#options = options
    this.#record = record
    this.#report = report
    this.#decide = createRecordability(record)
    this.files = new RecordedFiles(recordingFolder(options))
  }

  get result(): RecordingResult {
    return {
      answers: this.#exchanges.length,
      files: [...this.#written].sort().map((path) => this.#shown(path)),
      omitted: [...this.#omitted, ...this.#notRecorded.list()],
    }
  }

  pass(sent: Sent, site: BackendSite): void {
    const { req, next } = sent
    const url = withoutBase(req.url ?? '/', site.hostBase)
    const way = wayOf(req, this.#record, site)
    const kind = this.#decide(req, url)
    const isIncluded = this.#record.include.length > 0
    // After a dev server, there are only its own files.
    if (kind === 'host' || (way === 'next' && !site.nextIsBackend && !isIncluded)) return next()
    const isFirst = kind === 'host-first' && way === 'target'
    const start = async () => {
      const received = sent.received ?? (hasBody(req) ? await readBody(req, maxBackendAnswer) : undefined)
      await this.#passAndRecord({ ...sent, received }, site, url, isFirst)
    }
    start().catch((error: unknown) => {
      if (!(error instanceof ClientLeft)) next(error)
    })
  }

  async #passAndRecord(sent: Sent, site: BackendSite, url: string, isHostFirst: boolean): Promise<void> {
    const { req, res, next } = sent
    const { url: given } = req
    askUncached(req)
    if (isHostFirst) {
      const own = interceptAnswer(res, (head) => (isOfHost(head) ? 'send' : 'hold'), maxBackendAnswer)
      next()
      const { treatment, end } = await own
      if (treatment === 'send' || end === 'left') return
      if (given !== undefined) req.url = given // an HTML fallback has changed it
    }
    const treat = (head: AnswerHead) => {
      const why = whyNotRecorded(req, head)
      if (why) this.#omit(req, url, why)
      return why === undefined ? 'copy' : 'send'
    }
    const { answer, failure } = await follow(sent, this.#record, site, treat)
    if (answer.end === 'left') return
    if (failure !== undefined && answer.treatment === 'hold') return this.#fail(req, res, url, failure)
    if (failure !== undefined || answer.treatment !== 'copy') return
    const exchange = toExchange(req, url, sent.received, answer)
    if ('why' in exchange) this.#omit(req, url, exchange.why)
    else this.#add(exchange)
  }

  #fail(req: IncomingMessage, res: ServerResponse, url: string, reason: string): void {
    const request = `${req.method} ${url.split('?', 1)[0]}`
    const details = { name: undefined, request, target: this.#record.target, reason }
    const diagnostic = diagnoseBackend('backend-unreachable', {}, details)
    this.#report(diagnostic)
    writeResponse(req, res, plainError(502, diagnostic))
  }

  #add(exchange: Exchange): void {
    const size = exchange.responseBody.length + (exchange.requestBody?.length ?? 0)
    if (this.#size + size > maxRecorded)
      return this.#omit(exchange, exchange.url, 'the recording is full: start a new one')
    this.#size += size
    this.#exchanges.push(exchange)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#write(), writeDelay)
  }

  #omit({ method }: { method?: string | undefined }, url: string, why: string): void {
    const where = `${method} ${url.split('?', 1)[0]}`
    this.#notRecorded.add('an answer', why, where)
    this.#tell([{ what: 'an answer', why, where }])
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#write()
  }

  #write(): void {
    try {
      this.#writeNow()
    } catch (error) {
      this.#options.logger.error(`The recording can't be written: ${reasonOf(error)}`)
    }
  }

  #writeNow(): void {
    if (this.#exchanges.length === 0) return
    const { graphql, base, logger } = this.#options
    const { files, omitted } = writeFixtures(this.#exchanges, { graphqlPaths: graphql.paths, base })
    this.#omitted = omitted
    const fates = this.files.write(files, this.#record.target ?? 'the dev server')
    for (const path of this.#written) if (!fates.has(path)) this.files.remove(path, files)
    const own = this.#written
    this.#written = new Set([...fates].flatMap(([path, fate]) => (fate === 'kept' ? [] : [path])))
    for (const [path, fate] of fates) {
      const shown = this.#shown(path)
      const isOfBefore = fate === 'replaced' && !own.has(path)
      if (fate === 'same' || !this.#isNews(fate === 'kept' ? `${shown} kept` : shown)) continue
      if (fate === 'kept')
        logger.warn(`not recorded: ${shown} was edited. Rename it, and its endpoint is recorded.`)
      else logger.info(`recorded ${shown}${isOfBefore ? ', in place of the recording before' : ''}`)
    }
    this.#tell(omitted)
  }

  /** Says each loss once; the inspector lists all of them. */
  #tell(omissions: readonly Omit<Omission, 'count'>[]): void {
    const byReason = new Map<string, string[]>()
    for (const { what, why, where } of omissions) {
      const shown = what === 'an answer' ? `the answer to ${where}` : what
      if (this.#isNews(`${why} ${shown}`)) addTo(byReason, why, shown)
    }
    for (const [why, all] of byReason)
      this.#options.logger.info(`left out of the recording, because ${why}: ${listSome(all)}`)
  }

  #isNews(text: string): boolean {
    const { size } = this.#told
    return this.#told.add(text).size > size
  }

  #shown(path: string): string {
    return displayPath(this.#options.root, resolve(this.files.folder, path))
  }
}
