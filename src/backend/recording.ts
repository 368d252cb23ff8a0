import { resolve } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxBackendAnswer, tooLarge } from '../core/answer/change-answer.ts'
import { plainError } from '../core/answer/error-response.ts'
import { ClientLeft } from '../core/http/body.ts'
import { withoutBase } from '../core/http/path.ts'
import type { Report } from '../core/diagnostics/diagnostic.ts'
import { diagnoseBackend } from '../core/diagnostics/backend-texts.ts'
import { listSome } from '../core/diagnostics/text.ts'
import { redactUrl, describeAsked } from '../core/redact/redact.ts'
import type { ResolvedOptions, ResolvedRecord } from '../core/options/resolve-options.ts'
import { addTo } from '../core/values/collections.ts'
import { plural } from '../core/values/describe-value.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { hasBody, readBody } from '../wire/node/read-body.ts'
import { writeResponse } from '../wire/node/write-response.ts'
import { FileError } from '../files/file-error.ts'
import { displayPath } from '../files/paths.ts'
import type { Exchange, WrittenFile } from '../writer/exchange/exchange.ts'
import { Omissions, type Omission } from '../writer/omissions.ts'
import { FixtureWriter } from '../writer/write-fixtures.ts'
import { follow, ofDevServer } from './ask-backend.ts'
import { askUncached, hasNoBackend, wayOf, type BackendSite, type PassedRequest } from './backend.ts'
import { interceptAnswer, sendHeld, type AnswerHead } from './intercept-answer.ts'
import { isEventStream } from '../writer/exchange/read-events.ts'
import { createRecordability, isOfHost, toExchange, whyNotRecorded } from './recordable.ts'
import { RecordedFiles, recordingFolder, recordingRoot, type Fate } from './recorded-files.ts'

/** Bytes of all bodies of one recording; further answers are passed on only. */
const maxRecorded = 268_435_456
/** Milliseconds from an answer until it is written; more where writing takes long, so that the server has nine tenths of the time. */
const writeDelay = 300

const ofOwn = {
  page: 'it is a page of the application',
  nothing: 'the dev server itself has nothing there, and no proxy has the path',
}

export class Recording {
  readonly files: RecordedFiles
  readonly #decide: ReturnType<typeof createRecordability>
  readonly #writer: FixtureWriter
  #answers = 0
  #size = 0
  readonly #notRecorded = new Omissions()
  #omitted: readonly Omission[] = []
  readonly #fates = new Map<string, Fate>()
  #files = new Set<WrittenFile>()
  #writeTime = 0
  readonly #told = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  /** @param origin another one than the backend, which the `record.target` is then */
  constructor(
    private readonly options: ResolvedOptions,
    private readonly record: ResolvedRecord,
    private readonly report: Report,
    readonly origin?: string,
  ) {
    this.#decide = createRecordability(record)
    this.#writer = new FixtureWriter({ graphqlPaths: options.graphql.paths, base: options.base })
    this.files = new RecordedFiles(recordingFolder(options), recordingRoot(options), origin)
  }

  get result(): { answers: number; files: readonly string[]; omitted: readonly Omission[] } {
    return {
      answers: this.#answers,
      files: [...this.#fates].flatMap(([path, fate]) => (isLeft(fate) ? [] : this.#shown(path))).sort(),
      omitted: [...this.unwritten, ...this.#omitted, ...this.#notRecorded.list()],
    }
  }

  /** Files that can't be written so far: each write tries them again. */
  get unwritten(): Omission[] {
    return [...this.#fates].flatMap(([path, fate]) => {
      if (!(fate instanceof FileError)) return []
      const where = this.#shown(path)
      return { what: `the file ${where}`, why: `${fate.reason}. ${fate.fix}`, where, count: 1 }
    })
  }

  pass(sent: PassedRequest, site: BackendSite): void {
    const { req, next } = sent
    const url = withoutBase(req.url ?? '/', site.hostBase)
    const way = wayOf(req, this.record, site)
    const kind = this.#decide(req, url)
    const isIncluded = this.record.include.length > 0
    if (hasNoBackend(this.record, site)) this.report(diagnoseBackend('record-without-backend', {}))
    if (kind === 'host' || (way === 'next' && !site.nextIsBackend && !isIncluded)) return next()
    const isFirst = kind === 'host-first' && way === 'target' && this.origin === undefined
    const start = async () => {
      const received = sent.received ?? (hasBody(req) ? await readBody(req, maxBackendAnswer) : undefined)
      await this.#passAndRecord({ ...sent, received }, site, url, isFirst)
    }
    start().catch((error: unknown) => {
      if (!(error instanceof ClientLeft)) next(error)
    })
  }

  async #passAndRecord(
    sent: PassedRequest,
    site: BackendSite,
    url: string,
    isHostFirst: boolean,
  ): Promise<void> {
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
    const way = wayOf(req, this.record, site)
    const treat = (head: AnswerHead) => {
      const why = whyNotRecorded(req, head)
      if (why) this.#omit(req, url, why)
      if (why !== undefined) return 'send'
      return way === 'proxy' && head.status >= 500 ? 'hold' : 'copy' // the proxy itself may have answered
    }
    const { answer, failure } = await follow(sent, this.record, site, treat)
    // Who listens to events leaves at some time: what has arrived until then is recorded.
    if (answer.end === 'left' && !isEventStream(answer.headers['content-type'])) return
    if (failure !== undefined && answer.treatment === 'hold') return this.#fail(req, res, url, failure)
    if (answer.treatment === 'send' || (failure !== undefined && answer.end !== 'broken')) return
    if (answer.treatment === 'hold' && answer.end === 'too-large') return this.#fail(req, res, url, tooLarge)
    if (answer.treatment === 'hold') sendHeld(res, answer)
    const own = ofDevServer(answer, way, site)
    const exchange = own
      ? { why: ofOwn[own] }
      : toExchange(req, url, sent.received, answer, { proxy: site.proxy, target: this.record.target })
    if ('why' in exchange) this.#omit(req, url, exchange.why)
    else if (this.origin === undefined) this.#add(exchange)
    // The links of a third party are left as they are.
    else
      this.#add({ ...exchange, url: `${this.origin}${exchange.url}`, ownLinks: undefined, isElsewhere: true })
  }

  #fail(req: IncomingMessage, res: ServerResponse, url: string, reason: string): void {
    const request = `${req.method} ${redactUrl(`${this.origin ?? ''}${url.split('?', 1)[0]}`)}`
    const details = { name: undefined, request, target: this.record.target, reason }
    const diagnostic = diagnoseBackend('backend-unreachable', {}, details)
    this.report(diagnostic)
    writeResponse(req, res, plainError(502, diagnostic))
  }

  #add(exchange: Exchange): void {
    const size = exchange.responseBody.length + (exchange.requestBody?.length ?? 0)
    if (this.#size + size > maxRecorded)
      return this.#omit(exchange, exchange.url, 'the recording is full: start a new one')
    this.#size += size
    this.#answers++
    this.#writer.add(exchange)
    this.#timer ??= setTimeout(() => this.#write(), Math.max(writeDelay, 9 * this.#writeTime))
  }

  #omit({ method }: { method?: string | undefined }, url: string, why: string): void {
    const where = describeAsked(method, url)
    this.#notRecorded.add('an answer', why, where)
    this.#tell([{ what: 'an answer', why, where }])
  }

  stop(): void {
    if (this.#timer && this.#writeTime > 1000)
      this.options.logger.info(`writing the fixtures of ${plural(this.#answers, 'answer')}`)
    this.#write()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const start = performance.now()
    try {
      this.#writeNow()
    } catch (error) {
      const text = `The recording can't be written: ${reasonOf(error)}`
      if (this.#isNews(text)) this.options.logger.error(text)
    }
    this.#writeTime = performance.now() - start
  }

  #writeNow(): void {
    if (this.#answers === 0) return
    const { logger } = this.options
    const { files, omitted } = this.#writer.write()
    this.#omitted = omitted
    const isNew = (file: WrittenFile) => !this.#files.has(file)
    const changed = files.filter((file) => file.routes === 0 || isNew(file))
    const changes = new Map<string, string[]>()
    const fates = this.files.write(changed, this.record.target, (path, told) => changes.set(path, told))
    this.#files = new Set(files.filter(({ path }) => !(fates.get(path) instanceof FileError)))
    const paths = new Set(files.map(({ path }) => path))
    for (const path of this.#fates.keys())
      if (!paths.has(path) && this.#fates.delete(path)) this.files.remove(path, files)
    for (const [path, fate] of fates) {
      const shown = this.#shown(path)
      const isOfBefore = fate === 'replaced' && !this.#fates.has(path)
      this.#fates.set(path, fate)
      if (fate instanceof FileError) continue
      const told = listSome(changes.get(path) ?? [])
      if (fate !== 'better' && told !== '' && this.#isNews(`${shown} ${told}`))
        logger.warn(`recorded otherwise than before: ${shown}. ${told}`)
      if (fate === 'same' || !this.#isNews(isLeft(fate) ? `${shown} kept` : shown)) continue
      if (isLeft(fate))
        logger.warn(
          fate === 'kept'
            ? `not recorded: ${shown} is your own. Rename or delete it, and its endpoint is recorded.`
            : `not recorded: ${shown} has better answers: now ${told}. Delete it to record these.`,
        )
      else logger.info(`recorded ${shown}${isOfBefore ? ', in place of the recording before' : ''}`)
    }
    this.#tell(omitted)
    this.#tell(
      this.unwritten.filter(({ what }) => this.#isNews(what)), // the reason may have the name of a temporary file
      'error',
    )
  }

  /** Says each loss once; the inspector lists all of them. */
  #tell(omissions: readonly Omit<Omission, 'count'>[], level: 'info' | 'error' = 'info'): void {
    const byReason = new Map<string, string[]>()
    for (const { what, why, where } of omissions) {
      const shown = what === 'an answer' ? `the answer to ${where}` : what
      if (this.#isNews(`${why} ${shown}`)) addTo(byReason, why, shown)
    }
    for (const [why, all] of byReason)
      this.options.logger[level](`left out of the recording, because ${why}: ${listSome(all)}`)
  }

  #isNews(text: string): boolean {
    const { size } = this.#told
    return this.#told.add(text).size > size
  }

  #shown(path: string): string {
    return displayPath(this.options.root, resolve(this.files.folder, path))
  }
}

function isLeft(fate: Fate): boolean {
  return fate === 'kept' || fate === 'better' || fate instanceof FileError
}
