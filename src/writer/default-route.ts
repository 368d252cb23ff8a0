import { stringify } from 'yaml'
import { groupBy } from '../core/values/collections.ts'
import { isRecord } from '../core/values/values.ts'
import { visible } from '../core/diagnostics/format.ts'
import { fromRequest } from './from-request.ts'
import type { ReadExchange } from './read-exchange.ts'
import { Replay } from './replay.ts'
import type { Answer } from './write-answer.ts'

export interface WrittenRoute {
  definition: RouteDefinition
  files: { answer: Answer; bytes: Uint8Array; extension: string }[]
  /** None, for what was made of a step of a sequence. */
  exchanges: readonly ReadExchange[]
  /** Where its first exchange stands in the recording. */
  index: number
  /** A comment above the route. */
  note?: string
}

export interface RouteDefinition {
  method?: string
  path: string
  when?: Record<string, unknown>
  paginate?: object
  response?: Answer | Answer[]
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
  const groups = groupBy(routes, ({ definition }) => JSON.stringify(operationIn(definition.when)))
  return [...groups.values()].flatMap((group) => {
    const [chosen, rest] = chooseDefault(group)
    return chosen ? merge(chosen, rest, graphqlPaths) : rest
  })
}

function chooseDefault(
  group: readonly WrittenRoute[],
): [chosen: WrittenRoute | undefined, rest: WrittenRoute[]] {
  const operation = operationIn(group[0]!.definition.when)
  const count = countConditions(operation)
  const isPlain = ({ definition }: WrittenRoute) => countConditions(definition.when) === count
  const sorted = [...group].sort((a, b) => rankOf(a, isPlain) - rankOf(b, isPlain) || a.index - b.index)
  const found = sorted.find((route) => isPlain(route) || goodStep(route) >= 0)
  const isSequence = found && !isPlain(found) && Array.isArray(found.definition.response)
  const best = isSequence ? firstGood(found) : found
  const rest = group.filter((route) => route !== best)
  if (!best || isPlain(best)) return [best, rest]
  const { when, method, path, ...answer } = best.definition
  const definition = {
    ...(method !== undefined && { method }),
    path,
    ...(count > 0 && { when: operation }),
    ...answer,
  }
  const seen = Object.entries(when!).filter(([key]) => !Object.hasOwn(operation, key))
  const note = `As recorded for ${describe(Object.fromEntries(seen))}: what no other route selects gets it too.`
  return [{ ...best, definition, note }, rest]
}

/** What tells operations of one path apart; in other requests, `query` is not text. */
function operationIn({ operationName, query, extensions }: When = {}): When {
  return {
    ...(operationName !== undefined && { operationName }),
    ...(typeof query === 'string' && { query }),
    ...(extensions !== undefined && { extensions }),
  }
}

function rankOf(route: WrittenRoute, isPlain: (route: WrittenRoute) => boolean): number {
  return isPlain(route) ? 0 : route.definition.paginate ? 1 : 2
}

/** The turns of a sequence are counted for all requests of its route, so that those of other ids get one answer. */
function firstGood(route: WrittenRoute): WrittenRoute {
  const index = goodStep(route)
  const step = (route.definition.response as Answer[])[index]!
  const response = fromRequest(route.exchanges[index]!, step)
  return { ...route, definition: { ...route.definition, response }, exchanges: [] }
}

/** -1 for none; a body that is a file belongs to its step. */
function goodStep({ definition: { response = {} }, files }: WrittenRoute): number {
  const isStep = (answer: Answer) => !Array.isArray(response) || files.every((file) => file.answer !== answer)
  return [response].flat().findIndex((answer) => isStep(answer) && isGood(answer))
}

function isGood({ status = 200, body }: Answer): boolean {
  const errors = isRecord(body) ? body['errors'] : undefined
  return status < 400 && !(Array.isArray(errors) && errors.length > 0)
}

/** Routes that answer as the default one does need not be there. */
function merge(
  chosen: WrittenRoute,
  rest: readonly WrittenRoute[],
  graphqlPaths: readonly string[],
): WrittenRoute[] {
  const made = madeFrom(chosen)
  const key = made && keyOf(made)
  const [same, others] = [true, false].map((isSame) =>
    rest.filter((route) => {
      const answer = key === undefined ? undefined : madeFrom(route)
      return (answer !== undefined && keyOf(answer) === key) === isSame
    }),
  ) as [WrittenRoute[], WrittenRoute[]]
  const route = made ? withAnswer(chosen, made) : chosen
  if (same.length === 0) return [route, ...rest]
  const definitions = [chosen, ...others].map(({ definition: { method, path, when } }) => ({
    method,
    path,
    when,
  }))
  const replay = new Replay(definitions, graphqlPaths)
  const exchanges = same.flatMap((route) => route.exchanges)
  if (exchanges.some(({ request, method }) => replay.select(request, method) !== 0)) return [route, ...rest]
  return [{ ...route, exchanges: [...chosen.exchanges, ...exchanges] }, ...others]
}

/** The answer with the values that its request has; `undefined` for what is not one answer. */
function madeFrom({
  definition: { response = {}, paginate },
  files,
  exchanges,
}: WrittenRoute): Answer | undefined {
  if (paginate || Array.isArray(response) || files.length > 0) return undefined
  const [made = response, ...others] = exchanges.map((exchange) => fromRequest(exchange, response))
  return others.every((other) => JSON.stringify(other) === JSON.stringify(made)) ? made : response
}

/** Without what stands for a missing value. */
function keyOf(answer: Answer): string {
  return JSON.stringify(answer, (_, value: unknown) =>
    isRecord(value) && (Object.hasOwn(value, '$from') || Object.hasOwn(value, '$text'))
      ? { ...value, else: undefined }
      : value,
  )
}

function withAnswer(route: WrittenRoute, answer: Answer): WrittenRoute {
  return Object.keys(answer).length === 0
    ? route
    : { ...route, definition: { ...route.definition, response: answer } }
}

export function countConditions(when: RouteDefinition['when']): number {
  const counts = Object.values(when ?? {}).map((value) => (isRecord(value) ? Object.keys(value).length : 1))
  return counts.reduce((sum, count) => sum + count, 0)
}

const maxShown = 100

function describe(when: When): string {
  const yaml = stringify(when, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true })
  const text = visible(yaml.trim().replaceAll(/\s+/g, ' '))
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
