import * as v from 'valibot'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { fromIssues } from '../fixture/schema-issue.ts'
import { writeShort } from '../fixture/explain-key.ts'
import { functionRequest, type ParsedRequest } from '../request/parsed-request.ts'
import { isBodiless, isFileBody } from '../response/prepare-response.ts'
import { functionResponseSchema, type FunctionResponse, type ResponseFunction } from '../schema/schema.ts'
import type { EventSource } from '../schema/stream-schema.ts'
import { isWebResponse, type WholeWebResponse } from '../schema/function-types.ts'
import type { CompiledRoute } from '../table/route-table.ts'
import { describeValue } from '../values/describe-value.ts'
import { findMisfit, ignoreRejections } from '../values/json-value.ts'
import { isPlainObject, isThenable } from '../values/values.ts'
import { InvalidResponse } from './error-response.ts'
import type { Limits } from './rules.ts'

/**
 * Nothing in the response can fail or change later.
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

/** `null` and an empty text are no body. */
export function findUnsentBody(
  { name, source }: CompiledRoute,
  { body, status = 200 }: FunctionResponse,
): Diagnostic | undefined {
  if (!isBodiless(status) || (body ?? '') === '') return undefined
  return diagnoseFixture('body-not-sent', source, { key: 'body', status, returnedBy: name })
}

/** Headers of the transfer of a response from `fetch`, whose body is already decoded. */
const transferHeaders = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]

/**
 * `Response.error()` is a network error, so the connection is reset.
 * @throws TypeError when the body has been read before
 */
async function fromWebResponse(response: WholeWebResponse): Promise<FunctionResponse> {
  if (response.type === 'error') return { fault: 'reset' }
  if (response.bodyUsed) throw new TypeError('the body of the Response it returned has been read before')
  const headers: Record<string, string | string[]> = {}
  const isFetched = response.url !== ''
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && !(isFetched && transferHeaders.includes(name))) headers[name] = value
  })
  const cookies = response.headers.getSetCookie?.() ?? []
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers, ...(bytes.length > 0 && { body: bytes }) }
}

/** @throws InvalidResponse */
function checkResponse(returned: unknown): FunctionResponse {
  if (isGenerator(returned)) return { stream: returned }
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

function isGenerator(value: unknown): value is EventSource {
  return /^\[object (?:Async)?Generator\]$/.test(Object.prototype.toString.call(value))
}

function checkBody(response: FunctionResponse): void {
  const { body, status = 200 } = response
  if (body === undefined && 'body' in response && !isBodiless(status)) {
    throw new InvalidResponse(
      'the body that it returned is undefined.',
      'Return the data itself, or null. To send no body at all, leave out the key "body".',
    )
  }
  if (ArrayBuffer.isView(body) || isFileBody(body)) return
  const misfit = findMisfit(body, 'body')
  if (misfit) {
    const reason = `it returned what can't be sent as JSON: ${misfit.path} is ${misfit.what}.`
    throw new InvalidResponse(reason, 'Return plain objects, lists, strings, numbers, booleans and null.')
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
