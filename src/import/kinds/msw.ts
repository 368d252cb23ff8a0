import { setImmediate } from 'node:timers'
import { anyMethod } from '../../core/schema/schema.ts'
import { placeInStack, reasonOf } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { inTime } from '../../wire/in-time.ts'
import { whyUnwritable } from '../../writer/endpoint-path.ts'
import { writeAnswer, type WrittenAnswer } from '../../writer/write-answer.ts'
import { ImportedRoutes, type Imported, type ImportedEndpoint } from '../imported.ts'
import type { ImportSource } from '../source.ts'

/** A handler of Mock Service Worker 2 or 3, as far as it is read. */
interface Handler extends Record<string, unknown> {
  resolver: (info: unknown) => unknown
  options?: { once?: boolean }
  endpoint?: unknown
  info: { header: string } & Partial<Record<'method' | 'path' | 'operationType' | 'operationName', unknown>>
}

/** Answers to the same requests: the handlers with `once` in their order, then the first without. */
interface Turns {
  endpoint: ImportedEndpoint
  answers: WrittenAnswer[]
  isClosed: boolean
  header: string
}

export function isMsw({ exports = {} }: ImportSource): boolean {
  return Object.values(exports)
    .flat(2)
    .some((one) => isRecord(one) && isHandler(one))
}

export async function importMsw(sources: readonly ImportSource[]): Promise<Imported> {
  const routes = new ImportedRoutes()
  for (const { exports = {}, path = '', name, problem } of sources)
    if (problem) routes.omissions.add('a file', problem.reason, problem.where)
    else await addHandlers(exports, { path, name }, routes)
  return Object.assign(routes, { maxPlaces: Infinity }) // each of them is to be written by hand
}

/** A resolver must not read the request, and is called twice: a route needs the same answer each time. */
async function addHandlers(
  exports: Record<string, unknown>,
  { path, name }: { path: string; name: string },
  routes: ImportedRoutes,
): Promise<void> {
  const { omissions } = routes
  const found = [...new Set([Object.values(exports)].flat(Infinity))].filter(isRecord)
  const sockets = found.filter(({ kind }) => kind === 'websocket')
  for (const { url, info } of sockets) {
    const header = isRecord(info) ? info['header'] : undefined
    if (header === undefined)
      routes.skip('a handler', 'WebSockets are not imported', `WebSocket ${String(url)}`)
    else routes.skip('a handler', 'subscriptions are not imported', String(header)) // of MSW 3
  }
  const handlers = found.filter(isHandler)
  if (handlers.length + sockets.length === 0) omissions.add('a file', 'it exports no handlers', name)
  const turns = new Map<string, Turns>()
  for (const handler of handlers) {
    const { header } = handler.info
    const skip = (why: string) => routes.skip('a handler', why, header)
    const found = endpointOf(handler)
    if (typeof found === 'string') {
      skip(found)
      continue
    }
    const { endpoint, origin } = found
    const key = JSON.stringify(endpoint).replace(/:\w+/g, ':')
    const same = turns.get(key) ?? { endpoint, answers: [], isClosed: false, header }
    const answers = same.isClosed
      ? 'another handler answers the same requests'
      : await answersOf(handler, endpoint, path, routes)
    if (typeof answers === 'string') {
      skip(answers)
      continue
    }
    const why = 'left out: if the application keeps asking it, write a `url` in place of the `path`'
    if (origin !== undefined) omissions.add(`the origin ${origin}`, why, header)
    same.answers.push(...answers)
    same.isClosed = handler.options?.once !== true
    turns.set(key, same)
  }
  for (const { endpoint, answers, isClosed, header } of turns.values()) {
    if (!routes.add(endpoint, answers))
      omissions.add('a handler', 'another handler answers the same requests', header)
    else if (!isClosed)
      omissions.add('the end of "once"', 'no handler follows: its last answer is repeated', header)
    if (endpoint.when && !routes.graphqlPaths.includes(endpoint.path)) routes.graphqlPaths.push(endpoint.path)
  }
}

function isHandler(value: Record<string, unknown> | Handler): value is Handler {
  return 'resolver' in value && 'info' in value && isRecord(value.info) && 'header' in value.info
}

/** An endpoint, or why a route can't have it. */
type Found = { endpoint: ImportedEndpoint; origin: string | undefined } | string

function endpointOf({ info, endpoint }: Handler): Found {
  const { path, operationType, operationName } = info
  const method = String(info.method) === '/.+/' ? anyMethod : info.method // of `http.all`
  if (operationType !== undefined) {
    const isAny = String(operationName) === '/.*/'
    if (typeof operationName !== 'string' && !isAny) return 'it is for several operations'
    const at = pathOf(endpoint === '*' ? '/graphql' : endpoint)
    if (typeof at === 'string') return at
    return { ...at, endpoint: { ...at.endpoint, ...(!isAny && { when: { operationName } }) } }
  }
  if (typeof method !== 'string') return 'its method or its path is a pattern'
  const at = pathOf(path)
  return typeof at === 'string' || method === 'GET' ? at : { ...at, endpoint: { method, ...at.endpoint } }
}

function pathOf(path: unknown): Found {
  if (typeof path !== 'string') return 'its method or its path is a pattern'
  const origin = /^[a-z]+:\/\/[^/]*/i.exec(path)?.[0]
  const whole = origin === undefined ? path.replace(/^\*(?=\/)/, '') : path.slice(origin.length)
  // As MSW does: `/orders/:id?` is no query, and it never compares one.
  const below = whole.endsWith('?') ? whole : whole.split(/[?|#]/, 1)[0]!
  const written = (below || '/').replace(/(?<=\/)\*(?=\/|$)/g, '**').replace(/:(\w+)[+*]/g, '**:$1')
  if (!written.startsWith('/')) return `its path "${path}" does not begin with "/"`
  return whyUnwritable(written) ?? { endpoint: { path: written }, origin }
}

/** @returns why a route can't have them */
async function answersOf(
  { resolver, constructor }: Handler,
  endpoint: ImportedEndpoint,
  file: string,
  routes: ImportedRoutes,
): Promise<WrittenAnswer[] | string> {
  if (constructor.name === 'ServerSentEventHandler') return 'streams of events are not imported'
  if (resolver.length > 0)
    return 'its resolver reads the request: write it as a response function in a TypeScript fixture'
  try {
    const first = await call(resolver, endpoint, routes)
    const second = await call(resolver, endpoint, routes)
    if (typeof first === 'string') return first
    if (typeof second === 'string' || String(first.map(keyOf)) !== String(second.map(keyOf)))
      return 'it gives another answer each time'
    return first.map(({ waited, ...answered }, index) => withDelay(answered, waited, second[index]!.waited))
  } catch (error) {
    const { line } = placeInStack(error, file)
    return `its resolver failed${line === undefined ? '' : ` in line ${line}`}: ${reasonOf(error)}`
  }
}

type Timed = WrittenAnswer & { waited: number }

const keyOf = ({ key }: Timed) => key

/** Milliseconds that a resolver may take. */
const timeLimit = 5000
const maxAnswers = 100
/** Milliseconds that `delay('infinite')` waits. */
const forever = 2_147_483_647
const silent: WrittenAnswer = { answer: { fault: 'silent' }, isJson: false, key: 'silent' }
/** Milliseconds that `delay()` waits: in Node always the same, in a browser a random number in a range. */
const ofNode = 5
const realistic = { min: 100, max: 400 }

function withDelay(answered: WrittenAnswer, first: number, second: number): WrittenAnswer {
  if (first >= forever) return answered
  const [min, max] = [Math.min(first, second), Math.max(first, second)].map(Math.round)
  const delay = max === ofNode ? realistic : min === max ? max : { min, max }
  return delay === 0 ? answered : { ...answered, answer: { ...answered.answer, delay } }
}

async function call(
  resolver: Handler['resolver'],
  { path }: ImportedEndpoint,
  { omissions }: ImportedRoutes,
): Promise<Timed[] | string> {
  const clock = new Clock()
  const work = async () => {
    clock.start()
    const answers: Timed[] = []
    for await (const result of valuesOf(resolver({}))) {
      const waited = clock.lap()
      const answer = waited >= forever ? silent : await read(result, path)
      if (typeof answer === 'string') return answer
      answers.push({ ...answer, waited })
    }
    return answers
  }
  const read = async (result: unknown, path: string): Promise<WrittenAnswer | string> => {
    if (result === undefined) return 'it gives no answer, and leaves the request to the next handler'
    if (!(result instanceof Response)) return 'its answer is not a Response'
    if (result.type === 'error') return { answer: { fault: 'reset' }, isJson: false, key: 'error' }
    if (result.status < 200 || result.headers.has('x-msw-intention')) return 'it passes the request on'
    const source = {
      status: result.status,
      responseHeaders: [...result.headers],
      responseBody: new Uint8Array(await result.arrayBuffer()),
    }
    return writeAnswer({ ...source, origin: '', where: path, path, isOwn: true }, omissions)
  }
  try {
    return await inTime(Promise.resolve().then(work), {
      milliseconds: timeLimit,
      error: () => new Error(`it took longer than ${timeLimit} ms`),
    })
  } finally {
    clock.stop()
  }
}

/** A generator gives another answer to each request, and repeats the last. */
async function* valuesOf(given: unknown): AsyncGenerator<unknown> {
  const result = (await given) as Partial<AsyncIterator<unknown>> | undefined
  if (typeof result?.next !== 'function') return void (yield result)
  for (let count = 0; count < maxAnswers; count++) {
    const step: IteratorResult<unknown, unknown> = await result.next()
    if (!step.done || step.value !== undefined || count === 0) yield step.value
    if (step.done) return
  }
}

/** Timers of the process end at once, in their order, and their time is counted: MSW's `delay` is one of them. */
class Clock {
  readonly #own = { setTimeout, clearTimeout }
  readonly #due = new Map<object, { at: number; run: () => void }>()
  #now = 0
  #lap = 0

  start(): void {
    const set = (run: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) => {
      const timer = { ref: () => timer, unref: () => timer, hasRef: () => true }
      this.#due.set(timer, { at: this.#now + Number(milliseconds), run: () => run(...args) })
      setImmediate(() => this.#runNext())
      return timer
    }
    const clear = (timer: object) => {
      if (!this.#due.delete(timer)) this.#own.clearTimeout(timer as NodeJS.Timeout)
    }
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
  }

  #runNext(): void {
    const [next] = [...this.#due].sort(([, a], [, b]) => a.at - b.at)
    if (!next) return
    this.#due.delete(next[0])
    this.#now = next[1].at
    next[1].run()
  }

  lap(): number {
    const lap = this.#now - this.#lap
    this.#lap = this.#now
    return lap
  }

  stop(): void {
    Object.assign(globalThis, this.#own)
  }
}
