import type { IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { bodyText, parseJson } from '../../core/http/body.ts'
import { suggest } from '../../core/diagnostics/text.ts'
import { canonicalTarget } from '../../core/http/host-name.ts'
import { expectationOf } from '../../core/fixture/schema-issue.ts'
import { describeValue } from '../../core/values/describe-value.ts'
import { toJson } from '../../core/values/exact-number.ts'
import { hideUsers } from '../../core/values/url-user.ts'
import { isRecord } from '../../core/values/values.ts'
import { hasBody, readBody } from '../../wire/node/read-body.ts'
import type { ApiError } from '../api/api.ts'
import type { InspectedServer } from './context.ts'

interface Problem {
  message: string
  fix: string
  headers?: Readonly<Record<string, string>>
}

export class HttpError extends Error {
  readonly fix: string
  readonly headers: Readonly<Record<string, string>>
  constructor(
    readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 500,
    readonly code: string,
    { message, fix, headers = {} }: Problem,
  ) {
    super(hideUsers(message))
    this.fix = fix
    this.headers = headers
  }

  toJSON(): ApiError {
    const { message, code, fix } = this
    return { error: { message, code, fix } }
  }
}

/** No page of another site can read the answer, whatever CORS headers the host has set. */
export function writeJson(
  { method }: IncomingMessage,
  res: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return
  const text = toJson(value)!
  setOwnHeaders(res)
  res.statusCode = status
  res.setHeader('content-type', 'application/json; charset=utf-8')
  res.setHeader('content-length', Buffer.byteLength(text))
  for (const [name, header] of Object.entries(headers)) res.setHeader(name, header)
  res.end(method === 'HEAD' ? undefined : text)
}

export function setOwnHeaders(res: ServerResponse): void {
  for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
  res.setHeader('cache-control', 'no-store, no-transform')
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('cross-origin-resource-policy', 'same-origin')
}

/** Bytes. A request to explain may be as large as a request itself, and larger as JSON. */
const smallest = 1_048_576

/** `undefined` without a body. Throws an `HttpError` for an unreadable one. */
export async function readJsonBody(
  { options }: InspectedServer,
  req: IncomingMessage,
  bodyLimit = Math.max(smallest, 2 * options.bodyLimit),
): Promise<unknown> {
  if (!hasBody(req)) return undefined
  const body = await readBody(req, bodyLimit)
  if (body.kind === 'too-large')
    throw new HttpError(413, 'api-body-too-large', {
      message: `The body is larger than ${bodyLimit} bytes.`,
      fix: 'Send less, or raise the option "bodyLimit".',
    })
  if (body.kind !== 'complete') throw invalid('it can not be decoded')
  const text = bodyText({ headers: req.headers, body: body.bytes })
  if (text === undefined || text.trim() === '') return undefined
  const json = parseJson(text)
  if (json.malformed !== undefined) throw invalid(json.malformed)
  return json.value
}

function invalid(reason: string): HttpError {
  return new HttpError(400, 'api-body-invalid', {
    message: `The body is not JSON: ${reason}.`,
    fix: 'Send a JSON object.',
  })
}

/** Throws an `HttpError` that names the first wrong key. */
export function checkBody<T>(schema: v.GenericSchema<unknown, T>, body: unknown): T {
  const { success, output, issues } = v.safeParse(schema, body ?? {})
  const dropped = success ? findDropped(body, output) : undefined
  if (dropped !== undefined)
    throw new HttpError(400, 'api-body-invalid', {
      message: `Unknown key "${dropped}".`,
      fix: 'Leave it out.',
    })
  if (success) return output
  const [issue] = issues
  const path = issue.path?.map(({ key }) => String(key)) ?? []
  const about = 'GET openapi.json describes the bodies of the control API.'
  const [message, fix = about] = describe(issue, path, schema as Schema)
  throw new HttpError(400, 'api-body-invalid', { message, fix })
}

/** valibot leaves these out of every object without a word; other keys only where a shape is open, as in a HAR. */
const unsafeKeys = ['__proto__', 'prototype', 'constructor']

function findDropped(given: unknown, kept: unknown, path: readonly string[] = []): string | undefined {
  if (given === kept || !isRecord(given) || !isRecord(kept)) return undefined
  for (const key of Object.keys(given)) {
    const at = [...path, key]
    const isKept = Object.hasOwn(kept, key)
    if (!isKept && unsafeKeys.includes(key)) return at.join('.')
    const found = isKept ? findDropped(given[key], kept[key], at) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function describe(
  issue: v.BaseIssue<unknown>,
  path: readonly string[],
  schema: Schema,
): [message: string, fix?: string] {
  const key = path.join('.')
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return [
      `Unknown key "${key}".`,
      /^failNext\.(?:path|method)$/.test(key) // as filters of requests have them
        ? 'An endpoint is a method and a path: write "endpoint": "POST /orders".'
        : suggest(path.at(-1)!, keysAt(schema, path.slice(0, -1)), 'Known keys'),
    ]
  if (issue.type === 'strict_object' && issue.expected?.startsWith('"'))
    return [`The key "${key}" is missing.`]
  const what = key === '' ? 'The body' : `"${key}"`
  const message = `${what} must be ${expectationOf(issue)}, not ${describeValue(issue.input)}.`
  const url = `http://${String(issue.input)}`
  const isShort = key === 'target' && !url.includes('://', 7) && canonicalTarget(url) !== undefined
  return isShort ? [message, `The scheme is missing: write "${url}".`] : [message]
}

interface Schema {
  entries?: Readonly<Record<string, Schema>>
  wrapped?: Schema
}

function keysAt(schema: Schema, [key, ...rest]: readonly string[]): string[] {
  const { entries = {} } = schema.wrapped ?? schema
  return key === undefined ? Object.keys(entries) : keysAt(entries[key] ?? {}, rest)
}
