import { hidden, hideSecrets, holdsSecret, isSecret, isSecretName } from '../core/redact/redact.ts'
import { exactly, type ParsedRequest } from '../core/request/parsed-request.ts'
import type { GraphQLParams } from '../core/graphql/params.ts'
import { groupBy } from '../core/values/collections.ts'
import { isRecord, ownValue, compareTexts } from '../core/values/values.ts'
import { documentIdOf, documentIds, hashOf } from './operation.ts'
import type { Omissions } from './omissions.ts'
import type { ReadExchange } from './exchange/read-exchange.ts'

/** The conditions of a `when`, by keys such as `['query', 'page']`. In bodies and variables, dots reach inside. */
export type Conditions = Map<string, Condition>

export interface Condition {
  source: 'params' | 'query' | 'headers' | 'cookies' | 'body' | 'variables' | 'operationName' | 'extensions'
  /** `''` is the source itself. */
  key: string
  value: unknown
  /** Value of the condition that a default route keeps: the same operation, or the same page. */
  kept?: unknown
}

export function addressOf(exchange: ReadExchange, omissions: Omissions): Conditions {
  const { request, graphql, isCall, method, path, where } = exchange
  const conditions: Conditions = new Map()
  for (const [name, value] of Object.entries(path.params)) {
    if (value === undefined || isSecret({ source: 'params', path: [name] }))
      omissions.add(`path parameter "${name}"`, 'it is a credential', where)
    else add(conditions, { source: 'params', key: name, value })
  }
  if (graphql && method === 'POST') addOperation(exchange, graphql, conditions)
  else addQuery(request, conditions, where, omissions, graphql ? ofOperation : [])
  const keep = (source: Condition['source'], key: string, value: unknown) =>
    value !== undefined && add(conditions, { source, key, value, kept: value })
  if (isCall) keep('body', 'method', ownValue(request.body, 'method'))
  for (const name of ['soapaction', 'x-amz-target']) keep('headers', name, request.headers[name])
  return conditions
}

/** Where `graphql.path` does not have the path, all is in the body. */
function addOperation(
  { request, operationName: name }: ReadExchange,
  graphql: GraphQLParams,
  conditions: Conditions,
): void {
  const isBody = !request.graphql
  const keep = (source: Condition['source'], key: string, value: unknown) =>
    add(
      conditions,
      isBody
        ? { source: 'body', key: [source, key].filter(Boolean).join('.'), value, kept: value }
        : { source, key, value, kept: value },
    )
  const [idName, id] = documentIdOf(graphql.payload) ?? []
  const hash = hashOf(graphql)
  if (isBody && name !== undefined && graphql.operationName === undefined)
    keep('query', '', { $regex: `\\b(?:query|mutation|subscription)\\s+${name}\\b` })
  else if (name !== undefined) keep('operationName', '', name)
  else if (graphql.query !== undefined) keep('query', '', graphql.query)
  else if (hash !== undefined) keep('extensions', 'persistedQuery.sha256Hash', hash)
  else if (idName !== undefined) add(conditions, { source: 'body', key: idName, value: id, kept: id })
}

/** Parameters against caches: times and random numbers. */
const volatileName = /^(?:_+|_?t|ts|_?timestamp|cb|_?cache_?bust(?:er|ing)?|nonce|rnd|rand|random|_?dc)$/i
const volatileValue = /^(?:\d{9,}|0\.\d+|[\da-f]{16,})$/i

const ofOperation = ['operationName', 'query', 'extensions', ...documentIds]

function addQuery(
  { parameters }: ParsedRequest,
  conditions: Conditions,
  where: string,
  omissions: Omissions,
  kept: readonly string[],
) {
  // One file for one URL, in whatever order a client builds it.
  for (const [name, value] of Object.entries(parameters).sort(([a], [b]) => compareTexts(a, b))) {
    const [why] = [value].flat().flatMap((one) => whyNoCondition(name, one) ?? [])
    if (why !== undefined) omissions.add(`query parameter "${name}"`, why, where)
    else add(conditions, { source: 'query', key: name, value, ...(kept.includes(name) && { kept: value }) })
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

/**
 * The candidates among which `chooseFields` chooses.
 *
 * @param report is called with each secret that is left out
 */
export function fieldsOf(
  { request, graphql, isCall }: ReadExchange,
  report: (condition: Condition) => void,
): Conditions {
  const fields: Conditions = new Map()
  const source = request.graphql ? 'variables' : 'body'
  const addField = (value: unknown, path: readonly string[], shown: unknown): void => {
    const key = path.map((part) => part.replace(/[\\.]/g, '\\$&')).join('.')
    const name = path.at(-1)
    if (ArrayBuffer.isView(value)) return
    if (fields.size >= maxFields || path.length > maxDepth || name === '' || name?.startsWith('$')) return
    if (
      (name !== undefined && isSecretName(name)) ||
      (!isRecord(value) && JSON.stringify(shown) !== JSON.stringify(value))
    )
      report({ source, key, value })
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value))
        addField(inner, [...path, name], ownValue(shown, name))
    else if (value !== undefined && isShort(value) && !hasOperators(value))
      add(fields, { source, key, value })
  }
  const sent = graphql
    ? exactly(request, 'body', ['variables'], graphql.variables)
    : exactly(request, 'body', [], request.body)
  addField(
    sent,
    graphql && !request.graphql ? ['variables'] : [],
    hideSecrets(sent, () => {}, hidden),
  )
  if (isCall) fields.delete(idOf({ source, key: 'id' }))
  return fields
}

/** Values that may decide whether a request is refused, and that no file may contain. */
export function credentialsOf({ request: { headers, cookies } }: ReadExchange): Conditions {
  const credentials: Conditions = new Map()
  const { authorization } = headers
  if (authorization !== undefined)
    add(credentials, { source: 'headers', key: 'authorization', value: String(authorization) })
  for (const [key, value] of Object.entries(cookies)) add(credentials, { source: 'cookies', key, value })
  return credentials
}

/** Headers by which a server may choose: those that it names itself, and a language or a format. */
export function negotiatedFields({ request, responseHeaders }: ReadExchange): Conditions {
  const fields: Conditions = new Map()
  const named = responseHeaders.flatMap(([name, value]) => (/^vary$/i.test(name) ? value.split(',') : []))
  for (const name of ['accept', 'accept-language', ...named.map((one) => one.trim().toLowerCase())]) {
    const value = request.headers[name]
    if (ofConnection.test(name) || isSecret({ source: 'headers', path: [name] })) continue
    if (typeof value === 'string' && isShort(value) && !holdsSecret(value))
      add(fields, { source: 'headers', key: name, value })
  }
  return fields
}

const ofConnection =
  /^(?:origin|host|referer|user-agent|accept-encoding|sec-.*|access-control-.*|x-forwarded-.*|via)$/

function isShort(value: unknown): boolean {
  const text = JSON.stringify(value)
  return text.length <= maxValue && text.isWellFormed() && !/[\uFFFD\0-\x08]/.test(text)
}

/** Whether a list has keys of operators, which a condition can't have. */
function hasOperators(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOperators)
  if (!isRecord(value)) return false
  return Object.entries(value).some(
    ([key, inner]) => key.startsWith('$') || key === '' || /[.\\]/.test(key) || hasOperators(inner),
  )
}

export function add(conditions: Conditions, condition: Condition): void {
  conditions.set(idOf(condition), condition)
}

function idOf({ source, key }: Pick<Condition, 'source' | 'key'>): string {
  return JSON.stringify([source, key])
}

export function conditionsKey(conditions: Conditions): string {
  const sorted = [...conditions].sort(([a], [b]) => compareTexts(a, b))
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
  const groups = groupBy(requests, ({ fields }) => conditionsKey(pickConditions(fields, ids))).values()
  const counts = [...groups].map((group) => new Set(group.map(({ label }) => label)).size - 1)
  return counts.reduce((sum, count) => sum + count, 0)
}

export function pickConditions(fields: Conditions, ids: readonly string[]): Conditions {
  return new Map(ids.flatMap((id) => (fields.has(id) ? [[id, fields.get(id)!] as const] : [])))
}
