import type { ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import type { Decision } from '../../core/answer/decision.ts'
import type { Route } from '../../core/fixture/route.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { isRecord } from '../../core/values/values.ts'
import { attempt } from '../../core/values/thrown.ts'
import { writeChanges } from '../../files/changes.ts'
import { edited, readTextFile } from '../../files/text-file.ts'
import { writeFile } from '../../files/write-files.ts'
import { ownFolders } from '../../loader/find/find-fixtures.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import { acceptedFile, isAccepted, nameOfDifference, type AcceptedEntry } from './accepted-differences.ts'
import { answerShape } from './answer-shape.ts'
import { askBackendRoutes, type AskedRoute } from './ask/ask-backend-routes.ts'
import { copyJson } from './copy-json.ts'
import { findDifferences, isSameEndpoint, type RealityReport } from './find-differences.ts'
import type { FoundDifference } from './found.ts'
import { planEdits } from './plan-edits.ts'
import { expected, planRequests, type PlannedRequest } from './ask/plan-requests.ts'
import { createPoliteClient, valueOf, type Ask, type RealAnswer } from './ask/polite-client.ts'

/** Answers that are kept. */
const maxAsked = 500

/** Milliseconds until a route is compared again. */
const pause = 600_000

/** Headers that belong to the connection of the page, or would be answered with no body. */
const notSent =
  /^(?:host|connection|content-length|accept-encoding|if-.*|range|x-mock-.*|sec-.*|upgrade.*|origin|referer)$/

/** Answers of the backend to requests that fixtures answer, while the dev server runs. */
export class RealAnswers {
  readonly #ask: Ask
  readonly #asked = new Map<string, AskedRoute>()
  readonly #times = new Map<string, number>()
  #isAway = false

  /** @param urlOf where the backend has a path; `undefined` if it has not */
  constructor(
    private readonly options: ResolvedOptions,
    private readonly store: FixtureStore,
    urlOf: (path: string) => string | undefined,
    pace?: Parameters<typeof createPoliteClient>[0],
  ) {
    const ask = createPoliteClient(pace)
    this.#ask = async (request) => {
      const url = urlOf(request.url)
      return url === undefined ? { failed: 'no proxy has its path' } : ask({ ...request, url })
    }
  }

  get #routes(): readonly Route[] {
    return this.store.current!.routes.filter(({ error }) => !error)
  }

  /** Asks for every route that only reads. Returns how many were asked, and the first reason why one was not answered. */
  async compareAll(): Promise<{ asked: number; failed: string | undefined }> {
    const { base, record, graphql } = this.options
    const plan = planRequests(this.#routes, { graphqlPaths: graphql.paths, documents: new Map() })
    const requests = plan.requests.filter(({ isWrite }) => !isWrite)
    const settings = { address: base, headers: record.headers, ask: this.#ask }
    const { asked, left } = await askBackendRoutes(requests, settings)
    const before = [...this.#asked]
    for (const one of asked) {
      // What the page has asked with its own credentials says more than a refusal.
      const own = before.filter(([, other]) => isSame(other.planned.route, one.planned.route))
      const isRefused = one.answer.status === 401 || one.answer.status === 403
      if (isRefused && own.some(([, other]) => other.answer.status < 400)) continue
      for (const [key] of own) this.#asked.delete(key)
      this.#keep(one)
    }
    return { asked: asked.length, failed: left[0]?.why }
  }

  /** Asks what a page has just asked, with its headers, if that changes nothing and was not asked lately. */
  async compareOne(decision: Decision, now: number): Promise<string | undefined> {
    const { route, request, raw } = decision
    const own = route && this.#routes.find((one) => isSame(one, route))
    const isQuery = String(request?.operationType) === 'query'
    if (!own || !request || !(isQuery || raw.method === 'GET' || raw.method === 'HEAD')) return undefined
    const isRecent = (this.#times.get(keyOf(own)) ?? -Infinity) > now - pause
    if (isRecent || typeof own.response === 'function' || own.isInvalid) return undefined
    this.#times.set(keyOf(own), now)
    const { record } = this.options
    const url = this.#urlOf(raw)
    const headers = Object.entries(raw.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || notSent.test(name) ? [] : [[name, [value].flat().join(', ')]],
    )
    const body = isQuery ? request.body : undefined
    const all = { ...Object.fromEntries(headers), ...record.headers }
    const answer = await this.#ask({ method: raw.method, url, headers: all, body })
    const wasAway = this.#isAway
    this.#isAway = 'failed' in answer
    if ('failed' in answer) return wasAway ? undefined : answer.failed
    // An id that only the fixtures have says nothing.
    const isOfMock = answer.status === 404 && decision.match.endpoint.path.includes('/:')
    if (!isOfMock || !valueOf(answer)) this.#keepAnswer(own, decision, answer)
    return undefined
  }

  /** Compares what a later handler answers, where no route does. Called before it runs. */
  async comparePassing(decision: Decision, res: ServerResponse): Promise<void> {
    const { match, request, raw } = decision
    const asked = { method: raw.method, path: match.endpoint.path, ...operationOf(request) }
    const routes = this.#routes.filter(
      (one) => isSameEndpoint(one, asked) && typeof one.response !== 'function' && !one.isInvalid,
    )
    const answer = routes.length > 0 && (await copyJson(res))
    if (!answer) return
    const own = routes.find((one) => expected(one).status === answer.status) ?? routes[0]!
    this.#keepAnswer(own, decision, answer, true)
  }

  #keepAnswer(own: Route, { match, request, raw }: Decision, answer: RealAnswer, isPassing = false): void {
    this.#keep({
      planned: {
        ...expected(own),
        method: raw.method,
        path: match.endpoint.path,
        params: {},
        query: [],
        headers: {},
        isWrite: false,
        ...(request?.operationType !== undefined && { body: request.body }),
        ...operationOf(request),
      },
      sent: `${raw.method} ${this.#urlOf(raw)}`,
      answer: answerShape(answer),
      json: valueOf(answer),
      needsSignIn: false,
      isGuess: false,
      isPassing,
    })
  }

  #urlOf({ path, search }: Decision['raw']): string {
    return `${this.options.base}${path}${search === '' ? '' : `?${search.replace(/^\?/, '')}`}`
  }

  #keep(asked: AskedRoute): void {
    this.#asked.set(`${keyOf(asked.planned.route)} ${asked.sent}`, asked)
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > maxAsked) this.#asked.delete(oldest!)
  }

  /** Differences that nobody has accepted, of the fixtures as they are now. */
  report(): RealityReport & { accepted: number } {
    const routes = this.#routes
    const asked = [...this.#asked.values()].flatMap((one): AskedRoute[] => {
      const route = routes.find((other) => isSame(other, one.planned.route))
      return route ? [{ ...one, planned: { ...one.planned, ...expected(route) } }] : []
    })
    const list = this.#accepted()
    const accepted = new Set<string>()
    const report = findDifferences(asked, routes, (one) => {
      const name = nameOfDifference(one)
      const isKnown = list.some((entry) => isAccepted(entry, name, one.endpoint))
      if (isKnown) accepted.add(`${one.endpoint} ${name}`)
      return isKnown
    })
    return { ...report, accepted: accepted.size }
  }

  /** Answer of the backend that shows a difference. */
  answerFor({ sent }: FoundDifference): AskedRoute | undefined {
    return [...this.#asked.values()].find((one) => sent.includes(one.sent))
  }

  /** Writes what is certain into fixture files. @returns the files */
  take(differences: readonly FoundDifference[]): string[] {
    const { changes } = planEdits([...this.takeable(differences)], this.options)
    writeChanges(changes, ownFolders(this.options))
    return changes.map(({ name }) => name)
  }

  /** Differences of which nothing is left when they are taken. */
  takeable(differences: readonly FoundDifference[]): ReadonlySet<FoundDifference> {
    return planEdits(differences, this.options).written
  }

  accept(difference: FoundDifference, reason: string): void {
    const path = resolve(this.options.root, acceptedFile)
    const file = attempt(() => readTextFile(path)) ?? { text: '', version: '' }
    const entry = { against: nameOfDifference(difference), request: difference.endpoint, reason }
    const before = file.text === '' || file.text.endsWith('\n') ? file.text : `${file.text}\n`
    writeFile(path, edited(`${before}${stringify([entry])}`), {
      within: [this.options.root],
      expected: file.version,
    })
  }

  /** `check` says what is wrong with the list; here, what can be read counts. */
  #accepted(): AcceptedEntry[] {
    const text = attempt(() => readTextFile(resolve(this.options.root, acceptedFile)).text) ?? ''
    const list = attempt(() => parse(text) as unknown)
    const isEntry = (one: unknown): one is AcceptedEntry =>
      isRecord(one) && typeof one['against'] === 'string'
    return Array.isArray(list) ? list.filter(isEntry) : []
  }
}

function operationOf(request: Decision['request']): Pick<PlannedRequest, 'operation'> {
  return request?.operationType === undefined ? {} : { operation: request.operationName ?? '' }
}

function keyOf({ source }: Pick<Route, 'source'>): string {
  return `${source.file} ${source.pointer}`
}

/** A route that stands at another place now is asked again. */
function isSame(one: Pick<Route, 'source'>, other: Pick<Route, 'source'>): boolean {
  return keyOf(one) === keyOf(other)
}
