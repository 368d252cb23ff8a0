import {
  hidden,
  hideSecrets,
  holdsSecret,
  isSecret,
  isSecretName,
  redactUrl,
} from '../../core/redact/redact.ts'
import { exactly, type ParsedRequest } from '../../core/request/parsed-request.ts'
import type { PreparedResponse } from '../../core/response/prepare-response.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import { percentDecoded } from '../../core/http/path.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import { freeName, literalSegment, placeOfRoute, slug } from '../../writer/endpoint-path.ts'
import { UneditableError } from '../../writer/fixture-text.ts'
import { Omissions } from '../../writer/omissions.ts'
import { ofServers, writeAnswer, type ResponseKeys } from '../../writer/write-answer.ts'
import type { Header } from '../../writer/exchange/exchange.ts'
import type { Json } from '../api/api.ts'
import type { JournalEntry } from '../journal.ts'
import type { SadPaths } from '../sad-paths.ts'
import { escapeName } from '../write-selector.ts'
import { exampleFor, requestNow, type RoutesNow } from './request-now.ts'

/** Condition for a value that must not be written. */
export const anyValue = { $exists: true }

/**
 * A new route for a recorded request. Its selector names all by which fixtures select this request.
 *
 * @param sadPath its answer goes wrong in that way, in a scenario
 * @throws UneditableError
 */
export async function writeRoute(
  now: RoutesNow,
  entry: JournalEntry,
  sadPath: string | undefined,
  sadPaths: SadPaths,
): Promise<{ definition: object; name: string; scenario?: string; notes: string[] }> {
  const request = requestNow(now, entry)
  const name = fileNameFor(request)
  const scenario = sadPath === undefined ? undefined : `${name}-${slug(sadPath.split(' #')[1] ?? '')}`
  const answered = sadPath === undefined ? entry : broken(entry, sadPath, sadPaths)
  const { method, answeredBy, response, responseSize } = answered
  const hasAnswer = response !== undefined && (answeredBy === 'route' || answeredBy === 'fault')
  if (hasAnswer && response.body.length < responseSize)
    throw new UneditableError(
      `its answer has ${responseSize} bytes, and only the first ${response.body.length} are kept`,
    )
  const omissions = new Omissions()
  const answer = hasAnswer
    ? answerOf(response, request.path, omissions)
    : { body: await exampleFor(now, request) }
  if (!answer) throw new UneditableError('its answer is not text')
  const path = writePath(request)
  if (path === undefined) throw new UneditableError('its path has a credential')
  const when = selectorOf(request)
  const usual = request.graphql ? 'POST' : 'GET'
  const omitted = omissions.list().flatMap(({ what, why }) => (why === ofServers ? [] : what))
  return {
    definition: {
      ...(method !== usual && { method: method === 'HEAD' ? 'GET' : method }),
      ...placeOfRoute(path),
      ...(scenario !== undefined && { scenario }),
      ...(when && { when }),
      response: answer,
    },
    name: scenario ?? name,
    ...(scenario !== undefined && { scenario }),
    notes: [
      ...(omitted.length > 0
        ? [`Credentials, and what differs with each answer, are left out: ${omitted.join(', ')}.`]
        : []),
      ...(hasAnswer ? [] : ['The answer is an example: nothing has answered this request.']),
    ],
  }
}

/** The entry as if its answer had gone wrong. */
function broken(entry: JournalEntry, sadPath: string, sadPaths: SadPaths): JournalEntry {
  const response = sadPaths.brokenAnswer(entry, sadPath)
  if (response) return { ...entry, answeredBy: 'route', response, responseSize: response.body.length }
  throw new UneditableError(`its answer does not have the sad path "${sadPath}"`)
}

/** A segment with a credential is a parameter; `undefined` if it is the first, or several are one. */
function writePath({ path, params }: ParsedRequest): string | undefined {
  const secrets = Object.entries(params).filter(
    ([name, value]) => value !== '' && (isSecret({ source: 'params', path: [name] }) || holdsSecret(value)),
  )
  const { origin, pathname } = splitOrigin(path)
  const shown = redactUrl(pathname).split('/')
  const names = new Map(Object.keys(params).map((name) => [name, 1]))
  const segments = pathname.split('/').map((segment, index) => {
    const text = percentDecoded(segment)
    const [name] = secrets.find(([, value]) => value === text) ?? []
    if (name !== undefined) return `:${name}`
    if (segment === shown[index] && !holdsSecret(text)) return literalSegment(segment)
    return index > 1 ? `:${freeName('token', names)}` : undefined
  })
  const isWhole = secrets.every(([name]) => segments.includes(`:${name}`))
  return isWhole && !segments.includes(undefined) ? `${origin}${segments.join('/')}` : undefined
}

function selectorOf(request: ParsedRequest): { [key: string]: Json } | undefined {
  const { graphql, isForm } = request
  const when: { [key: string]: Json } = {}
  if (graphql) {
    if (request.operationName !== undefined) when['operationName'] = request.operationName
    const variables = exactly(request, 'variables', [], request.variables ?? {}) as object
    if (Object.keys(variables).length > 0) when['variables'] = valueCondition(variables)
  } else {
    const query = parametersOf(request.parameters)
    if (Object.keys(query).length > 0) when['query'] = query
    const body = exactly(request, 'body', [], request.body)
    const selects = ArrayBuffer.isView(body)
      ? false
      : isRecord(body)
        ? Object.keys(body).length > 0
        : body !== undefined && !isForm
    if (selects) when['body'] = valueCondition(body)
  }
  return Object.keys(when).length > 0 ? when : undefined
}

/** A secret only has to be there; a name like an operator's can't be written. */
function parametersOf(values: Readonly<Record<string, string | string[]>>): { [key: string]: Json } {
  const entries = Object.entries(values).filter(([name]) => !name.startsWith('$'))
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      isSecret({ source: 'query', path: [name] }) || holdsSecret(value) ? anyValue : value,
    ]),
  )
}

/** Objects are compared by their parts, lists item by item. Dots in names are escaped. */
export function valueCondition(value: unknown, shown = hideSecrets(value, () => {}, hidden)): Json {
  if (!isRecord(value) && JSON.stringify(shown) !== JSON.stringify(value)) return anyValue
  if (!isRecord(value))
    return Array.isArray(value) ? value.map((one) => valueCondition(one)) : (value as Json)
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('$'))
  if (entries.length === 0) return anyValue
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      escapeName(name),
      isSecretName(name) ? anyValue : valueCondition(inner, ownValue(shown, name)),
    ]),
  )
}

/** Answers as a recording does; `undefined` for a body that is not text. */
function answerOf(response: PreparedResponse, path: string, omissions: Omissions): ResponseKeys | undefined {
  const { status, fault, body, headers: list, delay } = response
  const responseHeaders = list.flatMap((name, at): Header[] => (at % 2 === 0 ? [[name, list[at + 1]!]] : []))
  const responseBody = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const source = {
    status,
    responseHeaders,
    responseBody,
    origin: '',
    where: '',
    path,
    maxText: Infinity,
  }
  const { answer, file } = writeAnswer(source, omissions)
  if (file) return undefined
  return { ...answer, ...(delay !== 0 && { delay }), ...(fault !== undefined && { fault }) }
}

/** `/orders/7` gives `orders`. */
function fileNameFor({ path, params, graphql, operationName }: ParsedRequest): string {
  if (graphql && operationName !== undefined) return slug(operationName) || 'new'
  const values = new Set(Object.values(params))
  const words = redactUrl(path.replace(/^https?:/, ''))
    .split('/')
    .filter((segment) => !/^\d+$/.test(segment) && !values.has(percentDecoded(segment)))
  return slug(words.join('-')) || 'new'
}
