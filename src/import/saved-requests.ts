import { isSecretName, redactText } from '../core/redact/redact.ts'
import { slug } from '../writer/endpoint-path.ts'
import type { Exchange, PathParameter } from '../writer/exchange/exchange.ts'
import { readWanted } from '../writer/har/har-entry.ts'
import { resourceTypes } from '../writer/har/har-filter.ts'
import { Omissions } from '../writer/omissions.ts'
import { writeExchanges } from './exchanges.ts'
import type { ImportContext, Imported } from './imported.ts'
import { listIn, recordIn, toText } from './values.ts'

export type Pairs = readonly (readonly [name: string, value: string])[]

/** A request as clients such as Postman save it. Its texts may have variables: `{{name}}`, or `<<name>>`. */
export interface SavedRequest {
  name: string
  /** The folder that it is in; its routes share a file. */
  folder: string
  method: string
  url: string
  /** Default: the query of the URL. */
  query?: Pairs | undefined
  /** Values of `:name` in the path. */
  params: Pairs
  headers: Pairs
  /** A text, or the fields of a form. */
  body: string | Pairs
  type?: string | undefined
  /** Parts of the body that are in files, which are not read. */
  unread: readonly string[]
}

interface SavedAnswer {
  name: string
  status: number
  headers: Pairs
  body: string
  type: string
  base64: boolean
  /** The request that got it, if it was saved too. */
  request?: SavedRequest | undefined
}

export type Saved = SavedRequest & { answers: readonly SavedAnswer[]; scripts?: readonly unknown[] }

/** Requests and variables that a client has saved. */
export interface SavedRequests {
  requests: Saved[]
  variables: Map<string, string>
}

type Item = Record<string, unknown>
type Visit = (item: Item, folder: string, around: readonly Item[]) => void
type Loose<T> = Partial<Record<keyof T, unknown>>

/** A body in a file. */
export const bodyFile = { isFile: true }

/** Values of a file, which may be missing, as those of a request. */
export function savedRequest(given: Loose<Omit<SavedRequest, 'unread'>>): SavedRequest {
  const { name, folder, method, url, query, params, headers, body, type } = given
  const parts = listIn(body).filter((one) => isFile(one) && !isOff(one))
  return {
    name: toText(name),
    folder: toText(folder),
    method: toText(method) || 'GET',
    url: toText(url),
    query: Array.isArray(query) ? pairsIn(query) : undefined,
    params: pairsIn(params),
    headers: pairsIn(headers),
    body: Array.isArray(body) ? pairsIn(body) : body === bodyFile ? '' : toText(body),
    type: type ? toText(type) : undefined,
    unread:
      body === bodyFile ? ['the body'] : parts.map(({ key, name = key }) => `the part "${toText(name)}"`),
  }
}

export function savedAnswer(given: Loose<Omit<SavedAnswer, 'request'>>, request?: SavedRequest): SavedAnswer {
  const { name, status, headers, body, type, base64 } = given
  return {
    name: toText(name),
    status: Number(status ?? 0),
    headers: pairsIn(headers),
    body: toText(body),
    type: toText(type),
    base64: base64 === true,
    request,
  }
}

/** The variables are a text of JSON, which may be empty. */
export function graphqlBody({ query, operationName, variables }: Item) {
  const text = typeof variables === 'string' ? variables.trim() : JSON.stringify(variables ?? {})
  const name = operationName ? `"operationName":${JSON.stringify(operationName)},` : ''
  return {
    body: `{"query":${JSON.stringify(query ?? '')},${name}"variables":${text || '{}'}}`,
    type: 'application/json',
  }
}

/** Headers, fields and variables, without those that are turned off, secret or a file. A list of headers may be one text. */
export function pairsIn(list: unknown): Pairs {
  if (typeof list === 'string')
    return [...list.matchAll(/^([^:\n]+):[ \t]*(.*?)\r?$/gm)].map(([, name, value]) => [name!, value!])
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((one) => {
    if (Array.isArray(one)) return [one as unknown as Pairs[number]]
    const entry = recordIn(one)
    const { id, key = id, name = key, value, initialValue, currentValue } = entry
    return isOff(entry) || isFile(entry)
      ? []
      : [[toText(name), toText(value ?? (currentValue || initialValue))] as const]
  })
}

function isOff({ enabled, active, disabled, secret, type }: Item): boolean {
  return enabled === false || active === false || disabled === true || secret === true || type === 'secret'
}

function isFile({ type, isFile }: Item): boolean {
  return type === 'file' || isFile === true
}

/** Visits the requests of a tree with the folder that each is in, and all folders around it. */
export function visitItems(items: unknown, visit: Visit, folder = '', around: readonly Item[] = []): void {
  for (const item of listIn(items)) {
    const { folders, requests } = item
    const lists = Array.isArray(folders) && Array.isArray(requests) && [folders, requests].flat()
    const inner = item['item'] ?? item['children'] ?? item['items']
    const name = item['name'] ?? recordIn(item['info'])['name']
    if (inner || lists) visitItems(inner ?? lists, visit, toText(name), [...around, item])
    else visit(item, folder, around)
  }
}

/** Saved answers on the way of a HAR file. */
export async function importSaved(saved: SavedRequests, context: ImportContext): Promise<Imported> {
  const { requests, variables } = saved
  const skipped = new Omissions()
  const exchanges: Exchange[] = []
  const unanswered: Exchange[] = []
  let lost = 0
  for (const { answers, scripts = [], ...request } of requests) {
    const where = `${request.method} ${request.name || request.url}`
    const parts = [request, ...answers.map((one) => one.request)].flatMap((one) => one?.unread ?? [])
    for (const part of new Set(parts)) skipped.add(part, 'it is in a file, which is not read', where)
    if (answers.length > 0 && scripts.flat().some((one) => /\w/.test(toText(one))))
      skipped.add('scripts', 'no route runs them', where)
    for (const answer of answers) {
      const exchange = toExchange(answer.request ?? request, answer, variables, context, skipped)
      if (exchange) exchanges.push(exchange)
      else lost++
    }
    if (answers.length > 0) continue
    skipped.add('a request', 'it has no saved answer', where)
    const draft = savedAnswer({ name: request.name, status: 200, body: '{}', type: json })
    const exchange = toExchange(request, draft, variables, context, skipped)
    if (exchange) unanswered.push(exchange)
  }
  const all = new Set([...exchanges, ...unanswered].map(({ url }) => new URL(url).origin))
  all.delete(ownOrigin) // of variables without a value
  if (context.origin === undefined && all.size > 1)
    context.note(
      `The requests are for ${new Intl.ListFormat('en-GB').format(all)}, and all of their routes have a path. With --origin and the one of your API, the others get a url.`,
    )
  return writeExchanges(exchanges, skipped, context, unanswered, lost)
}

function toExchange(
  request: SavedRequest,
  answer: SavedAnswer,
  variables: SavedRequests['variables'],
  { url: part, origin }: ImportContext,
  omissions: Omissions,
): Exchange | undefined {
  const known = (pairs: Pairs) =>
    pairs.flatMap(([name, given]) => {
      const value = fill(given, variables)
      return isOpen(name) || isOpen(value) ? [] : [{ name, value }]
    })
  const { url, params, search } = placeOf(request, variables, origin)
  const query = known(request.query ?? [...new URLSearchParams(search)])
  const headers = known(request.headers)
  const method = fill(request.method, variables).toUpperCase()
  const body = /^(?:GET|HEAD)$/.test(method) ? '' : request.body // clients keep it when the method changes
  const text = typeof body === 'string' ? readable(fill(body, variables), request.type) : undefined
  const fields = typeof body === 'string' ? [] : known(body)
  const entry = {
    _resourceType: 'fetch',
    request: {
      method,
      url: `${url}?${new URLSearchParams(query.map(({ name, value }) => [name, value])).toString()}`,
      headers,
      bodySize: 0,
      postData: {
        text,
        params: fields,
        mimeType: request.type ?? (text && jsonStart.test(text) ? json : ''),
      },
    },
    response: {
      status: answer.status,
      headers: answer.headers.map(([name, value]) => ({ name, value })),
      content: {
        text: answer.body,
        mimeType: answer.type,
        ...(answer.base64 && { encoding: 'base64' }),
      },
    },
  }
  const filter = { url: part, only: resourceTypes, origin }
  const read = readWanted(entry, 1, { filter, omissions, readBody: () => new Uint8Array() })
  const file = slug(redactText(request.folder)) || undefined
  const saved = { name: redactText(answer.name), file, params }
  return read && { ...read.exchange, saved }
}

const json = 'application/json'
const ownOrigin = 'http://localhost'
const jsonStart = /^\s*[[{]/
const variable = /\{\{\s*(?:_\.)?([^{}\s]+)\s*\}\}|<<\s*([^<>\s]+)\s*>>/g
const maxFilled = 1_000_000

/** Values of variables may have variables. Those that are secret by their names stay as they are. */
function fill(text: string, variables: SavedRequests['variables'], depth = 5): string {
  const filled = text.replace(variable, (whole, braced?: string, angled?: string) => {
    const name = braced ?? angled ?? ''
    return isSecretName(name) ? whole : (variables.get(name) ?? whole)
  })
  if (filled === text || filled.length > maxFilled) return text
  return depth === 0 ? filled : fill(filled, variables, depth - 1)
}

/** Whether a value is not known: it has a variable, or stands for any, as `<string>` of documents that became collections. */
function isOpen(text: string): boolean {
  return text.search(variable) !== -1 || /^<[\w -]+>$/.test(text)
}

/** `undefined` for JSON that can't be parsed, as with comments; values that are not known are left out. */
function readable(text: string, type = jsonStart.test(text) ? json : ''): string | undefined {
  if (!/[/+]json/.test(type)) return isOpen(text) ? undefined : text
  try {
    let isChanged = false
    const value: unknown = JSON.parse(text, (_, one: unknown) => {
      const isLost = typeof one === 'string' && isOpen(one)
      isChanged ||= isLost
      return isLost ? undefined : one
    })
    return isChanged ? JSON.stringify(value) : text // numbers keep their digits
  } catch {
    return undefined
  }
}

/** A variable that is a whole segment of the path is a parameter, as `:name` is. */
function placeOf({ url, params }: SavedRequest, variables: SavedRequests['variables'], origin = ownOrigin) {
  const [, whole = '', search = ''] = /^([^?#]*)\??([^#]*)/s.exec(url.trim())!
  const [start] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\{\{[^}]*\}\}|<<[^>]*>>|[^/{<])*/i.exec(whole)!
  const filled = fill(start, variables)
  const base = /^https?:\/\//i.test(filled) ? filled : `http://${filled}`
  const from = filled === '' || isOpen(filled) || !URL.canParse(base) ? new URL(origin) : new URL(base)
  const segments = `${from.pathname}${whole.slice(start.length)}`.split('/').filter(Boolean)
  const named: (PathParameter | undefined)[] = []
  const path = segments.map((given, index) => {
    const own = /^:([A-Za-z_][\w-]*)$/.exec(given)?.[1]
    const value = fill(
      own === undefined ? given : (params.find(([name]) => name === own)?.[1] ?? ''),
      variables,
    )
    const isKnown = value !== '' && !isOpen(value)
    if (own === undefined && isKnown) return value
    const words = (own ?? value.replaceAll(variable, '$1$2')).replace(/[^\w]+(\w?)/g, (_, one: string) =>
      one.toUpperCase(),
    )
    named[index] = { name: /^[A-Za-z_]/.test(words) ? words : `p${words}`, isKnown }
    return isKnown ? encodeURIComponent(value) : '1'
  })
  return { url: `${from.origin}/${path.join('/')}`, params: named, search }
}
