import { asLiteral as literal } from '../core/request-values/compile-values.ts'
import { isRecord, ownValue, setOwn } from '../core/values/values.ts'
import { itemName } from './endpoint-path.ts'
import { escapeText } from './exchange/own-links.ts'
import type { ReadExchange } from './exchange/read-exchange.ts'
import type { ResponseKeys } from './write-answer.ts'

/** A value of the request, by the names that an answer may have for it. */
interface Reference {
  name: string
  keys: readonly string[]
  value: string | number | boolean
}

/** The answer with its body marked as data, so that no part of it is read as a value from the request. */
export function withLiteralBody<T extends ResponseKeys>(answer: T): T {
  return 'body' in answer ? { ...answer, body: literal(answer.body) } : answer
}

/** A client of JSON-RPC finds the answer to its request by the `id`. */
export function withCallId(answer: ResponseKeys): ResponseKeys {
  const { body } = answer
  if (!isRecord(body) || !Object.hasOwn(body, 'id')) return withLiteralBody(answer)
  const parts = Object.entries(body).map(([key, value]) => [
    key,
    key === 'id' ? { $from: 'body.id' } : literal(value),
  ])
  return { ...answer, body: Object.fromEntries(parts) as object }
}

/** Maximum references: for each, the whole answer is searched. */
const maxReferences = 100

/** The conditions of a route, such as `{ params: { id: 7 } }`. */
type Selected = Readonly<Record<string, unknown>>

/**
 * Puts values of the request in their places: `{ id: { $from: params.id, as: number } }` for `{ id: 7 }` at `/orders/7`.
 *
 * @param when what selects the route; its values are the same in each request
 */
export function fromRequest(exchange: ReadExchange, answer: ResponseKeys, when: Selected = {}): ResponseKeys {
  const { headers, body } = answer
  const location = headers?.['location']
  const made = { ...answer }
  if (typeof location === 'string')
    made.headers = { ...headers, location: putInPath(exchange, location, when) }
  if (!isRecord(body) || Object.hasOwn(body, '$literal')) return made
  const copy = structuredClone(body)
  const places = new Set<unknown>()
  const isSelected = ({ name }: Reference) => {
    const [source, key] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)]
    return ownValue(when[source], key) !== undefined
  }
  const references = referencesIn(exchange).filter((one) => !isSelected(one))
  for (const reference of references.slice(0, maxReferences)) put(reference, copy, places)
  return { ...made, body: putOwnPath(exchange, copy, when) }
}

/** Links of a resource to itself: `/orders/7` and `/orders/7/lines` in the answer at `/orders/7`. */
function putOwnPath(exchange: ReadExchange, value: unknown, when: Selected): unknown {
  const { path } = exchange.request
  const made = putInPath(exchange, path, when)
  if (typeof made === 'string') return value
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit)
    const text = isRecord(one) ? one['$text'] : one
    if (typeof text !== 'string')
      return isRecord(one)
        ? Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, visit(inner)]))
        : one
    const [host = ''] = isRecord(one) ? (/^https?:\/\/\{headers\.host\}/.exec(text) ?? []) : []
    const rest = text.slice(host.length + path.length)
    if (!text.startsWith(host + path) || !/^(?:[/?#]|$)/.test(rest)) return one
    return { ...(isRecord(one) && one), $text: `${host}${made.$text}${host ? rest : escapeText(rest)}` }
  }
  return visit(value)
}

function putInPath({ request }: ReadExchange, location: string, when: Selected): string | { $text: string } {
  if (/[{}]/.test(location)) return location
  const params = Object.entries(request.params).filter(([name]) => !Object.hasOwn(when['params'] ?? {}, name))
  const end = /[?#]|$/.exec(location)!.index
  const segments = location.slice(0, end).split('/')
  const made = segments.map((segment) => {
    const index = segment === '' ? -1 : params.findIndex(([, value]) => value === segment)
    return index === -1 ? segment : `{params.${params.splice(index, 1)[0]![0]}}`
  })
  const $text = made.join('/') + location.slice(end)
  return $text === location ? location : { $text }
}

/** Only where it stands nearest to the top: further in, an equal `id` is one of something else. */
function put({ name, keys, value }: Reference, body: Record<string, unknown>, made: Set<unknown>): void {
  let level = [body]
  while (level.length > 0) {
    const places = level.flatMap((object) =>
      Object.entries(object).flatMap(([key, given]) =>
        keys.includes(plain(key)) && isScalar(given) && String(given) === String(value)
          ? [{ object, key, given }]
          : [],
      ),
    )
    for (const { object, key, given } of places) {
      const isText = typeof given === 'string' && typeof value !== 'string'
      const as = typeof given === typeof value ? {} : { as: typeof given }
      const otherwise = /^(?:body|query)\./.test(name) && { else: given }
      const taken = isText ? { $text: `{${name}}`, ...otherwise } : { $from: name, ...as, ...otherwise }
      made.add(taken)
      setOwn(object, key, taken)
    }
    if (places.length > 0) return
    level = level
      .flatMap(Object.values)
      .filter(
        (inner) => isRecord(inner) && !made.has(inner) && !Object.hasOwn(inner, '$text'),
      ) as typeof level
  }
}

function referencesIn({ path, request, graphql, method }: ReadExchange): Reference[] {
  const segments = path.template.split('/')
  const params = Object.entries(request.params).map(([name, value]): Reference => {
    const keys = [name]
    const index = segments.indexOf(`:${name}`)
    if (name === 'id' && index > 1) keys.push(`${itemName(segments[index - 1]!)}Id`)
    return { name: `params.${name}`, keys: keys.map(plain), value }
  })
  const fields =
    graphql && method === 'POST'
      ? fieldsIn(request.graphql ? 'variables' : 'body.variables', graphql.variables)
      : [...fieldsIn('query', request.parameters), ...fieldsIn('body', request.body)]
  return [...params, ...fields]
}

function fieldsIn(source: string, sent: unknown): Reference[] {
  return (isRecord(sent) ? Object.keys(sent) : []).flatMap((key): Reference[] => {
    const value = ownValue(sent, key)
    return isScalar(value) && /^[A-Za-z_][\w-]*$/.test(key) && key !== 'jsonrpc'
      ? [{ name: `${source}.${key}`, keys: [plain(key)], value }]
      : []
  })
}

/** A name in lower case, without what divides its words. */
export function plain(key: string): string {
  return key.replace(/[^A-Za-z\d]/g, '').toLowerCase()
}

function isScalar(value: unknown): value is Reference['value'] {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
  )
}
