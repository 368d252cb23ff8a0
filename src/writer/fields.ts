import { holdsSecret, isSecret, isSecretName, looksLikeToken } from '../core/request/redact.ts'
import type { ParsedRequest } from '../core/request/parsed-request.ts'
import { groupBy } from '../core/values/collections.ts'
import { isRecord } from '../core/values/values.ts'
import type { Omissions } from './omissions.ts'
import type { ReadExchange } from './read-exchange.ts'

/** The conditions of a `when`, by keys such as `['query', 'page']`. In bodies and variables, dots reach inside. */
export type Conditions = Map<string, Condition>

export interface Condition {
  source: 'params' | 'query' | 'body' | 'variables' | 'operationName' | 'extensions'
  /** `''` is the source itself. */
  key: string
  value: unknown
}

export function addressOf({ request, path, where }: ReadExchange, omissions: Omissions): Conditions {
  const conditions: Conditions = new Map()
  for (const [name, value] of Object.entries(path.params)) {
    if (value === undefined || isSecret({ source: 'params', path: [name] }))
      omissions.add(`path parameter "${name}"`, 'it is a credential', where)
    else add(conditions, { source: 'params', key: name, value })
  }
  if (request.graphql) addOperation(request, conditions, where, omissions)
  else addQuery(request, conditions, where, omissions)
  return conditions
}

function addOperation(
  { graphql, operationName }: ParsedRequest,
  conditions: Conditions,
  where: string,
  omissions: Omissions,
): void {
  const { query, extensions } = graphql!
  if (operationName !== undefined) add(conditions, { source: 'operationName', key: '', value: operationName })
  else if (query !== undefined && holdsSecret(query))
    omissions.add('a document', 'it has a credential', where)
  else if (query !== undefined) add(conditions, { source: 'query', key: '', value: query })
  else if (isRecord(extensions?.['persistedQuery'])) {
    const hash = extensions['persistedQuery']['sha256Hash']
    add(conditions, { source: 'extensions', key: 'persistedQuery.sha256Hash', value: hash })
  }
}

/** Parameters against caches: times and random numbers. */
const volatileName = /^(?:_+|_?t|ts|_?timestamp|cb|_?cache_?bust(?:er|ing)?|nonce|rnd|rand|random|_?dc)$/i
const volatileValue = /^(?:\d{9,}|0\.\d+|[\da-f]{16,})$/i

function addQuery({ query }: ParsedRequest, conditions: Conditions, where: string, omissions: Omissions) {
  // One file for one URL, in whatever order a client builds it.
  for (const [name, value] of Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const why = whyNoCondition(name, value)
    if (why !== undefined) omissions.add(`query parameter "${name}"`, why, where)
    else add(conditions, { source: 'query', key: name, value })
  }
}

function whyNoCondition(name: string, value: string): string | undefined {
  if (isSecret({ source: 'query', path: [name] }) || holdsSecret(value)) return 'it is a credential'
  if (volatileName.test(name) && volatileValue.test(value)) return 'its value differs with each request'
  if (name.startsWith('$')) return 'in a selector, names that begin with "$" are operators'
  if (name === '' || !value.isWellFormed()) return 'a selector can not name it'
  return undefined
}

const maxFields = 300
const maxDepth = 8
const maxValue = 300

/** The candidates among which `chooseFields` chooses. */
export function fieldsOf(request: ParsedRequest, report: (what: string) => void): Conditions {
  const fields: Conditions = new Map()
  const source = request.graphql ? 'variables' : 'body'
  const addField = (value: unknown, path: readonly string[]): void => {
    const key = path.map((part) => part.replace(/[\\.]/g, '\\$&')).join('.')
    const name = path.at(-1)
    if (fields.size >= maxFields || path.length > maxDepth || name === '' || name?.startsWith('$')) return
    if (name !== undefined && (isSecretName(name) || (typeof value === 'string' && holdsSecret(value))))
      report(key)
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value)) addField(inner, [...path, name])
    else if (value !== undefined && isShort(value) && !hasOperators(value))
      add(fields, { source, key, value })
  }
  addField(request.graphql ? request.graphql.variables : request.body, [])
  return fields
}

function isShort(value: unknown): boolean {
  const text = JSON.stringify(value)
  return (
    text.length <= maxValue && text.isWellFormed() && !/[\uFFFD\0-\x08]/.test(text) && !looksLikeToken(text)
  )
}

/** Whether a list has keys of operators or secrets, which a condition can't have. */
function hasOperators(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOperators)
  if (!isRecord(value)) return false
  return Object.entries(value).some(
    ([key, inner]) =>
      key.startsWith('$') || key === '' || /[.\\]/.test(key) || isSecretName(key) || hasOperators(inner),
  )
}

function add(conditions: Conditions, condition: Condition): void {
  conditions.set(JSON.stringify([condition.source, condition.key]), condition)
}

export function conditionsKey(conditions: Conditions): string {
  const sorted = [...conditions].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(sorted.map(([id, { value }]) => [id, value]))
}

interface Labelled {
  fields: Conditions
  label: string
}

/** Greedy: the field that separates most comes first. Equal ones keep the order of the body. */
export function chooseFields(requests: readonly Labelled[]): string[] {
  const chosen: string[] = []
  const candidates = new Set(requests.flatMap(({ fields }) => [...fields.keys()]))
  let mixed = countMixed(requests, chosen)
  while (mixed > 0) {
    let best: { id: string; mixed: number } | undefined
    for (const id of candidates) {
      const left = countMixed(requests, [...chosen, id])
      if (left < (best?.mixed ?? mixed)) best = { id, mixed: left }
    }
    if (!best) {
      // No field alone separates more. All of them together may.
      const all = [...chosen, ...candidates]
      return countMixed(requests, all) < mixed ? all : chosen
    }
    chosen.push(best.id)
    candidates.delete(best.id)
    mixed = best.mixed
  }
  return chosen
}

function countMixed(requests: readonly Labelled[], ids: readonly string[]): number {
  const groups = groupBy(requests, ({ fields }) => conditionsKey(pick(fields, ids))).values()
  const counts = [...groups].map((group) => new Set(group.map(({ label }) => label)).size - 1)
  return counts.reduce((sum, count) => sum + count, 0)
}

export function pick(fields: Conditions, ids: readonly string[]): Conditions {
  return new Map(ids.flatMap((id) => (fields.has(id) ? [[id, fields.get(id)!] as const] : [])))
}
