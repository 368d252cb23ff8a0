import { groupBy } from '../core/values/collections.ts'
import { OperationTypeNode } from 'graphql/language/ast.js'
import {
  addressOf,
  chooseFields,
  credentialsOf,
  conditionsKey,
  fieldsOf,
  negotiatedFields,
  pickConditions,
  type Condition,
  type Conditions,
} from './fields.ts'
import { defined, filled, isRecord, setOwn, words } from '../core/values/values.ts'
import {
  countConditions,
  inNote,
  isDefault,
  isGood,
  withDefaultRoutes,
  type RouteDefinition,
  type WrittenRoute,
} from './default-route.ts'
import { withLiteralBody, withCallId } from './from-request.ts'
import { freeName, placeOfRoute } from './endpoint-path.ts'
import { findPages, type PageAnswer } from './pages/find-pages.ts'
import { keepPages } from './pages/page-requests.ts'
import { compareNaturally, type Omissions } from './omissions.ts'
import { withOwnLinks } from './exchange/own-links.ts'
import type { ReadExchange } from './exchange/read-exchange.ts'
import { writeAnswer, type WrittenAnswer } from './write-answer.ts'

/** @param cookies the names of those that answers have set */
export function writeRoutes(
  answered: readonly PageAnswer[],
  graphqlPaths: readonly string[],
  cookies: ReadonlySet<string>,
): WrittenRoute[] {
  const { routes: pages, rest: others } = findPages(answered)
  const rest = pages.length > 0 ? others : keepPages(others)
  const asNumbers = numericFields(pages.length > 0 ? answered : rest)
  const byAddress = groupBy(rest, ({ address }) => conditionsKey(address))
  const paged = pages.map(({ address, paginate, headers, members }) => {
    return toRoute(members, address, asNumbers, { paginate, response: filled(headers) && { headers } })
  })
  const routes = [...byAddress.values()].flatMap((group) => routesOfAddress(group, asNumbers, cookies))
  const [always, switched] = [routes.filter(isAlways), routes.filter((route) => !isAlways(route))]
  return [...withDefaultRoutes([...paged, ...always], graphqlPaths), ...withoutDoubles(switched)].sort(
    compareRoutes,
  )
}

export function readAnswered(
  exchange: ReadExchange,
  index: number,
  longest: number,
  omissions: Omissions,
): PageAnswer {
  const { request, graphql, where, path } = exchange
  const secrets = credentialsOf(exchange)
  const fields = fieldsOf(exchange, (secret) => {
    secrets.set(secret.key, secret)
    const what = request.graphql ? 'variable' : 'request body'
    omissions.add(`${what} "${secret.key}"`, 'it is a credential', where)
  })
  const address = addressOf(exchange, omissions)
  // The variables of a query are like a URL's parameters; those of a mutation are data, as a body is.
  if (graphql && graphql.operation?.operation !== OperationTypeNode.MUTATION) {
    for (const [id, condition] of fields) address.set(id, condition)
    fields.clear()
  }
  for (const [id, condition] of negotiatedFields(exchange)) fields.set(id, condition)
  const answer = writeAnswer({ ...exchange, path: path.template }, omissions, longest)
  const { body } = answer.answer
  if (exchange.isCall && isRecord(body) && Object.hasOwn(body, 'id')) {
    answer.answer = { ...answer.answer, body: { ...body, id: null } }
    answer.key = JSON.stringify(answer.answer)
  }
  return { exchange, index, address, fields, secrets, answer }
}

function routesOfAddress(
  group: readonly PageAnswer[],
  asNumbers: ReadonlySet<string>,
  cookies: ReadonlySet<string>,
): WrittenRoute[] {
  const labelled = [...groupBy(group, ({ fields }) => conditionsKey(fields))].flatMap(([key, same]) => {
    const turns = sequenceOf(same)
    // A sequence is counted per route: two requests can't share one.
    const label = turns.length === 1 ? turns[0]!.key : `of ${key}`
    return same.map(({ fields }) => ({ fields, label }))
  })
  const chosen = chooseFields(labelled)
  const withFields = ({ address, fields }: PageAnswer) =>
    new Map([...address, ...pickConditions(fields, chosen)])
  const groups = groupBy(group, (one) => conditionsKey(withFields(one))).values()
  return [...groups].flatMap((same) => {
    const conditions = withFields(same[0]!)
    if (same.some(({ exchange }) => exchange.saved)) return byName(same, conditions, asNumbers)
    const { others = same, refused, stand } = splitByCredential(same, cookies)
    const route = routeOf(others, conditions, asNumbers)
    if (!stand) return [route]
    const ofRefused = routeOf(refused, new Map([...conditions, ['credential', stand]]), asNumbers)
    if (isRecord(stand.value)) return [route, ofRefused]
    const note = `Another "${inNote(stand.key)}" got this. It is left out: send ${JSON.stringify(stand.value)} to get it.`
    const why = `only a credential tells it from a good answer; ${JSON.stringify(stand.value)} stands for that`
    return [route, { ...ofRefused, note, exchanges: [], lost: { why, exchanges: ofRefused.exchanges } }]
  })
}

/** Saved answers to one request have names, and no order: a good one always answers, each other one in its scenario. */
function byName(same: readonly PageAnswer[], conditions: Conditions, asNumbers: ReadonlySet<string>) {
  const groups = [...groupBy(same, ({ answer }) => answer.key).values()]
  const usual = groups.find(([one]) => isGood(one!.answer.answer)) ?? groups[0]
  const names = new Map<string, number>()
  return groups.map((group) => {
    const route: WrittenRoute = routeOf(group, conditions, asNumbers)
    const name = toScenarioName(group[0]!.exchange.saved?.name ?? '')
    const scenario = freeName(name, names, (number) => `${name} ${number}`)
    if (group === usual) return route
    const { response, ...definition } = route.definition
    return { ...route, definition: defined({ ...definition, scenario, response }) }
  })
}

/** A name of a scenario is a part of a list with commas. */
export function toScenarioName(name: string): string {
  return name.replaceAll(/[,\s\0-\x1F\x7F]+/g, ' ').trim() || 'other'
}

const isAlways = ({ definition }: WrittenRoute) => definition.scenario === undefined

/** In its scenario, a route answers whatever the request has, unless another one does. */
function withoutDoubles(routes: readonly WrittenRoute[]): WrittenRoute[] {
  const keyOf = ({ definition, kept }: WrittenRoute) => JSON.stringify([definition.scenario, kept])
  return [...groupBy(routes, keyOf).values()].flatMap((group) => {
    if (group.length > 1) return group
    const [{ definition, kept }] = group as [WrittenRoute]
    return { ...group[0]!, definition: defined({ ...definition, when: filled(kept) }) }
  })
}

function routeOf(same: readonly PageAnswer[], conditions: Conditions, asNumbers: ReadonlySet<string>) {
  const all = sequenceOf(same)
  const turns = all.length > maxTurns ? [...all.slice(0, maxTurns - 1), all.at(-1)!] : all
  const why = `a sequence has ${maxTurns} answers at most`
  const lost = { why, exchanges: same.slice(maxTurns, all.length).map(({ exchange }) => exchange) }
  const { ownLinks, isCall } = same[0]!.exchange
  const answers = turns.map(({ answer: given }) => {
    const answer = isCall ? withCallId(structuredClone(given)) : withLiteralBody(structuredClone(given))
    return 'body' in answer && ownLinks ? { ...answer, body: withOwnLinks(answer.body, ownLinks) } : answer
  })
  const files = turns.flatMap(({ file }, index) => (file ? [{ ...file, answer: answers[index]! }] : []))
  const response = answers.length === 1 ? answers[0]! : answers
  const made = files.length > 0 ? response : filled(response)
  return { ...toRoute(same, conditions, asNumbers, { response: made }), files, lost }
}

interface Split {
  others: PageAnswer[]
  refused: PageAnswer[]
  /** The replacement for the credential of refused requests. */
  stand: Condition
}

/** A refused and an accepted login only differ in the password, other requests in a token. They are not a sequence. */
function splitByCredential(
  same: readonly PageAnswer[],
  cookies: ReadonlySet<string>,
): Split | { [key in keyof Split]?: never } {
  // A browser that asks the recorded answers has the cookies that they set, and no others.
  const decides = ({ source, key }: Condition) => source !== 'cookies' || cookies.has(key)
  const keyOf = ({ secrets }: PageAnswer) =>
    conditionsKey(new Map([...secrets].filter(([, one]) => decides(one))))
  const groups = [...groupBy(same, keyOf).values()]
  const isGoodGroup = (group: PageAnswer[]) => group.some(({ answer }) => isGood(answer.answer))
  const others = groups.filter(isGoodGroup).flat()
  const refused = groups.filter((group) => !isGoodGroup(group)).flat()
  if (others.length === 0 || refused.length === 0) return {}
  for (const id of new Set(same.flatMap(({ secrets }) => [...secrets.keys()]))) {
    const valuesIn = (list: readonly PageAnswer[]) => list.map(({ secrets }) => secrets.get(id))
    const [sent, wrong] = [valuesIn(others), valuesIn(refused)]
    const good = new Set(sent.map((secret) => JSON.stringify(secret?.value)))
    const known = [...wrong, ...sent].find((one) => one !== undefined)!
    if (!decides(known)) continue
    if (wrong.some((secret) => good.has(JSON.stringify(secret?.value)))) continue
    if (!wrong[0]) return { others, refused, stand: { ...known, value: { $exists: false } } }
    if (known.source === 'headers' || known.source === 'cookies') continue // it has expired
    return { others, refused, stand: { ...known, value: typeof known.value === 'number' ? 0 : 'wrong' } }
  }
  return {}
}

/** An endpoint that is polled, such as a clock, should not become a sequence of a thousand steps. */
const maxTurns = 100

/** A sequence keeps sending its last answer, so that is listed once. */
function sequenceOf(same: readonly PageAnswer[]): WrittenAnswer[] {
  const answers = [...same].sort((a, b) => a.index - b.index).map(({ answer }) => answer)
  while (answers.length > 1 && answers.at(-1)!.key === answers.at(-2)!.key) answers.pop()
  return answers
}

function toRoute(
  same: readonly PageAnswer[],
  conditions: Conditions,
  asNumbers: ReadonlySet<string>,
  rest: { paginate?: object; response: RouteDefinition['response'] | undefined },
): WrittenRoute {
  const { exchange, index } = same[0]!
  const { method, path, request, saved } = exchange
  const when = writeWhen(conditions, asNumbers)
  const kept = [...conditions].filter(([, one]) => one.kept !== undefined)
  return {
    index,
    definition: defined({
      name: saved?.name || undefined,
      method: method === (request.graphql ? 'POST' : 'GET') ? undefined : method,
      ...placeOfRoute(path.template),
      when: filled(when),
      ...rest,
    }),
    kept: writeWhen(new Map(kept.map(([id, one]) => [id, { ...one, value: one.kept }])), asNumbers),
    files: [],
    exchanges: same.map(({ exchange }) => exchange),
  }
}

/** Parameters that are all numbers in their shortest spelling need no quotes. */
function numericFields(answered: readonly PageAnswer[]): Set<string> {
  const byId = groupBy(
    answered.flatMap(({ address }) => [...address].filter(([, { value }]) => !isRecord(value))),
    ([id]) => id,
  )
  const isNumeric = ([, { source, value }]: [string, Condition]) =>
    (source === 'params' || source === 'query') &&
    [value].flat().every((one) => /^(?:0|[1-9]\d{0,14})$/.test(String(one)))
  return new Set([...byId].flatMap(([id, all]) => (all.every(isNumeric) ? id : [])))
}

const sources = words('params query headers cookies operationName extensions variables body')

function writeWhen(conditions: Conditions, asNumbers: ReadonlySet<string>): Record<string, unknown> {
  const when: Record<string, unknown> = {}
  for (const source of sources) {
    for (const [id, condition] of conditions) {
      if (condition.source !== source) continue
      const value = asNumbers.has(id) ? toNumbers(condition.value) : condition.value
      if (condition.key === '') when[source] = value
      else setOwn((when[source] ??= {}), condition.key, value)
    }
  }
  return when
}

function toNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNumbers)
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toNumbers(one)]))
  return typeof value === 'string' ? Number(value) : value
}

/** The default route first; then those with more conditions, which others would hide, as that of a page would. */
function compareRoutes(one: WrittenRoute, other: WrittenRoute): number {
  const [a, b] = [one.definition.when, other.definition.when]
  const [countA, countB] = [countConditions(a), countConditions(b)]
  if (countA === 0 || countB === 0) return countA - countB
  const last = Number(isDefault(one)) - Number(isDefault(other))
  return countB - countA || last || compareNaturally(JSON.stringify(a), JSON.stringify(b))
}
