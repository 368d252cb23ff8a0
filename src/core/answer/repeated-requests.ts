import { textOf, type RawRequest } from '../http/raw-request.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { oncePerObject } from '../values/collections.ts'
import type { Answered, Outcome } from './outcome.ts'

/** An answered request, and all of it that the answer may depend on. */
interface Known {
  body: Uint8Array
  path: string
  accept: string | undefined
  type: string | undefined
  outcome: Answered
}

/**
 * How many requests of an endpoint are remembered, and the bytes of a body and of an answer: those of nearly every query.
 * With headers of 16 KB each they take at most 1.5 MB, and their parsed documents up to 8 MB, if they have only one-letter
 * fields.
 */
const maxRequests = 16
const maxBody = 4096
const maxAnswer = 65_536

/**
 * The last requests of a GraphQL endpoint and their outcomes, so that the same request again is neither parsed nor matched
 * with routes, which takes most of the time of an answer. Only for endpoints whose routes always answer it in the same way.
 */
export class RepeatedRequests {
  private readonly known: Known[] = []
  private next = 0

  /** The outcome of an equal request. The request in it is the earlier one. */
  find(raw: RawRequest): Answered | undefined {
    const { path, headers } = raw
    const body = comparedBody(raw)
    if (!body) return undefined
    for (const one of this.known) {
      if (
        one.body.length === body.length &&
        one.path === path &&
        one.accept === textOf(headers['accept']) &&
        one.type === textOf(headers['content-type']) &&
        hasSameBytes(one.body, body)
      )
        return one.outcome
    }
    return undefined
  }

  /** Remembers an outcome, unless another request like it may get another one. */
  keep(raw: RawRequest, outcome: Outcome): void {
    const { path, headers } = raw
    const body = comparedBody(raw)
    if (!body || outcome.kind !== 'answered' || outcome.diagnostic) return
    if (outcome.response.body.length > maxAnswer) return
    const [accept, type] = [textOf(headers['accept']), textOf(headers['content-type'])]
    this.known[this.next] = { body, path, accept, type, outcome }
    this.next = (this.next + 1) % maxRequests
  }
}

/** The requests of an endpoint that are remembered; `undefined` if the same request may be answered in different ways. */
export function repeatedRequests(endpoint: Endpoint): RepeatedRequests | undefined {
  return memoryOf(endpoint) ?? undefined
}

const memoryOf = oncePerObject((endpoint: Endpoint) =>
  endpoint.routes.every((route) => answersAlike(route) && dependsOnBody(route))
    ? new RepeatedRequests()
    : null,
)

/** Whether requests with equal methods, URLs and headers are always answered alike, whatever their bodies. */
export function answersByHead(endpoint: Endpoint): boolean {
  return isByHead(endpoint)
}

const isByHead = oncePerObject(
  ({ needsBody, graphql, routes }: Endpoint) => !needsBody && !graphql && routes.every(answersAlike),
)

/** Whether an equal request gets an equal answer from a route: it has no function, no turn, no limit and no backend. */
function answersAlike({ selector, response: { kind }, rateLimit }: CompiledRoute): boolean {
  const isFixed = kind === 'static' || kind === 'result' || kind === 'paged'
  return isFixed && !rateLimit && (selector === undefined || selector.tests.length === 0)
}

/** Whether a route reads nothing that `RepeatedRequests` does not compare: headers, cookies, and the URL of a list's page. */
function dependsOnBody({ selector, response }: CompiledRoute): boolean {
  if (response.kind === 'paged') return false
  const sources = selector?.equalities.map(({ field }) => field.source) ?? []
  return !sources.includes('headers') && !sources.includes('cookies')
}

/** The body of a request that is remembered: its answer does not depend on a query string. */
function comparedBody({ method, search, body }: RawRequest): Uint8Array | undefined {
  return method === 'POST' && search === '' && body && body.length <= maxBody ? body : undefined
}

/** From both ends, since similar requests differ in their variables, which are often the first or the last field. */
function hasSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  for (let first = 0, last = one.length - 1; first <= last; first++, last--)
    if (one[first] !== other[first] || one[last] !== other[last]) return false
  return true
}
