import { hidden, isSecret, isSecretName, namesSecret, writeOperators } from '../core/request/redact.ts'
import type { ParsedRequest } from '../core/request/parsed-request.ts'
import type { UnmetCondition } from '../core/select/failed-conditions.ts'
import { isFlat, type Field, type Selector } from '../core/select/selector.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import { asJson } from '../core/values/json-value.ts'
import { isRecord, setOwn } from '../core/values/values.ts'
import { literalPath, slug } from '../writer/endpoint-path.ts'
import { writeYaml } from '../writer/write-yaml.ts'
import type { Json } from './api.ts'
import type { JournalEntry } from './journal.ts'

export const predicateText = '[function]'

/** `{ query: { page: 2 } }`. Values of secret fields are replaced. */
export function writeSelector({ equalities, tests }: Selector): Json {
  if (tests.some(({ field }) => !field)) return predicateText
  const when: { [key: string]: Json } = {}
  for (const { field, value } of equalities) setField(when, field, isSecret(field) ? hidden : value)
  for (const { field, written } of tests) {
    const text = writeOperators(written, field!)
    setField(when, field!, (asJson(text) ?? { value: text }).value as Json) // operators are JSON, all else is a text
  }
  return when
}

function setField(when: { [key: string]: Json }, field: Field, value: Json): void {
  const source = field.source === 'document' ? 'query' : field.source
  const key = (isFlat(field) ? field.path : field.path.map(escapeName)).join('.')
  if (key === '') return setOwn(when, source, merge(when[source], value))
  const inner = isRecord(when[source]) ? when[source] : {}
  setOwn(inner, key, merge(inner[key], value))
  setOwn(when, source, inner)
}

function merge(before: Json | undefined, value: Json): Json {
  return isRecord(before) && isRecord(value) ? { ...before, ...value } : value
}

function escapeName(name: string): string {
  return name.replace(/[\\.]/g, '\\$&')
}

/** Characters of the longest value that is written into a selector. */
const maxValue = 500

const anyValue = { $exists: true }

/** The request's values replace the failed conditions of a route; `undefined` where a predicate decides. */
export function writeMatchingRoute(
  { method, path, graphql }: Endpoint,
  { name, scenarios, selector }: CompiledRoute,
  unmet: readonly UnmetCondition[],
): string | undefined {
  if (!selector || unmet.some(({ field }) => !field)) return undefined
  const failed = new Set(unmet.map(({ field }) => field!.id))
  const isMet = ({ field }: { field?: { id: string } }) => !failed.has(field?.id ?? '')
  const met = { equalities: selector.equalities.filter(isMet), tests: selector.tests.filter(isMet) }
  const when = writeSelector({
    equalities: met.equalities,
    tests: met.tests.filter(({ field }) => !isSecret(field!)), // they can be left out, but not be shown
  }) as { [key: string]: Json }
  for (const { field } of met.equalities) if (isSecret(field)) setField(when, field, anyValue)
  for (const { field, received } of unmet) {
    if (received === undefined) continue // the request does not have it, so it can't be a condition
    if (isSecret(field!) || namesSecret(received) || JSON.stringify(received).length > maxValue)
      setField(when, field!, anyValue)
    else setField(when, field!, received as Json)
  }
  return writeYaml([
    {
      ...(!name.startsWith(`${method} ${path} #`) && { name }), // unless it is the default name
      ...(method !== (graphql ? 'POST' : 'GET') && { method }),
      path,
      ...(scenarios && { scenario: scenarios.length === 1 ? scenarios[0] : scenarios }),
      ...(Object.keys(when).length > 0 && { when }),
    },
  ])
}

interface Unwritable {
  reason: string
}

/** The answer gets these headers by itself, or they hold for one answer only. */
const ownHeaders =
  /^(?:cache-control|content-length|x-content-type-options|x-mock-route|date|connection|keep-alive|transfer-encoding|etag|last-modified|vary|access-control-.*)$/

/** The selector names all by which fixtures select this request. Without an answer, there is a placeholder. */
export function writeFixture(
  entry: JournalEntry,
  request: ParsedRequest,
): { yaml: string; isPlaceholder: boolean } | Unwritable {
  const { method, answeredBy, response, responseSize } = entry
  const isGraphQL = request.graphql !== undefined
  const when = selectorOf(request)
  const hasAnswer = response !== undefined && (answeredBy === 'route' || answeredBy === 'fault')
  if (hasAnswer && response.body.length < responseSize)
    return {
      reason: `its answer has ${responseSize} bytes, and only the first ${response.body.length} are kept`,
    }
  const answer = hasAnswer ? answerOf(entry) : { body: isGraphQL ? { data: {} } : {} }
  if (isUnwritable(answer)) return answer
  const yaml = writeYaml([
    {
      ...(method !== (isGraphQL ? 'POST' : 'GET') && { method: method === 'HEAD' ? 'GET' : method }),
      path: literalPath(request.path),
      ...(when && { when }),
      response: answer,
    },
  ])
  return { yaml, isPlaceholder: !hasAnswer }
}

function isUnwritable(answer: object): answer is Unwritable {
  return 'reason' in answer
}

function selectorOf(request: ParsedRequest): { [key: string]: Json } | undefined {
  const { graphql, isForm } = request
  const when: { [key: string]: Json } = {}
  if (graphql) {
    if (request.operationName !== undefined) when['operationName'] = request.operationName
    const { variables = {} } = request
    if (Object.keys(variables).length > 0) when['variables'] = conditionOf(variables)
  } else {
    const query = parametersOf(request.query)
    if (Object.keys(query).length > 0) when['query'] = query
    const { body } = request
    const selects = isRecord(body) ? Object.keys(body).length > 0 : body !== undefined && !isForm
    if (selects) when['body'] = conditionOf(body)
  }
  return Object.keys(when).length > 0 ? when : undefined
}

/** A secret parameter only has to be there; a name like an operator's can't be written. */
function parametersOf(values: Readonly<Record<string, string>>): { [key: string]: Json } {
  const entries = Object.entries(values).filter(([name]) => !name.startsWith('$'))
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecretName(name) ? anyValue : value]))
}

/** Objects are compared by their parts, lists as a whole. Dots in names are escaped. */
function conditionOf(value: unknown): Json {
  if (Array.isArray(value)) return namesSecret(value) ? anyValue : (value as Json)
  if (!isRecord(value)) return value as Json
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('$'))
  if (entries.length === 0) return anyValue
  return Object.fromEntries(
    entries.map(([name, inner]) => [escapeName(name), isSecretName(name) ? anyValue : conditionOf(inner)]),
  )
}

function answerOf({ response }: JournalEntry): object | Unwritable {
  const { status, fault, body, headers: list, delay } = response!
  const headers: Record<string, string | string[]> = {}
  for (let i = 0; i < list.length; i += 2) {
    const [name, value] = [list[i]!, list[i + 1]!]
    if (ownHeaders.test(name)) continue
    headers[name] = name in headers ? [headers[name]!, value].flat() : value
  }
  const type = [headers['content-type']].flat()[0] ?? ''
  const text = typeof body === 'string' ? body : decode(body)
  if (text === undefined) return { reason: 'its answer is not text' }
  const json = /[/+]json/.test(type) ? asJson(text) : undefined
  const isDefaultType = json
    ? type === 'application/json; charset=utf-8'
    : type === 'text/plain; charset=utf-8'
  if (isDefaultType) delete headers['content-type']
  return {
    ...(status !== 200 && { status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...((json || text !== '') && { body: json ? json.value : text }),
    ...(delay !== 0 && { delay }),
    ...(fault !== undefined && { fault }),
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** `/orders/7` gives `orders`. */
export function fileNameFor({ path, graphql, operationName }: ParsedRequest): string {
  if (graphql && operationName !== undefined) return slug(operationName) || 'new'
  const words = path.split('/').filter((segment) => !/^\d+$/.test(segment))
  return slug(words.join('-')) || 'new'
}
