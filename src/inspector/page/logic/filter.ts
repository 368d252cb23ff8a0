import type { RequestSummary, RouteInfo } from '../../api.ts'
import { answeredBy } from './format.ts'

/** All words must be in the text, in any order and case, and none after `-`. Quotes keep words together. */
export function createFilter(filter: string): (text: string) => boolean {
  const words = [...filter.toLowerCase().matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)]
    .map(([, minus, quoted, word]) => ({ isWanted: !minus, text: quoted ?? word! }))
    .filter(({ text }) => text !== '')
  return (text) => {
    const searched = text.toLowerCase()
    return words.every(({ isWanted, text: word }) => searched.includes(word) === isWanted)
  }
}

const texts = new WeakMap<object, string>()

export function requestText(request: RequestSummary): string {
  let text = texts.get(request)
  if (text === undefined) {
    const { method, url, operationName, operationType, variables, status, route, scenarios, client } = request
    const parts = [method, url, decoded(url), operationName, operationType, variables, status]
    const others = [answeredBy[request.answeredBy], request.answeredBy, route?.name, route?.file, client]
    text = [...parts, ...others, ...scenarios].filter((part) => part !== undefined).join('\n')
    texts.set(request, text)
  }
  return text
}

export function routeText({ id, name, file, scenarios, when, answers }: RouteInfo): string {
  return [id, name, file ?? '', ...scenarios, JSON.stringify(when) ?? '', answers].join('\n')
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
