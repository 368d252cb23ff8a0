import type { CompiledRoute } from '../table/route-table.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import { explainError } from './error-response.ts'
import { functionRequest } from '../request/function-request.ts'
import { ignoreRejections } from '../values/json-value.ts'
import { InvalidResponse } from './invalid-response.ts'
import { TimeLimitError, type Limits } from './limits.ts'
import type { Explanation } from './outcome.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { EndpointRequest } from './running.ts'
import type { FunctionResponse, ResponseFunction } from '../schema/schema.ts'
import { describeThrown, placeInStack } from '../values/thrown.ts'
import { isThenable } from '../values/values.ts'
import { describeRequest } from '../request/redact.ts'
import { isWebResponse } from '../schema/web-response.ts'
import { fromWebResponse } from './web-response.ts'

/**
 * The checked response of a response function: nothing in it can fail or change afterwards.
 *
 * @throws what the function throws, or an `InvalidResponse`
 */
export async function callResponse(
  respond: ResponseFunction,
  request: ParsedRequest,
  limits: Limits,
): Promise<FunctionResponse> {
  // Imported with the first function, since only fixture files with functions need the schema here. The function is called
  // afterwards: what it returns may change by the next turn.
  const { checkResponse } = await import('./check-response.ts')
  const called: unknown = respond(functionRequest(request))
  const returned = isThenable(called) ? await limits.inTime(called) : called
  try {
    if (isWebResponse(returned)) return await limits.inTime(fromWebResponse(returned))
    return checkResponse(returned)
  } catch (error) {
    ignoreRejections(returned)
    throw error
  }
}

/** The answer when a function of a fixture has failed. */
export function functionFailed(
  { endpoint, request }: EndpointRequest,
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
