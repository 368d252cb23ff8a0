import { groupBy } from '../core/values/collections.ts'
import { defined, filled, isRecord, setOwn } from '../core/values/values.ts'
import { visible } from '../core/diagnostics/format.ts'
import { fromRequest } from './from-request.ts'
import type { ReadExchange } from './exchange/read-exchange.ts'
import { Replay } from './exchange/replay.ts'
import type { ResponseKeys } from './write-answer.ts'
import { cutText } from '../core/values/describe-value.ts'

export interface WrittenRoute {
  definition: RouteDefinition
  /** Conditions that tell operations of one path apart, and pages of a list: a default route has them, too. */
  kept: When
  files: { answer: ResponseKeys; bytes: Uint8Array; extension: string }[]
  /** Empty for a step of a sequence. */
  exchanges: readonly ReadExchange[]
  /** Exchanges that the route does not answer as they were answered. */
  lost?: { why: string; exchanges: readonly ReadExchange[] }
  /** The index of its first exchange in the recording. */
  index: number
  /** A comment above the route. */
  note?: string
}

export interface RouteDefinition {
  name?: string
  method?: string
  path?: string
  url?: string
  when?: Record<string, unknown>
  example?: Record<string, unknown>
  scenario?: string
  paginate?: object
  response?: ResponseKeys | ResponseKeys[]
}

type When = NonNullable<RouteDefinition['when']>

/**
 * Each endpoint, and each GraphQL operation, gets a default route: its first good answer also suits ids that were not
 * recorded. Selectors stay where answers differ.
 */
export function withDefaultRoutes(
  routes: readonly WrittenRoute[],
  graphqlPaths: readonly string[],
): WrittenRoute[] {
  const groups = groupBy(routes, ({ kept }) => JSON.stringify(kept))
  return [...groups.values()].flatMap((group) => {
    const [chosen, rest] = chooseDefault(group, graphqlPaths)
    return chosen ? merge(chosen, rest, graphqlPaths) : rest.map(withValues)
  })
}

function chooseDefault(
  group: readonly WrittenRoute[],
  graphqlPaths: readonly string[],
): [chosen: WrittenRoute | undefined, rest: WrittenRoute[]] {
  const { kept } = group[0]!
  const count = ({ definition: { when } }: WrittenRoute) => countConditions(when)
  // One with fewer conditions may select the request of the chosen one, which has no selector.
  const sorted = [...group].sort((a, b) => rankOf(a) - rankOf(b) || count(a) - count(b) || a.index - b.index)
  const good = sorted.find((route) => goodStep(route) >= 0)
  const plain = sorted.find(isDefault)
  if (plain === good || !good) return [plain, group.filter((route) => route !== plain)]
  const { when = {}, response } = good.definition
  const fewer = group.filter((route) => route !== plain && count(route) < count(good))
  const replay = fewer.length > 0 && new Replay(selectorsOf(fewer), graphqlPaths)
  const isHidden =
    replay && good.exchanges.some(({ request, method }) => replay.select(request, method) !== undefined)
  const best = Array.isArray(response) || isHidden ? firstGood(good) : good
  const others = group.filter((route) => route !== best && route !== plain)
  const rest = plain ? [withWhen(plain, withoutOthers(kept, when)), ...others] : others
  const seen = without(when, kept)
  return [withWhen(best, kept, literalsOf(seen) as When | undefined), rest]
}

function withWhen(route: WrittenRoute, when: When, example?: When): WrittenRoute {
  const { name, method, path, url, paginate, response } = route.definition
  const definition = defined({ name, method, path, url, when: filled(when), example, paginate, response })
  return { ...route, definition }
}

/** A condition without its operators, as for a secret: they name no value. */
function literalsOf(condition: unknown): unknown {
  if (!isRecord(condition)) return condition
  const known = Object.entries(condition).flatMap(([key, value]) => {
    const literal = key.startsWith('$') ? undefined : literalsOf(value)
    return literal === undefined ? [] : [[key, literal]]
  })
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** An error is not a default: it is selected by what its request lacks. */
function withoutOthers(kept: When, others: When): When {
  const when = structuredClone(kept)
  for (const [source, given] of Object.entries(without(others, kept)))
    for (const key of Object.keys(isRecord(given) ? given : {}))
      setOwn((when[source] ??= {}), key, { $exists: false })
  return when
}

function without(when: When, kept: When): When {
  const others = Object.entries(when).flatMap(([source, given]) => {
    const same = kept[source]
    if (same === undefined) return [[source, given]]
    if (!isRecord(given) || !isRecord(same)) return []
    const own = Object.entries(given).filter(([key]) => !Object.hasOwn(same, key))
    return own.length > 0 ? [[source, Object.fromEntries(own)]] : []
  })
  return Object.fromEntries(others) as When
}

function rankOf(route: WrittenRoute): number {
  return isDefault(route) ? 0 : route.definition.paginate ? 1 : 2
}

/**
 * Another route for the same answer. The turns of a sequence are counted for all requests of its route, so that those of
 * other ids get one answer.
 */
function firstGood({ definition, files, exchanges, ...route }: WrittenRoute): WrittenRoute {
  const index = goodStep({ definition })
  const step = [definition.response ?? {}].flat()[index]!
  const response = fromRequest(exchanges[index]!, step)
  return {
    ...route,
    definition: definition.response ? { ...definition, response } : definition,
    files: files.flatMap((file) => (file.answer === step ? { ...file, answer: response } : [])),
    exchanges: [],
  }
}

/** The index of the first good response; -1 for none. */
function goodStep({ definition: { response = {} } }: Pick<WrittenRoute, 'definition'>): number {
  return [response].flat().findIndex(isGood)
}

export function isGood({ status = 200, body }: ResponseKeys): boolean {
  if (status >= 400 || !isRecord(body)) return status < 400
  const { errors, error, jsonrpc } = body
  return !(Array.isArray(errors) && errors.length > 0) && !(jsonrpc !== undefined && isRecord(error))
}

/** Routes that answer as the default one does need not be there. */
function merge(chosen: WrittenRoute, rest: readonly WrittenRoute[], graphqlPaths: readonly string[]) {
  const route = withValues(chosen)
  if (rest.length === 0) return [route]
  const made = madeFrom(chosen)
  const key = made && keyOf(made)
  const same = rest.filter((other) => {
    const answer = key === undefined ? undefined : madeFrom(other)
    return answer !== undefined && keyOf(answer) === key
  })
  if (same.length === 0) return [route, ...rest.map(withValues)]
  const others = rest.filter((other) => !same.includes(other))
  const replay = new Replay(selectorsOf([chosen, ...others]), graphqlPaths)
  const exchanges = same.flatMap((route) => route.exchanges)
  const isFree = exchanges.every(({ request, method }) => replay.select(request, method) === 0)
  return isFree
    ? [{ ...route, exchanges: [...chosen.exchanges, ...exchanges] }, ...others.map(withValues)]
    : [route, ...rest.map(withValues)]
}

/** Answers don't select, and take long to prepare. */
export function selectorsOf(routes: readonly WrittenRoute[]): object[] {
  return routes.map(({ definition: { method, path, url, when, scenario } }) => ({
    method,
    ...(url === undefined ? { path } : { url }),
    when,
    scenario,
    response: {},
  }))
}

/** The answer with the values that its request has; `undefined` for what is not one answer. */
function madeFrom({ definition: { response = {}, paginate }, files, exchanges }: WrittenRoute, when?: When) {
  if (paginate || Array.isArray(response) || files.length > 0) return undefined
  const [made = response, ...others] = exchanges.map((exchange) => fromRequest(exchange, response, when))
  return others.every((other) => JSON.stringify(other) === JSON.stringify(made)) ? made : response
}

/** The route with values of the request in its answer. Values that select the route stay as they are. */
function withValues(route: WrittenRoute): WrittenRoute {
  const response = filled(madeFrom(route, route.definition.when) ?? {})
  return response ? { ...route, definition: { ...route.definition, response } } : route
}

/** A key of the answer, without placeholders for missing values. */
function keyOf(answer: ResponseKeys): string {
  return JSON.stringify(answer, (_, value: unknown) =>
    isRecord(value) && (Object.hasOwn(value, '$from') || Object.hasOwn(value, '$text'))
      ? { ...value, else: undefined }
      : value,
  )
}

export function isDefault({ definition: { when = {} }, kept }: WrittenRoute): boolean {
  return JSON.stringify(when) === JSON.stringify(kept)
}

/** Counts a list as more than one of its values, or a part of its objects, which would select it, too. */
export function countConditions(when: RouteDefinition['when']): number {
  return Object.values(when ?? {}).reduce<number>(
    (sum, given) => sum + (isRecord(given) ? Object.values(given) : [given]).reduce(addCount, 0),
    0,
  )
}

function addCount(sum: number, value: unknown): number {
  const isOperator = isRecord(value) && Object.keys(value).some((key) => key.startsWith('$'))
  const parts = isOperator || typeof value !== 'object' ? [] : Object.values(value ?? {})
  return parts.reduce(addCount, sum + 1)
}

const maxShown = 100

/** A part of a comment: in one line, without control characters. */
export function inNote(text: string): string {
  return cutText(visible(text.trim().replaceAll(/\s+/g, ' ')), maxShown)
}
