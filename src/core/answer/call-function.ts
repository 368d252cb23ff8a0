import * as v from 'valibot'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { fromIssues } from '../fixture/schema-issue.ts'
import { writeShort } from '../fixture/explain-key.ts'
import { functionRequest, type ParsedRequest } from '../request/parsed-request.ts'
import { isBodiless, isFileBody } from '../response/prepare-response.ts'
import { functionResponseSchema, type FunctionResponse, type ResponseFunction } from '../schema/schema.ts'
import type { EventSource } from '../schema/stream-schema.ts'
import { isWebResponse, type WholeWebResponse } from '../schema/function-types.ts'
import type { CompiledRoute } from '../table/route-table.ts'
import { joinBytes } from '../values/collections.ts'
import { describeValue } from '../values/describe-value.ts'
import { findMisfit, ignoreRejections } from '../values/json-value.ts'
import { isPlainObject, isThenable, words } from '../values/values.ts'
import { InvalidResponse } from './error-response.ts'
import type { Limits } from './rules.ts'

/** Nothing in the response can fail or change later. @throws what the function throws, or an `InvalidResponse` */
export async function callResponse(
  respond: ResponseFunction,
  request: ParsedRequest,
  limits: Limits,
): Promise<FunctionResponse | OpenResponse> {
  const called: unknown = respond(functionRequest(request))
  const returned = isThenable(called) ? await limits.inTime(called) : called
  try {
    if (isWebResponse(returned)) return await fromWebResponse(returned, request, limits)
    return checkResponse(returned)
  } catch (error) {
    ignoreRejections(returned)
    throw error
  }
}

/** `null` and an empty text are no body. */
export function findUnsentBody({ name, source }: CompiledRoute, { body, status = 200 }: FunctionResponse) {
  if (!isBodiless(status) || (body ?? '') === '') return undefined
  return diagnoseFixture('body-not-sent', source, { key: 'body', status, returnedBy: name })
}

/** Headers of the transfer of a response from `fetch`, whose body is already decoded. */
const transferHeaders = words('content-encoding content-length transfer-encoding connection keep-alive')

/** `Response.error()` is a network error, so the connection is reset. @throws TypeError when the body has been read before */
async function fromWebResponse(
  response: WholeWebResponse,
  { method, graphql }: ParsedRequest,
  limits: Limits,
): Promise<FunctionResponse | OpenResponse> {
  if (response.type === 'error') return { fault: 'reset' }
  if (response.bodyUsed) throw new TypeError('the body of the Response it returned has been read before')
  const headers: Record<string, string | string[]> = {}
  const isFetched = response.url !== ''
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && !(isFetched && transferHeaders.includes(name))) headers[name] = value
  })
  const cookies = response.headers.getSetCookie?.() ?? []
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const head = { status: response.status, headers }
  const type = response.headers.get('content-type') ?? ''
  // The result of an operation is fitted to it as a whole.
  const isWhole =
    response.headers.get('content-length') !== null || (graphql && !/event-stream|multipart/.test(type))
  const started = isWhole || !response.body ? undefined : await readAtOnce(response.body.getReader())
  if (started && !started.isDone) {
    if (method === 'HEAD') void started.reader.cancel()
    return { ...head, open: started }
  }
  const pieces = started?.pieces ?? [new Uint8Array(await limits.inTime(response.arrayBuffer()))]
  const body = joinBytes(pieces)
  return { ...head, ...(body.length > 0 && { body }) }
}

type Reader = ReturnType<NonNullable<WholeWebResponse['body']>['getReader']>

/** The beginning of a body that is still made. */
export interface OpenBody {
  reader: Reader
  pieces: Uint8Array[]
  next?: Promise<{ done: boolean; value?: unknown }>
}

export interface OpenResponse extends Pick<FunctionResponse, 'status' | 'headers'> {
  open: OpenBody
}

/** Turns of the event loop's promises in which a body that is not waited for is there. */
const maxTurns = 100
const maxPieces = 100

/** A text, JSON or bytes are there at once; a body that waits for a timer or the network is not. */
async function readAtOnce(reader: Reader): Promise<OpenBody & { isDone: boolean }> {
  const pieces: Uint8Array[] = []
  while (pieces.length < maxPieces) {
    const next = reader.read()
    let result: { done: boolean; value?: unknown } | undefined
    let failed = false
    next.then(
      (read) => (result = read),
      () => (failed = true),
    )
    for (let turn = 0; turn < maxTurns && !result && !failed; turn++) await Promise.resolve()
    if (failed) await next
    if (!result) return { reader, pieces, next, isDone: false }
    if (result.done) return { reader, pieces, isDone: true }
    pieces.push(result.value as Uint8Array)
  }
  return { reader, pieces, isDone: false }
}

export async function* piecesOf({ reader, pieces, next }: OpenBody): AsyncGenerator<Uint8Array, void> {
  yield* pieces
  for (let read = await (next ?? reader.read()); !read.done; read = await reader.read())
    yield read.value as Uint8Array
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
    throw new InvalidResponse(
      `what it returned is not a response: ${found!.message.replace(/^./, (first) => first.toLowerCase())}`,
      found!.fix,
    )
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
