import type { AnsweredBy, RequestSummary } from '../api.ts'

/** Which requests are meant: those that have every property. */
export interface RequestFilter {
  /** In any case. */
  method?: string
  /** The path without the query, or a pattern that it matches. */
  path?: string | RegExp
  /** GraphQL: the name of the operation. */
  operationName?: string
  /** The HTTP status of the answer. */
  status?: number
  /** Who answered it, such as `route` or `passed-on`. */
  answeredBy?: AnsweredBy
  /** The name or the id of the route that answered. */
  route?: string
}

const keys = Object.keys({
  method: true,
  path: true,
  operationName: true,
  status: true,
  answeredBy: true,
  route: true,
} satisfies Record<keyof RequestFilter, true>)

/** Throws a `TypeError` for a filter with an unknown key, which plain JavaScript does not notice. */
export function checkFilter(filter: RequestFilter): void {
  const unknown = Object.keys(filter).find((key) => !keys.includes(key))
  if (unknown === undefined) return
  const fix =
    unknown === 'timeout'
      ? 'It goes into the second argument: waitForRequest({ path: "/orders" }, { timeout: 1000 }).'
      : `Known keys: ${keys.join(', ')}.`
  throw new TypeError(`Unknown key ${JSON.stringify(unknown)} in the filter of a request. ${fix}`)
}

export function fits(filter: RequestFilter, request: RequestSummary): boolean {
  const { method, path, operationName, status, answeredBy, route } = filter
  const [asked = ''] = request.url.split('?', 1)
  return (
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined || (typeof path === 'string' ? path === asked : asked.search(path) !== -1)) &&
    (operationName === undefined || operationName === request.operationName) &&
    (status === undefined || status === request.status) &&
    (answeredBy === undefined || answeredBy === request.answeredBy) &&
    (route === undefined || route === request.route?.name || route === request.route?.id)
  )
}

/** A request as messages name it: `POST /graphql Checkout → 200 by "paid"`. */
export function describeSummary({
  method,
  url,
  operationName,
  status,
  answeredBy,
  route,
}: RequestSummary): string {
  const operation = operationName === undefined ? '' : ` ${operationName}`
  const answer = status === undefined ? '' : ` → ${status}`
  return `${method} ${url}${operation}${answer} by ${route ? `"${route.name}"` : answeredBy}`
}

/** A filter as messages name it. */
export function describeFilter(filter: RequestFilter): string {
  const parts = Object.entries(filter).map(
    ([name, value]) => `${name} ${value instanceof RegExp ? String(value) : JSON.stringify(value)}`,
  )
  return parts.length === 0 ? 'a request' : `a request with ${parts.join(' and ')}`
}
