import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseBackend } from '../diagnostics/backend-texts.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import { describeRequest } from '../redact/redact.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { isBodiless, prepareResponse } from '../response/prepare-response.ts'
import type { AnswerChanges, Endpoint } from '../table/route-table.ts'
import { applyChanges, type Missed } from '../values/patch.ts'
import { parseExactly } from '../values/exact-number.ts'
import { isRecord, setOwn, valueAt, words, type KeyPath } from '../values/values.ts'
import { explainError } from './error-response.ts'
import type { Answer, Answering, BackendAnswer } from './decision.ts'

type Complete = Extract<BackendAnswer, { kind: 'complete' }>

type ChangedBy = Pick<Answering, 'endpoint' | 'route' | 'request'>

/** A 502 says why there is no answer of the backend. */
export function changeAnswer(given: AnswerChanges, answer: BackendAnswer, asked: ChangedBy): Answer {
  if (answer.kind !== 'complete') return refuse(describeFailure(answer, asked), asked)
  const isPatched = answer.status < 400 || given.patchErrors === true
  const changes = isPatched ? given : { ...given, patch: [] }
  const { status, patch, errors, delay, fault, then } = changes
  const isHead = asked.request.method === 'HEAD'
  const isChanged = !isBodiless(answer.status) && patch.length + errors.length > 0
  const headers = headersToSend(answer.headers, isChanged)
  // The type of the backend's body, which is not sent with the status of the route.
  if (status !== undefined && isBodiless(status)) delete headers['content-type']
  const response = {
    status: status ?? answer.status,
    headers: { ...headers, ...lowerCase(changes.headers) },
    delay,
    fault,
    ...(isPatched && { then }),
  }
  const { name } = asked.route
  if (!isChanged || isHead) {
    const body = answer.body.length > 0 ? answer.body : undefined
    const prepared = prepareResponse({ ...response, body }, name)
    return {
      response:
        isHead && !isBodiless(response.status)
          ? { ...prepared, headLength: lengthOf(answer, isChanged) }
          : prepared,
    }
  }
  const why = whyTooComplex(answer.body)
  if (why !== undefined) return refuse(describeFailure({ kind: 'unreadable', reason: why }, asked), asked)
  const read = parse(answer)
  if ('reason' in read) {
    const details = { name, request: describeRequest(asked.request.raw), status: answer.status, ...read }
    return refuse(diagnoseBackend('backend-answer-not-json', asked.route.source, details), asked)
  }
  const { body, missed } = changeBody(changes, read.body, asked)
  const diagnostic = missed.length > 0 ? describeMissed(missed, asked) : undefined
  return { response: prepareResponse({ ...response, body }, name), diagnostic }
}

function refuse(diagnostic: Diagnostic, { endpoint, request }: ChangedBy): Answer {
  return explainError({ endpoint, raw: request.raw }, 502, diagnostic)
}

function describeFailure(answer: Exclude<BackendAnswer, Complete>, { route, request }: ChangedBy) {
  const details = { name: route.name, request: describeRequest(request.raw) }
  if (answer.kind === 'body-used') return diagnoseRequest('request-body-used', {}, details)
  if (answer.kind === 'unknown')
    return diagnoseBackend('backend-unknown', route.source, { ...details, ...answer })
  return answer.kind === 'unreachable'
    ? diagnoseBackend('backend-unreachable', route.source, { ...details, ...answer })
    : diagnoseBackend('backend-answer-unreadable', route.source, { ...details, ...answer })
}

/** The names of a fixture's headers may be in any case, and replace those of the backend. */
function lowerCase(headers: AnswerChanges['headers']): AnswerChanges['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Limits of a changed JSON text. More would block the server for seconds, or exceed the stack. */
const maxValues = 1_000_000
const maxLevels = 1000

function whyTooComplex(json: Uint8Array): string | undefined {
  let values = 0
  let level = 0
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === 0x22) isInText = !isInText
    else if (isInText) at += byte === 0x5c ? 1 : 0
    else if (byte === 0x2c) values++
    else if (byte === 0x5d || byte === 0x7d) level--
    else if (byte === 0x5b || byte === 0x7b) {
      values++
      if (++level > maxLevels) return `it has more than ${maxLevels} levels`
    }
  }
  return values > maxValues ? `it has more than ${maxValues} values` : undefined
}

/** Maximum characters of a body that is not JSON, in a message. */
const maxShown = 60

function parse({ headers, body }: Complete): { body: unknown } | { reason: string } {
  const text = new TextDecoder().decode(body)
  try {
    return { body: parseExactly(text) }
  } catch {
    const type = String(headers['content-type'] ?? '').split(';', 1)[0]
    if (text === '') return { reason: 'its body is empty' }
    const start = text.trim().slice(0, maxShown).replaceAll(/\s+/g, ' ')
    return { reason: `its body${type && ` of the type ${type}`} begins with ${JSON.stringify(start)}` }
  }
}

/** The fields of errors become null, and the schema says how far that spreads. */
function changeBody({ patch, errors }: AnswerChanges, body: unknown, { endpoint, request }: ChangedBy) {
  const { nulls, missed } = applyChanges(body, patch)
  if (!isRecord(body)) return { body, missed }
  const params = request.graphql
  const nulled: KeyPath[] = nulls.flatMap(([first, ...path]) => (first === 'data' ? [path] : []))
  const added = errors.map((error): FormattedError => {
    const { path } = error
    if (!path) return error
    // Located before anything is null, since the types of objects decide which fragments apply.
    const { message, locations = params?.locate(path, body['data']), ...others } = error
    if (isRecord(body['data']) && setNull(body['data'], path)) nulled.push(path)
    return locations ? { message, locations, ...others } : error
  })
  const data = spreadNulls(body['data'], nulled, endpoint, request)
  const before = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : []
  const all = [...before, ...added]
  return {
    body: {
      ...(all.length > 0 && { errors: all }),
      ...body,
      ...(data !== undefined && { data }),
      ...(all.length > 0 && { errors: all }),
    },
    missed,
  }
}

function setNull(data: object, path: KeyPath): boolean {
  const container = valueAt(data, path.slice(0, -1))
  const last = path.at(-1)
  if (last === undefined || typeof container !== 'object' || container === null) return false
  if (!Object.hasOwn(container, last)) return false
  setOwn(container, String(last), null)
  return true
}

/** Spreads nulls as a real server does: a null in a non-null field makes the field around it null. */
function spreadNulls(
  data: unknown,
  nulled: readonly KeyPath[],
  { graphql }: Endpoint,
  { graphql: params }: ParsedRequest,
): unknown {
  const { document, operation, allVariables } = params ?? {}
  if (nulled.length === 0 || !isRecord(data) || !graphql?.checker?.hasSchema || !document || !operation)
    return data
  const paths = nulled.filter((path) => valueAt(data, path) === null)
  const landings = graphql.checker.landingsOf(document.ast!, operation, allVariables, data, paths)
  if (landings.includes(0)) return null
  paths.forEach((path, index) => setNull(data, path.slice(0, landings[index])))
  return data
}

function describeMissed([first, ...others]: readonly Missed[], { route, request }: ChangedBy): Diagnostic {
  const details = { name: route.name, request: describeRequest(request.raw), ...first!, more: others.length }
  return diagnoseBackend('patch-path-missing', route.source, details)
}

/** Bytes of an answer that is read whole, as sent and decoded. */
export const maxBackendAnswer = 33_554_432
export const tooLarge = `it is larger than ${maxBackendAnswer / 1_048_576} MiB`

/** Headers that end at this server. CORS is decided here, as for every route. */
const ofTransfer = new Set(
  words(
    'access-control-allow-credentials access-control-allow-origin connection content-encoding content-length keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade',
  ),
)

/** Headers that are only true of the bytes that the backend has sent. */
const ofBytes = new Set(
  words('accept-ranges content-digest content-md5 digest etag last-modified repr-digest'),
)

/** The `content-length` of an answer to `HEAD`; empty for a body that is changed or decoded here. */
function lengthOf({ headers }: Complete, isChanged: boolean): string {
  const isKnown = !isChanged && headers['content-encoding'] === undefined
  return isKnown ? String(headers['content-length'] ?? '') : ''
}

/** @param isChanged whether the body is not the backend's */
function headersToSend(headers: Extract<BackendAnswer, { kind: 'complete' }>['headers'], isChanged: boolean) {
  const sent: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (ofTransfer.has(name) || (isChanged && ofBytes.has(name))) continue
    sent[name] = typeof value === 'string' ? value : [...value]
  }
  return sent
}
