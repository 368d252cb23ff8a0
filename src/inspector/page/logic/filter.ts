import { attempt } from '../../../core/values/thrown.ts'
import type { RequestSummary, RouteInfo } from '../../api/api.ts'
import { isMiss } from '../../client/is-miss.ts'
import { answeredBy, statusText } from './format.ts'

interface Term {
  isWanted: boolean
  /** `status:404`, `method:post`, `route:"an order"`, `is:miss`; absent for a word. */
  key: string | undefined
  text: string
}

function readTerms(filter: string): Term[] {
  return [
    ...filter
      .toLowerCase()
      .matchAll(/(-?)(?:(status|method|route|is):)?(?:"([^"]*)"?|([^\s"]\S*)|(?=\s|$))/g),
  ]
    .map(([, minus, key, quoted, word]) => ({ isWanted: !minus, key, text: quoted ?? word ?? '' }))
    .filter(({ text }) => text !== '')
}

/** The words that are searched for; the server has the headers and bodies. */
export function wordsOf(filter: string): string[] {
  return readTerms(filter).flatMap(({ key, text }) => (key === undefined ? text : []))
}

/** All words must be in the text, in any order and case, and none after `-`. Quotes keep words together. */
export function createFilter(filter: string): (text: string) => boolean {
  const terms = readTerms(filter)
  return (text) => {
    const searched = text.toLowerCase()
    return terms.every(({ isWanted, text: word }) => searched.includes(word) === isWanted)
  }
}

/** Kinds of requests that `is:` and the chips above the list find. */
export const requestKinds: Record<string, { name: string; fits: (request: RequestSummary) => boolean }> = {
  miss: { name: 'Misses', fits: isMiss },
  error: {
    name: 'Errors',
    fits: (request) => !isMiss(request) && hasFailed(request),
  },
  graphql: {
    name: 'GraphQL',
    fits: ({ operationName, operationType, errors }) =>
      (operationName ?? operationType ?? errors) !== undefined,
  },
  live: { name: 'Live', fits: ({ duration }) => duration === undefined },
  passed: { name: 'Passed on', fits: (request) => request.answeredBy === 'passed-on' },
}

function hasFailed({ answeredBy, isAborted, status = 0, errors }: RequestSummary): boolean {
  return answeredBy === 'fault' || !!isAborted || status >= 400 || errors !== undefined
}

/**
 * Words as in `createFilter`. Of several `status:` one has to fit, and so of the other keys.
 *
 * @param found by word the ids of the requests that have it in their headers or bodies
 */
export function createRequestFilter(
  filter: string,
  found: ReadonlyMap<string, ReadonlySet<number>>,
): (request: RequestSummary) => boolean {
  const terms = readTerms(filter)
  return (request) => {
    const fits = ({ key, text }: Term) =>
      key === undefined
        ? requestText(request).includes(text) || !!found.get(text)?.has(request.id)
        : fitsKey(request, key, text)
    return terms.every((term) =>
      term.key === undefined || !term.isWanted
        ? fits(term) === term.isWanted
        : terms.some((other) => other.isWanted && other.key === term.key && fits(other)),
    )
  }
}

function fitsKey(request: RequestSummary, key: string, text: string): boolean {
  const { method, operationType, route } = request
  if (key === 'is') return requestKinds[text]?.fits(request) ?? false
  if (key === 'status') return statusText(request).startsWith(text.replace(/x+$/, ''))
  if (key === 'method') return method.toLowerCase() === text || operationType === text
  return `${route?.name}\n${route?.id}`.toLowerCase().includes(text)
}

function requestText(request: RequestSummary): string {
  const { method, url, operationName, operationType, variables, status, route, scenarios, client } = request
  const parts = [
    method,
    url,
    attempt(() => decodeURIComponent(url)),
    operationName,
    operationType,
    variables,
    status,
  ]
  const others = [answeredBy[request.answeredBy], request.answeredBy, route?.name, route?.file, client]
  const known = [...parts, ...others, ...scenarios].filter((part) => part !== undefined)
  return known.join('\n').toLowerCase()
}

export function routeText({ id, name, file, scenarios, when, answers }: RouteInfo): string {
  return [id, name, file ?? '', ...scenarios, JSON.stringify(when) ?? '', answers].join('\n')
}

/** Adds a token such as `is:miss` to the filter, or takes it away. */
export function toggleToken(filter: string, token: string): string {
  const others = filter.split(/\s+/).filter((one) => one !== token && one !== '')
  return (hasToken(filter, token) ? others : [...others, token]).join(' ')
}

export function hasToken(filter: string, token: string): boolean {
  return filter.split(/\s+/).includes(token)
}
