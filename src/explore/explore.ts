import { availableParallelism } from 'node:os'
import type { Browser } from 'playwright-core'
import { quote } from '../core/values/describe-value.ts'
import { hash32 } from '../core/values/hash.ts'
import { compareTexts, defined } from '../core/values/values.ts'
import type { RequestDetails, SadPath } from '../inspector/api/api.ts'
import { redactUrl } from '../core/redact/redact.ts'
import type { Login } from '../core/values/url-user.ts'
import { findLoss, type ShownAnswer } from './judge/answer-loss.ts'
import { choose, isHiddenField, type SadPathChoice } from './choose.ts'
import { createJudge, isProblem, type Judge, type Judgement, type Thresholds } from './judge/judge.ts'
import { createPlaceFinder, isForeign } from './source-place.ts'
import { createVisitor, type Api, type Script, type Visit, type Visitor } from './visit.ts'
import { saysFailure } from './judge/words.ts'
import { defaultPatience, type Patience } from './watch-page.ts'

export interface ExploreOptions extends SadPathChoice {
  /** The folder of the project, for the places of errors. */
  root?: string
  thresholds?: Partial<Thresholds>
  patience?: Partial<Patience>
  /** Pictures of all pages, or only of those that take a sad path badly, and of one of each other verdict and request. */
  pictures?: 'all' | 'few'
  /** Number of pages open at a time. Default: four for each core. */
  pages?: number
  script?: Script
  server?: string
  /** The user for whom the page is asked, and the headers that say so to the mock API. */
  login?: Login | undefined
  headers?: Record<string, string>
  /**
   * Whether a sad path is not tried again.
   *
   * @param basis what its verdict depends on: it changes with the code of the page, and with the usual answer
   */
  isKnown?: (id: string, basis: string) => boolean
  onPlan?: (plan: ExplorePlan) => void
  onFinding?: (finding: Finding, picture: Buffer | undefined) => void
}

export interface ExplorePlan {
  /** Where the page has led, if that is somewhere else. */
  redirectedTo: string | undefined
  picture: Buffer
  sadPaths: readonly SadPath[]
  /** Number of sad paths beyond `max`. */
  more: number
}

export interface Finding extends Judgement, Pick<SadPath, 'request' | 'id' | 'title' | 'kind'> {
  basis?: string
  /** The top frame of the application's own source, if there is an error: `src/Orders.tsx:41`. */
  place?: string
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
  const patience = { ...defaultPatience, ...options.patience }
  const visitor = createVisitor(browser, url, patience, options)
  try {
    await exploreWith(visitor, url, patience, options)
  } finally {
    await visitor.tabs.stopReuse()
  }
}

async function exploreWith(
  { api, tabs, visit }: Visitor,
  url: string,
  patience: Patience,
  options: ExploreOptions,
): Promise<void> {
  const { pages = 4 * availableParallelism(), isKnown = () => false } = options
  // The call fails if the server is not ours, unless that answers every address.
  const { known: scenarios } = await api.call('GET /scenario')
  if (!Array.isArray(scenarios)) throw new Error(notOurs(options.server ?? url))
  const good = (delay: number) => visit({ delay }, (one) => visitGood(api, one, url))
  // What a page shows before its data comes has to be painted at least once.
  const [first, second] = await Promise.all([good(300), good(0)])
  if (first.requests.some(isCacheable)) await tabs.stopReuse()
  const judge = createJudge([first.observation, second.observation], options.thresholds)
  const requests = [...first.requests, ...second.requests]
  const withoutHash = (address: string) => new URL(address).href.replace(/#.*/, '')
  const redirectedTo = withoutHash(second.url) === withoutHash(url) ? undefined : second.url
  if (requests.length === 0) throw new Error(noRequest(url, redirectedTo))
  const { sadPaths, more } = choose([...first.sadPaths, ...second.sadPaths], options, second.hidden)
  if (sadPaths.length === 0 && options.only) throw new Error(noneFits(options.only, first.sadPaths))
  options.onPlan?.({ redirectedTo, picture: second.picture, sadPaths, more })

  const basisOf = ({ id }: SadPath) => `${second.source}-${second.answers.get(id) ?? first.answers.get(id)}`
  const queue = sadPaths.filter((path) => !isKnown(path.id, basisOf(path)))
  const take = (isWanted: (path: SadPath) => boolean) => {
    const index = Math.max(0, queue.findIndex(isWanted))
    return queue.splice(index, 1)[0]
  }
  const placeIn = createPlaceFinder(options.root ?? process.cwd(), options.headers)
  const pictured = new Set<string>()
  const needsPicture = (request: string, { verdict, isDoubtful }: Visited) => {
    const isFirst = !pictured.has(`${verdict} ${request}`)
    pictured.add(`${verdict} ${request}`)
    return isFirst || isDoubtful || isProblem(verdict) || options.pictures === 'all'
  }
  const held: (() => void)[] = []
  // Half of the pages begin with what never comes: they only wait, for longer than all others together.
  const work = async (_: unknown, index: number) => {
    const isWanted = (path: SadPath) => path.id.endsWith('#connection silent') === (index % 2 === 1)
    for (let path = take(isWanted); path; path = take(isWanted)) {
      const { request, id, title, kind } = path
      const about = { request, id, title, kind, basis: basisOf(path) }
      const { picture, again, isDoubtful, ...found } = await visit({ sadPath: id }, async (one) => {
        const seen = await visitSad(one, judge, requests, patience)
        return { ...seen, picture: needsPicture(request, seen) ? await one.takePicture() : undefined }
      })
      const place = await placeIn(found.error?.stack)
      const rest = { ...found, ...(place !== undefined && { place }) }
      const tell = () => options.onFinding?.({ ...about, ...rest, ...again() }, picture)
      // Another sad path may yet show that it says the same where nothing is wrong.
      if (isDoubtful) held.push(tell)
      else tell()
    }
  }
  // The server keeps the last 500 requests of all pages.
  const most = Math.max(1, Math.floor(maxRequests / second.count))
  await Promise.all(Array.from({ length: Math.min(pages, most) }, work))
  for (const tell of held) tell()
}

const maxRequests = 400
/** Requests of a route, or of an operation, that are looked at: a page may ask for each of 500 orders. */
const maxAlike = 10

export async function visitGood(
  api: Api,
  { page, open, requests, details, takePicture }: Visit,
  url: string,
) {
  const sources = new Map<string, Promise<string>>()
  page.on('response', (response) => {
    const isCode = /^(?:document|script|stylesheet)$/.test(response.request().resourceType())
    if (isCode && !isForeign(response.url()))
      sources.set(
        withoutTimes(response.url()),
        response.text().catch(() => ''),
      )
  })
  const observation = await open()
  const picture = await takePicture()
  const codes = await Promise.all([...sources].sort(([a], [b]) => compareTexts(a, b)).map(([, code]) => code))
  const source = hash32(withoutTimes(codes.join('\n'))).toString(36)
  const answers = new Map<string, string>()
  const texts = observation.parts.map(({ text }) => text)
  const hidden = new Set<string>()
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
    const found = (await api.call('GET /sad-paths', { query: `request=${id}&limit=1000` })).sadPaths
    const { text = '' } = request.response?.body ?? {}
    for (const path of found) {
      if (isHiddenField(path, text, texts)) hidden.add(path.id)
      answers.set(path.id, hash32(text).toString(36))
    }
    sadPaths.push(...found)
  }
  const count = all.length
  return { observation, picture, url: page.url(), count, requests: sent, sadPaths, hidden, source, answers }
}

/** Vite adds the time of a change to the address of a module. */
const withoutTimes = (text: string) => text.replace(/[?&]t=\d+/g, '')

interface Visited extends Judgement, Pick<Finding, 'asked' | 'answer'> {
  /** Whether the message may be what the page also says when it just has no data. */
  isDoubtful: boolean
  /** Judges it with what other sad paths have taught. */
  again: () => Judgement
}

export async function visitSad(
  { open, requests, details }: Visit,
  { judge, learn, isWaiting, isTimed, lookOf }: Judge,
  good: readonly RequestDetails[],
  { quiet, limit }: Patience,
): Promise<Visited> {
  let answered: RequestDetails | undefined
  const exchange = async () => {
    if (answered?.response) return answered
    const forced = (await requests()).find(({ answeredBy }) => answeredBy === 'override')
    return (answered = forced && (await details(forced.id)))
  }
  const lossOf = (asked: RequestDetails | undefined) => {
    if (!asked) return undefined
    const before = good.find((one) => keyOf(one) === keyOf(asked)) ?? asked
    const others = good.filter((one) => keyOf(one) !== keyOf(asked))
    return findLoss(answerOf(before), answerOf(asked), others.map(answerOf))
  }

  const observation = await open({
    lookOf,
    isWaiting,
    async isEnough(seen, idle) {
      // Without a timer, little can happen any more; but on a busy machine, what is missing may yet come.
      if (idle < (isTimed(seen) ? quiet : 0.4 * quiet)) return judge(seen, undefined).verdict === 'looping'
      const { verdict } = judge(seen, lossOf(await exchange()))
      if (!isProblem(verdict) || verdict === 'crashed') return true
      // Some clients try a failed request again, a few seconds later, and the page says nothing until then.
      return idle >= (isTimed(seen) ? limit / 2 : 2 * quiet)
    },
  })
  const asked = await exchange()
  const loss = lossOf(asked)
  learn(observation, loss)
  const again = () => judge(observation, loss)
  const judgement = again()
  const isDoubtful =
    judgement.verdict === 'handled' && loss?.failed === true && !saysFailure(judgement.reason)
  if (!asked) return { ...judgement, isDoubtful, again }
  const { method, url, body } = asked
  const request = defined({ method, url, body: body?.text })
  return { ...judgement, isDoubtful, again, asked: request, answer: answerOf(asked) }
}

/** A page that is used again would not ask for it again. */
function isCacheable({ response }: RequestDetails): boolean {
  const headers = Object.entries(response?.headers ?? {}).map(([name, value]) =>
    `${name}: ${value}`.toLowerCase(),
  )
  const isStored = headers.some((line) =>
    /^(?:etag|last-modified|expires|cache-control: .*max-age)/.test(line),
  )
  return isStored && !headers.some((line) => /^cache-control: .*no-store/.test(line))
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
