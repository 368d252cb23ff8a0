import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange, ReceivedBody, Verdict } from '../../core/answer/exchange.ts'
import type { Running as CoreRunning } from '../../core/answer/running.ts'
import type { BackendSite } from '../../backend/backend.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { ResolvedOptions } from '../../core/options/options.ts'
import type { RecordingSwitch } from '../../backend/recording-switch.ts'
import type { GraphiQLHandler } from './graphiql.ts'
import type { OpenAnswers } from '../../wire/node/open-answers.ts'
import type { BodyReceiver } from '../../wire/node/read-body.ts'
import type { Recorder } from './recorder.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { writeLater } from '../../wire/node/write-later.ts'
import { addHeaders, writeResponse } from '../../wire/node/write-response.ts'

/** Shared by all handlers of the same fixtures. */
export interface Running extends CoreRunning {
  open: OpenAnswers
  recording: RecordingSwitch
}

/** A request that is being answered. */
export class Task implements BodyReceiver {
  /** Its body, once it has been read. */
  received: ReceivedBody | undefined
  /** Reads a body for the recorder alone, without delaying the answer. */
  recordBody: (() => void) | undefined

  /** @param recorder `undefined` when requests are not recorded */
  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly next: Next,
    readonly exchange: Exchange,
    readonly recorder: Recorder | undefined,
    private readonly respond: Respond,
  ) {}

  receive(body: ReceivedBody): void {
    this.respond(this, body)
  }

  abort(): void {
    this.recorder?.abort()
  }
}

/** Answers a request, or passes it on, once its body has been read as far as it is needed. */
type Respond = (task: Task, body?: ReceivedBody) => void

/**
 * Makes the function that answers requests.
 *
 * @param options.root the user's project folder
 * @param site where the backend is
 */
export function createResponder(
  { root, record }: Pick<ResolvedOptions, 'root' | 'record'>,
  { open, recording }: Running,
  report: (diagnostic: Diagnostic) => void,
  site: BackendSite,
): Respond {
  let graphiql: GraphiQLHandler | undefined

  function carryOut(task: Task, verdict: Verdict): void {
    const { req, res, next, recorder, recordBody } = task
    if (verdict.kind === 'backend') return void ask(task, verdict).catch(next)
    if (verdict.kind === 'graphiql') return void showGraphiQL(task).catch(next)
    if (verdict.diagnostic) report(verdict.diagnostic)
    if (verdict.kind === 'pass') {
      recorder?.pass(res)
      const { current } = recording
      const isRefused = verdict.diagnostic !== undefined
      return current && !isRefused ? current.pass({ req, res, next, received: task.received }, site) : next()
    }
    const { response, corsHeaders, wait } = verdict
    const takesTime = wait > 0 || response.fault !== undefined
    recordBody?.() // before the answer has ended: then, Node discards what has not been read
    addHeaders(res, corsHeaders)
    if (!takesTime) writeResponse(req, res, response)
    recorder?.respond(verdict, res, takesTime)
    if (takesTime) writeLater(task, response, wait, open)
  }

  /** Waits for what an answer needs. If the server closes before, that ends the answer. */
  async function waitFor<T>({ res, recorder }: Task, needed: Promise<T>): Promise<T> {
    open.track(res)
    recorder?.wait()
    const value = await needed
    open.forget(res)
    return value
  }

  async function ask(task: Task, { body, finish }: Extract<Verdict, { kind: 'backend' }>): Promise<void> {
    const backend = import('../../backend/ask-backend.ts')
    const asked = backend.then(({ askBackend }) => askBackend(task, body, record, site))
    const answer = await waitFor(task, asked)
    if (answer) carryOut(task, await finish(answer))
    else task.recorder?.abort()
  }

  async function showGraphiQL(task: Task): Promise<void> {
    const { createGraphiQL } = await waitFor(task, import('./graphiql.ts'))
    graphiql ??= createGraphiQL({ root, report })
    graphiql(task.req, task.res)
    task.recorder?.endByPlugin(task.res)
  }

  async function carryOutLate(task: Task, verdict: Promise<Verdict>): Promise<void> {
    carryOut(task, await waitFor(task, verdict))
  }

  return (task, body) => {
    try {
      task.received = body
      const verdict = task.exchange.decide(body)
      if (verdict instanceof Promise) carryOutLate(task, verdict).catch(task.next)
      else carryOut(task, verdict)
    } catch (error) {
      task.next(error) // a bug in this package must not end the dev server
    }
  }
}
