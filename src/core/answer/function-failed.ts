import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { describeRequest } from '../request/redact.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { describeThrown, placeInStack } from '../values/thrown.ts'
import { explainError } from './error-response.ts'
import { InvalidResponse } from './invalid-response.ts'
import { TimeLimitError } from './limits.ts'
import type { Explanation } from './outcome.ts'

/** The answer when a function of a fixture has failed. */
export function functionFailed(
  { endpoint, request }: { endpoint: Endpoint; request: ParsedRequest },
  route: CompiledRoute,
  part: 'predicate' | 'response',
  error: unknown,
): Explanation {
  const details = { request: describeRequest(request.raw), name: route.name, part }
  if (isA(TimeLimitError, error)) {
    const diagnostic = diagnoseRequest('function-timeout', route.source, {
      ...details,
      limit: error.milliseconds,
    })
    return explainError(504, diagnostic, endpoint, request.raw)
  }
  const { file } = route.source
  const thrown = placeInStack(error, file)
  const place = thrown.line === undefined ? { ...route.source } : { file, ...thrown }
  delete place.pointer // the message names the route
  const why = isA(InvalidResponse, error)
    ? { reason: error.message, fix: error.fix }
    : describeFailure(route, error)
  const diagnostic = diagnoseRequest('function-failed', place, { ...details, ...why })
  return explainError(500, diagnostic, endpoint, request.raw)
}

function describeFailure({ response }: CompiledRoute, error: unknown): { reason: string; fix?: string } {
  const reason = describeThrown(error)
  const isExpressHandler = response.kind === 'function' && response.respond.length > 1
  if (!isExpressHandler) return { reason }
  const fix =
    'Take the request alone and return the response, as in ({ params, query }) => ({ status: 200, body: [] }).'
  return { reason, fix }
}

function isA<T extends Error>(type: abstract new (...parameters: never[]) => T, error: unknown): error is T {
  try {
    return error instanceof type
  } catch {
    return false // a proxy that throws when it is inspected
  }
}
