import type { CompiledRoute, Endpoint } from './compile-routes.ts'
import { formatPlace, type Diagnostic, type SourceLocation } from './diagnostics.ts'
import type { ParsedRequest } from './request.ts'
import { prepareResponse, type PreparedResponse } from './respond.ts'
import { firstFailure, type FailedCondition } from './selector.ts'

/** One route that did not answer, and why. */
interface Candidate extends Partial<FailedCondition> {
  route: string
  place: string
}

/** A list longer than this hides what it is to show. */
const maxCandidates = 20

/**
 * An error of the package's own as JSON: `{ error: { code, message, fix, … } }`, or on a GraphQL endpoint in the shape
 * that GraphQL clients read, with the same details in `extensions`.
 */
export function errorResponse(
  status: number,
  diagnostic: Diagnostic,
  endpoint: Endpoint,
  details: Readonly<Record<string, unknown>> = {},
): PreparedResponse {
  const { code, message, fix } = diagnostic
  const place = formatPlace(diagnostic)
  const extensions = { code, fix, ...(place && { place }), ...details }
  const body = endpoint.isGraphQL
    ? { errors: [{ message, extensions }] }
    : { error: { code, message, fix, ...(place && { place }), ...details } }
  return prepareResponse({ status, body })
}

/** The endpoint's routes, each with the first part of its selector that the request does not meet. */
export function explainUnmatched(
  { routes }: Endpoint,
  request: ParsedRequest,
): { routes: Candidate[]; more?: number } {
  const candidates = routes.slice(0, maxCandidates).map((route) => explain(route, request))
  const more = routes.length - candidates.length
  return { routes: candidates, ...(more > 0 && { more }) }
}

function explain(route: CompiledRoute, request: ParsedRequest): Candidate {
  const candidate = { route: route.name, place: formatPlace(route.source) }
  try {
    return { ...candidate, ...(route.selector && firstFailure(route.selector, request)) }
  } catch (error) {
    return { ...candidate, selector: 'predicate', expected: 'true', received: `an error: ${String(error)}` }
  }
}

/** The line of a file in which an error arose, as far as its stack tells. */
export function placeInStack(error: unknown, file: string): Pick<SourceLocation, 'line' | 'column'> {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : ''
  const frame = stack.split('\n').find((line) => line.includes(`${file}:`))
  const position = frame && /:(\d+):(\d+)\)?$/.exec(frame.trim())
  return position ? { line: Number(position[1]), column: Number(position[2]) } : {}
}
