import type { RouteTable } from '../core/compile-routes.ts'
import { diagnose, type Diagnostic } from '../core/diagnostics.ts'
import { errorResponse } from '../core/error-response.ts'
import { handle, refuseLargeBody, type Outcome } from '../core/handle.ts'
import { matchEndpoint } from '../core/match.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { decideOrigin, matchPreflight, preflightResponse, type OriginPolicy } from '../core/origin.ts'
import { describeRequest, type RawRequest } from '../core/request.ts'
import type { PreparedResponse } from '../core/respond.ts'
import { createReporter } from './report.ts'

/** Answers a request, or leaves it to the caller: then it resolves to `undefined`, and the request's body is unread. */
export type FetchHandler = (request: Request) => Promise<Response | undefined>

/** The handler over `Request` and `Response`. Web standards only, so that it runs wherever these exist. */
export function createWebHandler(
  table: RouteTable,
  options: ResolvedOptions,
  origins: OriginPolicy,
): FetchHandler {
  const { base, bodyLimit, unmatched } = options
  const bases = [base]
  const report = createReporter(options.logger)

  return async function mockApiHandler(request) {
    const { method } = request
    const url = targetOf(request.url)
    const own = matchEndpoint(table, method, url, bases)
    // The headers are copied only where they are needed.
    if (!own && method !== 'OPTIONS') return undefined
    const headers = Object.fromEntries(request.headers)
    const match = own ?? matchPreflight(origins, table, method, url, headers, bases)
    if (!match) return undefined
    const { endpoint, path, search } = match
    const raw: RawRequest = { method, url, path, search, headers }

    const { refused, headers: corsHeaders = [] } = decideOrigin(
      origins,
      { host: new URL(request.url).host, ...headers },
      request.url.startsWith('https:'),
    )
    const refuse = (status: number, diagnostic: Diagnostic): Outcome => {
      return { kind: 'answered', response: errorResponse(status, diagnostic, endpoint, raw), diagnostic }
    }
    if (refused) {
      if (unmatched === 'error') return respond(request, refuse(403, refused), [])
      report(refused)
      return undefined
    }
    if (!own) {
      const response = preflightResponse(table, endpoint, headers)
      return respond(request, { kind: 'answered', response }, corsHeaders)
    }
    if (!endpoint.needsBody) return respond(request, await handle(match, raw), corsHeaders)
    // What may still be left to the caller is read from a copy, since a stream can be read only once.
    const isLeftPossible = unmatched === 'passthrough' && !endpoint.defaultRoute
    const body = await readBody(request, bodyLimit, isLeftPossible)
    switch (body.kind) {
      case 'complete':
        return respond(request, await handle(match, { ...raw, body: body.bytes }), corsHeaders)
      case 'too-large':
        return respond(request, refuseLargeBody(endpoint, raw, bodyLimit), corsHeaders)
      case 'used': {
        const diagnostic = diagnose('request-body-used', {}, { request: describeRequest(raw) })
        return respond(request, refuse(500, diagnostic), corsHeaders)
      }
      case 'aborted':
        return new Response(null, { status: 400 }) // nobody is there to read it
    }
  }

  async function respond(
    request: Request,
    outcome: Outcome,
    corsHeaders: readonly string[],
  ): Promise<Response | undefined> {
    if (outcome.kind === 'unmatched' && unmatched === 'passthrough') return undefined
    const { response, diagnostic } = outcome.kind === 'answered' ? outcome : outcome.explain()
    if (diagnostic) report(diagnostic)
    if (response.delay > 0) await wait(response.delay, request.signal)
    return toResponse(request.method, response, corsHeaders)
  }
}

function toResponse(
  method: string,
  { status, headers: own, body }: PreparedResponse,
  corsHeaders: readonly string[],
): Response {
  const headers = new Headers()
  for (const list of [corsHeaders, own]) {
    for (let i = 0; i < list.length; i += 2) headers.append(list[i]!, list[i + 1]!)
  }
  // An empty text would get a content type, and a status such as 204 must not have even that.
  const sent = method === 'HEAD' || body.length === 0 ? null : (body as BodyInit)
  return new Response(sent, { status, headers })
}

type BodyResult =
  | { kind: 'complete'; bytes: Uint8Array | undefined }
  | { kind: 'too-large' }
  /** Somebody has read it before us. */
  | { kind: 'used' }
  /** The client left before it had sent everything. */
  | { kind: 'aborted' }

/** Reads the whole body, but keeps no more of it than a limit in bytes. */
async function readBody(request: Request, limit: number, keepOriginal: boolean): Promise<BodyResult> {
  if (request.bodyUsed || request.body?.locked) return { kind: 'used' }
  const { body } = keepOriginal ? request.clone() : request
  if (!body) return { kind: 'complete', bytes: undefined }
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const chunks: Uint8Array[] = []
  let size = 0
  let isTooLarge = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size <= limit) chunks.push(value)
      else if (!isTooLarge) {
        // The rest is read, since some runtimes cut off a client that still sends. Nobody keeps it, the original neither.
        isTooLarge = true
        chunks.length = 0
        if (keepOriginal) void request.body?.cancel().catch(() => {})
      }
    }
  } catch {
    return { kind: 'aborted' }
  }
  return isTooLarge ? { kind: 'too-large' } : { kind: 'complete', bytes: concat(chunks, size) }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Waits, but no longer than somebody waits for the answer. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}

/** Path and query of an absolute URL, as HTTP carries them. */
function targetOf(url: string): string {
  const hash = url.indexOf('#')
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return url.slice(path, hash === -1 ? undefined : hash)
}
