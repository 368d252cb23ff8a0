import * as v from 'valibot'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { diagnose } from '../diagnostics/diagnostic.ts'
import { explainError } from './error-response.ts'
import { functionRequest } from '../request/function-request.ts'
import { findMisfit, ignoreRejections } from '../values/json-value.ts'
import { TimeLimitError, type Limits } from './limits.ts'
import type { Explanation } from './outcome.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { isBodiless } from '../response/prepare-response.ts'
import { functionResponseSchema, type FunctionResponse, type ResponseFunction } from '../schema/schema.ts'
import { describeThrown, placeInStack } from '../values/thrown.ts'
import { isPlainObject, isThenable } from '../values/values.ts'
import { describeRequest } from '../request/redact.ts'
import { describeValue } from '../values/describe-value.ts'
import { fromIssues } from '../fixture/schema-issue.ts'
import { writeShort } from '../fixture/write-example.ts'
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

/** Thrown when the return value of a function can't be sent. */
class InvalidResponse extends Error {
  constructor(
    reason: string,
    readonly fix: string,
  ) {
    super(reason)
  }
}

function checkResponse(returned: unknown): FunctionResponse {
  if (!isPlainObject(returned)) {
    const fix =
      returned === undefined
        ? 'Return a response, as in return { body: [] }. An arrow function needs parentheses around an object: () => ({ body: [] }).'
        : `Return an object with what you return now as its body: { body: ${writeShort(returned)} }.`
    throw new InvalidResponse(`it returned ${describeValue(returned)}, not a response.`, fix)
  }
  const { issues, output } = v.safeParse(functionResponseSchema, returned)
  if (issues) {
    const [found] = fromIssues(issues, () => ({ file: '' }), 'returned')
    throw new InvalidResponse(`what it returned is not a response: ${lowerFirst(found!.message)}`, found!.fix)
  }
  // The checked copy, not the returned object: an accessor may return something else the next time.
  checkBody(output)
  return output
}

function checkBody(response: FunctionResponse): void {
  const { body, status = 200 } = response
  if (body === undefined && 'body' in response && !isBodiless(status)) {
    throw new InvalidResponse(
      'the body that it returned is undefined.',
      'Return the data itself, or null. To send no body at all, leave out the key "body".',
    )
  }
  if (ArrayBuffer.isView(body)) return
  const misfit = findMisfit(body, 'body')
  if (misfit) {
    const reason = `it returned what can't be sent as JSON: ${misfit.path} is ${misfit.what}.`
    throw new InvalidResponse(reason, 'Return plain objects, lists, strings, numbers, booleans and null.')
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** The answer when a function of a fixture has failed. */
export function functionFailed(
  endpoint: Endpoint,
  request: ParsedRequest,
  route: CompiledRoute,
  part: 'predicate' | 'response',
  error: unknown,
): Explanation {
  const details = { request: describeRequest(request.raw), name: route.name, part }
  if (isA(TimeLimitError, error)) {
    const diagnostic = diagnose('function-timeout', route.source, { ...details, limit: error.milliseconds })
    return explainError(504, diagnostic, endpoint, request.raw)
  }
  const { file } = route.source
  const thrown = placeInStack(error, file)
  const place = thrown.line === undefined ? { ...route.source } : { file, ...thrown }
  delete place.pointer // the message names the route
  const why = isA(InvalidResponse, error)
    ? { reason: error.message, fix: error.fix }
    : describeFailure(route, error)
  const diagnostic = diagnose('function-failed', place, { ...details, ...why })
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
