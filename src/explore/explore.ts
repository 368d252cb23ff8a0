import { availableParallelism } from 'node:os'
import type { Browser } from 'playwright-core'
import { groupBy } from '../core/values/collections.ts'
import { quote } from '../core/values/describe-value.ts'
import type { RequestDetails, SadPath } from '../inspector/api/api.ts'
import { redactUrl } from '../core/redact/redact.ts'
import type { Login } from '../core/values/url-user.ts'
import { findLoss, type ShownAnswer } from './answer-loss.ts'
import { createJudge, type Judge, type Judgement, type Thresholds } from './judge.ts'
import { createVisitor, type Api, type Script, type Visit } from './visit.ts'
import { defaultPatience, type Patience } from './watch-page.ts'
import { compareTexts } from '../core/values/values.ts'

export interface ExploreOptions {
  thresholds?: Partial<Thresholds>
  patience?: Partial<Patience>
  /** Maximum number of sad paths. Default 200. */
  max?: number
  /** Only sad paths whose id or kind has one of these texts. */
  only?: readonly string[]
  /** Number of pages open at a time. Default: four for each core. */
  pages?: number
  script?: Script
  server?: string
  /** The user for whom the page is asked, and the headers that say so to the mock API. */
  login?: Login | undefined
  headers?: Record<string, string>
  /** Ids that are not tried again. */
  known?: ReadonlySet<string>
  onPlan?: (plan: Plan) => void
  onFinding?: (finding: Finding, picture: Buffer) => void
}

export interface Plan {
  /** Where the page has led, if that is somewhere else. */
  redirectedTo: string | undefined
  picture: Buffer
  sadPaths: readonly SadPath[]
  /** Number of sad paths beyond `max`. */
  more: number
}

export interface Finding extends Judgement, Pick<SadPath, 'request' | 'id' | 'title' | 'kind'> {
  /** The request and its answer; absent if the page did not send the request. */
  asked?: { method: string; url: string; body?: string }
  answer?: ShownAnswer
}

/**
 * Opens a page twice as it is, and then once for each sad path of its requests.
 *
 * @throws ControlApiError where no mock server answers; Error when the page has sent no request that a route answers, or when the
 * browser or the server ends: `onFinding` has got what was found until then
 */
export async function explore(browser: Browser, url: string, options: ExploreOptions): Promise<void> {
  const { pages = 4 * availableParallelism(), known } = options
  const patience = { ...defaultPatience, ...options.patience }
  const { api, visit } = createVisitor(browser, url, patience, options)
  // The call fails if the server is not ours, unless that answers every address.
  const { known: scenarios } = await api.call('GET /scenario')
  if (!Array.isArray(scenarios)) throw new Error(notOurs(options.server ?? url))
  const good = () => visit(undefined, (one) => visitGood(api, one, url))
  const [first, second] = [await good(), await good()]
  const judge = createJudge([first.observation, second.observation], options.thresholds)
  const requests = [...first.requests, ...second.requests]
  const withoutHash = (address: string) => new URL(address).href.replace(/#.*/, '')
  const redirectedTo = withoutHash(second.url) === withoutHash(url) ? undefined : second.url
  if (requests.length === 0) throw new Error(noRequest(url, redirectedTo))
  const { sadPaths, more } = choose([...first.sadPaths, ...second.sadPaths], options)
  if (sadPaths.length === 0 && options.only) throw new Error(noneFits(options.only, first.sadPaths))
  options.onPlan?.({ redirectedTo, picture: second.picture, sadPaths, more })

  const queue = sadPaths.filter(({ id }) => !known?.has(id)).values()
  const work = async () => {
    for (const { request, id, title, kind } of queue) {
      const { picture, ...found } = await visit(id, (one) => visitSad(one, judge, requests, patience))
      options.onFinding?.({ request, id, title, kind, ...found }, picture)
    }
  }
  // The server keeps the last 500 requests of all pages.
  const most = Math.max(1, Math.floor(maxRequests / second.count))
  await Promise.all(Array.from({ length: Math.min(pages, most) }, work))
}

const maxRequests = 400
/** Requests of a route, or of an operation, that are looked at: a page may ask for each of 500 orders. */
const maxAlike = 10

export async function visitGood(api: Api, { page, open, requests, details }: Visit, url: string) {
  const observation = await open()
  const { pathname, search } = new URL(url)
  const sent: RequestDetails[] = []
  const sadPaths: SadPath[] = []
  const alike = new Map<string, number>()
  const all = await requests()
  for (const { id, method, url: asked, answeredBy, size, route, operationName } of all) {
    const isPage = method === 'GET' && asked === pathname + search
    // Of what is passed on, only JSON has a size.
    const isData = answeredBy === 'passed-on' ? size !== undefined : /^(?:route|template)$/.test(answeredBy)
    if (isPage || !isData) continue
    const what = [route?.id ?? asked, operationName].join(' ')
    const count = alike.get(what) ?? 0
    alike.set(what, count + 1)
    const request = count < maxAlike ? await details(id) : undefined
    if (!request) continue
    sent.push(request)
    sadPaths.push(...(await api.call('GET /sad-paths', { query: `request=${id}&limit=1000` })).sadPaths)
  }
  return { observation, url: page.url(), count: all.length, requests: sent, sadPaths }
}

export async function visitSad(
  { open, requests, details }: Visit,
  { judge, lookOf }: Judge,
  good: readonly RequestDetails[],
  { quiet, limit }: Patience,
): Promise<Judgement & Pick<Finding, 'asked' | 'answer'>> {
  const exchange = async () => {
    const forced = (await requests()).find(({ answeredBy }) => answeredBy === 'override')
    return forced && details(forced.id)
  }
  const lossOf = (asked: RequestDetails | undefined) => {
    if (!asked) return undefined
    const before = good.find((one) => keyOf(one) === keyOf(asked)) ?? asked
    const others = good.filter((one) => keyOf(one) !== keyOf(asked))
    return findLoss(answerOf(before), answerOf(asked), others.map(answerOf))
  }

  const observation = await open({
    lookOf,
    isWaiting: (seen) => judge(seen, undefined).verdict === 'stuck',
    async isEnough(seen, idle) {
      if (idle < quiet) return judge(seen, undefined).verdict === 'looping'
      const { verdict } = judge(seen, lossOf(await exchange()))
      // Some clients try a failed request again, a few seconds later, and the page says nothing until then.
      return verdict === 'handled' || verdict === 'crashed' || idle >= limit / 2
    },
  })
  const asked = await exchange()
  const judgement = judge(observation, lossOf(asked))
  if (!asked) return judgement
  const { method, url, body } = asked
  return {
    ...judgement,
    asked: { method, url, ...(body?.text !== undefined && { body: body.text }) },
    answer: answerOf(asked),
  }
}

function keyOf({ method, url, operationName, variables }: RequestDetails): string {
  return [method, url, operationName, variables].join(' ')
}

function answerOf({ response }: RequestDetails): ShownAnswer {
  // The page, or the context's end, has not waited for it.
  if (!response) return { status: 0, text: '', fault: 'silent' }
  const { status, body, fault } = response
  return { status, text: body.text ?? '', isCut: body.isCut, ...(fault !== undefined && { fault }) }
}

/** One of each request, then the second of each, and so on, so that a limit leaves some of all. */
export function choose(
  all: readonly SadPath[],
  { only, max = 200 }: ExploreOptions,
): Pick<Plan, 'sadPaths' | 'more'> {
  const fits = ({ id, kind }: SadPath) => !only || only.some((text) => kind === text || id.includes(text))
  const unique = new Map(all.filter(fits).map((path) => [path.id, path]))
  const byRequest = groupBy(unique.values(), ({ request }) => request)
  // Requests are sent in another order each time.
  const lists = [...byRequest].sort(([a], [b]) => compareTexts(a, b)).map(([, list]) => list)
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const rounds = Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? []))
  const ordered = rounds.flat()
  return { sadPaths: ordered.slice(0, max), more: Math.max(0, ordered.length - max) }
}

function noneFits(only: readonly string[], all: readonly SadPath[]): string {
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  const example = all[0] ? ` The kinds here are ${kinds.join(', ')}; an id is ${quote(all[0].id)}.` : ''
  return `No sad path fits --only ${only.join(', ')}: write a kind, or a part of an id.${example}`
}

const notOurs = (server: string) =>
  `The server at ${new URL(server).origin} has no mock API: it answers every address as it likes. Check the address.`

export function noRequest(url: string, redirectedTo?: string): string {
  const shown = redactUrl(url)
  const page = redirectedTo === undefined ? shown : `${shown} leads to ${redactUrl(redirectedTo)}, which`
  return `The page ${page} has sent no request that a route or a backend answers with JSON, so nothing can go wrong. Check that it is the right page; if it needs a login, or a click, write --script; if the mock API has an address of its own, write --server.`
}
