import * as v from 'valibot'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { diagnose, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { errorResponse } from './error-response.ts'
import { functionRequest } from '../request/function-request.ts'
import { findMisfit, hushPromises } from '../values/json-value.ts'
import { TimeLimitError, type Limits } from './limits.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { isBodiless, type PreparedResponse } from '../response/prepare-response.ts'
import { functionResponseSchema, type FunctionResponse, type ResponseFunction } from '../schema/schema.ts'
import { describeThrown, placeInStack } from '../values/thrown.ts'
import { isPlainObject, isThenable } from '../values/values.ts'
import { describeRequest } from '../request/redact.ts'
import { describeValue } from '../values/describe-value.ts'

/**
 * What a response function answers to a request, checked: nothing of it can fail, or change, from here on.
 *
 * @throws whatever the function throws, or why what it returned can't be sent
 */
export async function callResponse(
  respond: ResponseFunction,
  request: ParsedRequest,
  limits: Limits,
): Promise<FunctionResponse> {
  const called: unknown = respond(functionRequest(request))
  const returned = isThenable(called) ? await limits.inTime(called) : called
  try {
    return checkResponse(returned)
  } catch (error) {
    hushPromises(returned)
    throw error
  }
}

function checkResponse(returned: unknown): FunctionResponse {
  if (!isPlainObject(returned)) {
    throw new TypeError(`it returned ${describeValue(returned)}, not a response`)
  }
  const { issues, output } = v.safeParse(functionResponseSchema, returned)
  if (issues) throw new TypeError(`in what it returned, ${v.getDotPath(issues[0])}: ${issues[0].message}`)
  // What was checked, not what was returned: an accessor may say something else the next time.
  checkBody(output)
  return output
}

function checkBody(response: FunctionResponse): void {
  const { body, status = 200 } = response
  if (body === undefined && 'body' in response && !isBodiless(status)) {
    throw new TypeError('in what it returned, body is undefined (for no body at all, leave the key out)')
  }
  if (ArrayBuffer.isView(body)) return
  const misfit = findMisfit(body, 'body')
  if (misfit)
    throw new TypeError(`in what it returned, ${misfit.path} is ${misfit.what}, which is no JSON value`)
}

interface Failure {
  kind: 'answered'
  response: PreparedResponse
  diagnostic: Diagnostic
}

/** The answer where a function of a fixture has failed, and what the developer is told: what, and where. */
export function functionFailed(
  endpoint: Endpoint,
  request: ParsedRequest,
  route: CompiledRoute,
  part: 'predicate' | 'response',
  error: unknown,
): Failure {
  const details = { request: describeRequest(request.raw), name: route.name, part }
  if (isTimeLimit(error)) {
    const diagnostic = diagnose('function-timeout', route.source, { ...details, limit: error.milliseconds })
    return { kind: 'answered', response: errorResponse(504, diagnostic, endpoint, request.raw), diagnostic }
  }
  const place = { ...route.source, ...placeOfThrown(error, route.source.file) }
  const diagnostic = diagnose('function-failed', place, { ...details, reason: describeThrown(error) })
  return { kind: 'answered', response: errorResponse(500, diagnostic, endpoint, request.raw), diagnostic }
}

function isTimeLimit(error: unknown): error is TimeLimitError {
  try {
    return error instanceof TimeLimitError
  } catch {
    return false // a proxy that throws when it is asked what it is
  }
}

/** The line of a file in which it was thrown, as far as its stack tells. */
function placeOfThrown(error: unknown, file: string): ReturnType<typeof placeInStack> {
  try {
    return placeInStack(error, file)
  } catch {
    return {} // a stack that throws when it is read
  }
}
