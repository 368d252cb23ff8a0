import { groupBy } from '../core/values/collections.ts'
import { OperationTypeNode } from 'graphql/language/ast.js'
import {
  addressOf,
  chooseFields,
  conditionsKey,
  fieldsOf,
  pick,
  type Condition,
  type Conditions,
} from './fields.ts'
import { setOwn } from '../core/values/values.ts'
import {
  countConditions,
  withDefaultRoutes,
  type RouteDefinition,
  type WrittenRoute,
} from './default-route.ts'
import { asLiteral } from './from-request.ts'
import { findPages, type Answered } from './find-pages.ts'
import { compareText, type Omissions } from './omissions.ts'
import type { ReadExchange } from './read-exchange.ts'
import { writeAnswer, type WrittenAnswer } from './write-answer.ts'

export function writeRoutes(answered: readonly Answered[], graphqlPaths: readonly string[]): WrittenRoute[] {
  const { routes: pages, rest } = findPages(answered)
  const asNumbers = numericFields(answered)
  const byAddress = groupBy(rest, ({ address }) => conditionsKey(address))
  const paged = pages.map(({ address, paginate, headers, members }) => {
    const response = Object.keys(headers).length > 0 && { response: { headers } }
    return toRoute(members, writeWhen(address, asNumbers), { paginate, ...response })
  })
  const routes = [...byAddress.values()].flatMap((group) => routesOfAddress(group, asNumbers))
  return withDefaultRoutes([...paged, ...routes], graphqlPaths).sort(compareRoutes)
}

export function readAnswered(
  exchange: ReadExchange,
  index: number,
  longest: number,
  omissions: Omissions,
): Answered {
  const { request, where, path } = exchange
  const fields = fieldsOf(request, (key) =>
    omissions.add(`${request.graphql ? 'variable' : 'request body'} "${key}"`, 'it is a credential', where),
  )
  const address = addressOf(exchange, omissions)
  // The variables of a query are like a URL's parameters; those of a mutation are data, as a body is.
  if (request.graphql && request.graphql.operation?.operation !== OperationTypeNode.MUTATION) {
    for (const [id, condition] of fields) address.set(id, condition)
    fields.clear()
  }
  const answer = writeAnswer({ ...exchange, path: path.template }, omissions, longest)
  return { exchange, index, address, fields, answer }
}

function routesOfAddress(group: readonly Answered[], asNumbers: ReadonlySet<string>): WrittenRoute[] {
  const labelled = [...groupBy(group, ({ fields }) => conditionsKey(fields))].flatMap(([key, same]) => {
    const turns = sequenceOf(same)
    // A sequence is counted per route: two requests can't share one.
    const label = turns.length === 1 ? turns[0]!.key : `of ${key}`
    return same.map(({ fields }) => ({ fields, label }))
  })
  const chosen = chooseFields(labelled)
  const withFields = ({ address, fields }: Answered) => new Map([...address, ...pick(fields, chosen)])
  return [...groupBy(group, (one) => conditionsKey(withFields(one))).values()].map((same) => {
    const turns = sequenceOf(same)
    const answers = turns.map(({ answer }) => asLiteral(structuredClone(answer)))
    const files = turns.flatMap(({ file }, index) => (file ? [{ ...file, answer: answers[index]! }] : []))
    const response = answers.length === 1 ? answers[0]! : answers
    const isEmpty = Object.keys(response).length === 0 && files.length === 0
    return {
      ...toRoute(same, writeWhen(withFields(same[0]!), asNumbers), isEmpty ? {} : { response }),
      files,
    }
  })
}

/** The last answer of a sequence is given from then on, so that it stands there once. */
function sequenceOf(same: readonly Answered[]): WrittenAnswer[] {
  const answers = [...same].sort((a, b) => a.index - b.index).map(({ answer }) => answer)
  while (answers.length > 1 && answers.at(-1)!.key === answers.at(-2)!.key) answers.pop()
  return answers
}

function toRoute(
  same: readonly Answered[],
  when: Record<string, unknown>,
  rest: Pick<RouteDefinition, 'paginate' | 'response'>,
): WrittenRoute {
  const { exchange, index } = same[0]!
  const { method, path, request } = exchange
  return {
    index,
    definition: {
      ...(method !== (request.graphql ? 'POST' : 'GET') && { method }),
      path: path.template,
      ...(Object.keys(when).length > 0 && { when }),
      ...rest,
    },
    files: [],
    exchanges: same.map(({ exchange }) => exchange),
  }
}

/** Parameters that are all numbers in their shortest spelling need no quotes. */
function numericFields(answered: readonly Answered[]): Set<string> {
  const byId = groupBy(
    answered.flatMap(({ address }) => [...address]),
    ([id]) => id,
  )
  const isNumeric = ([, { source, value }]: [string, Condition]) =>
    (source === 'params' || source === 'query') && /^(?:0|[1-9]\d{0,14})$/.test(String(value))
  return new Set([...byId].flatMap(([id, all]) => (all.every(isNumeric) ? id : [])))
}

const sources = ['params', 'query', 'operationName', 'extensions', 'variables', 'body'] as const

function writeWhen(conditions: Conditions, asNumbers: ReadonlySet<string>): Record<string, unknown> {
  const when: Record<string, unknown> = {}
  for (const source of sources) {
    for (const [id, condition] of conditions) {
      if (condition.source !== source) continue
      const { value: given } = condition
      const value = asNumbers.has(id) && typeof given === 'string' ? Number(given) : given
      if (condition.key === '') when[source] = value
      else setOwn((when[source] ??= {}), condition.key, value)
    }
  }
  return when
}

/** The default route first; then those with more conditions, which others would hide. */
function compareRoutes({ definition: a }: WrittenRoute, { definition: b }: WrittenRoute): number {
  const [countA, countB] = [countConditions(a.when), countConditions(b.when)]
  if (countA === 0 || countB === 0) return countA - countB
  return countB - countA || compareText(JSON.stringify(a.when), JSON.stringify(b.when))
}
