import { isBodiless } from '../../core/response/prepare-response.ts'
import { asLiteral } from '../../core/request-values/compile-values.ts'
import { isRecord } from '../../core/values/values.ts'
import { jsonMedia, type ApiOperation, type Documents, type DocumentPart } from '../../openapi/documents.ts'
import { fromText } from '../../openapi/example-value.ts'
import { fittingValue } from '../../openapi/fitting-value.ts'
import type { Validate } from '../../openapi/validate.ts'
import type { Omissions } from '../../writer/omissions.ts'
import { fileExtension, writeAnswer, writtenHeaders, type ResponseKeys } from '../../writer/write-answer.ts'
import type { Made } from './collections.ts'
import { idOfNew, sampleOfRequest, withAskedIds, withSent } from './from-request.ts'
import { pagesOf } from './pages.ts'

export interface OpenApiContext {
  base: string
  /** Whether the command itself has `base`: only then, paths that are not below it are left out. */
  isBaseGiven: boolean
  origin: string
  /** The documented errors become routes of scenarios named after their status. */
  errors: boolean
  documents: Documents
  validate: Validate
  omissions: Omissions
}

type MadeResponse = { endpoint: { paginate?: object; invalid?: true }; written: Made['written'] }

export function responseOf(
  status: number,
  response: DocumentPart,
  own: ApiOperation,
  path: string,
  context: OpenApiContext,
): MadeResponse {
  const { omissions } = context
  const { endpoint: where } = own
  const headers = responseHeaders(response, status, own, path, context)
  const made = (more: ResponseKeys, endpoint: MadeResponse['endpoint'] = {}): MadeResponse => {
    const all = { ...headers, ...more.headers }
    const answer: ResponseKeys = {
      ...(status !== 200 && { status }),
      ...(Object.keys(all).length > 0 && { headers: all }),
      ...('body' in more && { body: more.body }),
    }
    return { endpoint, written: { answer } }
  }
  const content =
    isRecord(response.value) && isRecord(response.value['content']) ? response.value['content'] : {}
  const types = Object.keys(content)
  const json = jsonMedia(response.value)?.[0] ?? types.find((name) => name === '*/*')
  const type = json ?? types[0]
  if (type === undefined || isBodiless(status)) return made({})
  for (const other of types.filter((name) => name !== type && name !== '*/*'))
    omissions.add(`the type ${other}`, 'an answer has one type', where)
  if ('links' in asRecord(response.value)) omissions.add('links', 'a route has none', where)
  const media = { value: content[type], file: response.file }
  const body = bodyOf(media, status, where, context, json !== undefined)
  const contentType = type === '*/*' ? 'application/json' : type.replace('/*', '/plain')
  if (json === undefined && (body.isBinary || typeof body.value !== 'string')) {
    omissions.add('a body', `it is ${type}, of which there is no example`, where)
    const { endpoint, written } = made({ headers: { 'content-type': contentType } })
    const file = { bytes: sampleBytes(contentType), extension: fileExtension(contentType) }
    return { endpoint, written: body.isBinary ? { ...written, file } : written }
  }
  const { value } = body
  if (/^text\/event-stream\b/.test(type) && typeof value === 'string') {
    const bytes = new TextEncoder().encode(value)
    const responseHeaders = [...Object.entries(headers), ['content-type', type]] as [string, string][]
    const source = { status, responseHeaders, responseBody: bytes, origin: '', where, path, isOwn: true }
    return { endpoint: {}, written: writeAnswer(source, omissions) }
  }
  // A value that was made, and not an example, says the status that is sent.
  if (/\bproblem\+json\b/.test(type) && isRecord(value) && body.isMade && 'status' in value)
    value['status'] = status
  const isUsual = json
    ? /^(?:application\/json|\*\/\*)\b/.test(type) && typeof value !== 'string'
    : type === 'text/plain'
  const typed = isUsual ? {} : { headers: { 'content-type': contentType } }
  if (json === undefined) return made({ ...typed, body: value })
  const paged = status === 200 ? pagesOf(own, value, body.fits, context) : { value }
  if ('x-total-count' in headers && Array.isArray(paged.value))
    headers['x-total-count'] = String(paged.value.length)
  if (paged.paginate) {
    delete headers['link']
    delete headers['x-total-count']
    return made(typed, { paginate: paged.paginate })
  }
  if (typeof value === 'string') return made({ ...typed, body: JSON.stringify(value) })
  const sent = asLiteral(paged.value)
  if (body.isInvalid) return made({ ...typed, body: sent }, { invalid: true })
  // Without an example, a new resource is below the list.
  if (headers['location'] === belowList(path)) headers['location'] = belowList(path, idOfNew(value, path))
  const asked = withAskedIds(sent, path)
  const echoed = status < 300 ? withSent(asked, sampleOfRequest(own, context.documents)) : asked
  return made({ ...typed, body: echoed })
}

/** Response headers, without those that servers add to every answer. */
function responseHeaders(
  { value: response, file }: DocumentPart,
  status: number,
  { endpoint: where }: ApiOperation,
  path: string,
  { documents, omissions, validate }: OpenApiContext,
): NonNullable<ResponseKeys['headers']> {
  const given = isRecord(response) && isRecord(response['headers']) ? Object.entries(response['headers']) : []
  const headers = given.flatMap(([name, value]): [string, string][] => {
    const header = documents.resolve({ value, file })
    if (!isRecord(header.value) || /^content-type$/i.test(name)) return []
    const { schema, example = examplesOf(header, documents)[0] } = header.value
    if (schema === undefined && example === undefined && !/^location$/i.test(name)) {
      omissions.add(`response header "${name}"`, 'it has neither a schema nor an example', where)
      return []
    }
    const isNew = /^location$/i.test(name) && example === undefined && !hasExample(schema)
    // Without an example, a redirect leads to the start.
    const location = status === 201 ? belowList(path) : '/'
    const [part, examples] = [{ value: schema, file: header.file }, example === undefined ? [] : [example]]
    const made = isNew ? location : fittingValue(part, examples, documents, validate).value
    return [[name, typeof made === 'object' ? JSON.stringify(made) : String(made)]]
  })
  return writtenHeaders({ responseHeaders: headers, where, origin: '' }, omissions)
}

const belowList = (path: string, id: string | number = 1) =>
  `${path.replace(/:\w+/g, '1')}/${encodeURIComponent(id)}`

const hasExample = (schema: unknown) =>
  isRecord(schema) && ['example', 'examples', 'default', 'const', 'enum'].some((key) => key in schema)

function bodyOf(
  part: DocumentPart,
  status: number,
  where: string,
  { documents, validate, omissions }: OpenApiContext,
  isJson: boolean,
) {
  const media = documents.resolve(part)
  const schema = isRecord(media.value) && 'schema' in media.value ? media.value['schema'] : undefined
  const own: DocumentPart = { value: schema, file: media.file }
  const isMeant = (example: unknown) => schema !== undefined && validate(own, example).length === 0
  const examples = examplesFor(status, media, documents, isJson ? isMeant : () => true)
  if (schema === undefined) return { value: examples.length > 0 ? examples[0] : {}, fits: () => true }
  const { format, contentEncoding, contentMediaType } = asRecord(documents.resolve(own).value)
  if (examples.length === 0 && (format === 'binary' || (contentMediaType !== undefined && !contentEncoding)))
    return { value: '', fits: () => true, isBinary: true }
  const { value, wrong } = fittingValue(own, examples, documents, validate)
  if (examples.length > 0 && !examples.includes(value))
    omissions.add('an example', 'it does not fit its schema, so that parts of it were changed', where)
  if (isRounded(value)) omissions.add('a number', "JavaScript can't hold it, so that it was rounded", where)
  const fits = (one: unknown) => validate(own, one).length === 0
  if (wrong.length === 0) return { value, fits, isMade: examples.length === 0 }
  const [{ instanceLocation, error }] = wrong as [(typeof wrong)[number]]
  omissions.add('a body that fits its schema', `${instanceLocation} ${error}`, where)
  return { value, fits, isInvalid: true } // `check` accepts what is wrong on purpose
}

function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(isRounded)
}

const asRecord = (value: unknown) => (isRecord(value) ? value : {})

/** The smallest possible image, or a few bytes that are not text. */
function sampleBytes(type: string): Uint8Array {
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const known: Record<string, string> = { 'image/gif': gif, 'image/png': png }
  return Buffer.from(known[type] ?? 'AP8A/w==', 'base64')
}

/**
 * The examples of an answer, the ones of its status first.
 *
 * @param isMeant whether a text is sent as such, though it is JSON
 */
function examplesFor(
  status: number,
  media: DocumentPart,
  documents: Documents,
  isMeant: (text: string) => boolean,
) {
  const given = examplesOf(media, documents).map((one) =>
    typeof one === 'string' && !isMeant(one) ? fromText(one) : one,
  )
  return [true, false].flatMap((suits) => given.filter((one) => suitsStatus(one, status) === suits))
}

function examplesOf(media: DocumentPart, documents: Documents): unknown[] {
  const { example, examples } = isRecord(media.value) ? media.value : {}
  const named = isRecord(examples) ? Object.values(examples) : []
  const values = named.map((value) => documents.resolve({ value, file: media.file }).value)
  return [
    ...(example === undefined ? [] : [example]),
    ...values.flatMap((one) => (isRecord(one) && 'value' in one ? [one['value']] : [])),
  ]
}

/** Some documents list an example of an error among the others. */
function suitsStatus(example: unknown, status: number): boolean {
  const { status: own, statusCode, code } = isRecord(example) ? example : {}
  const said = [own, statusCode, code].find((one) => Number(one) >= 100 && Number(one) < 600)
  return said === undefined || Math.floor(Number(said) / 100) === Math.floor(status / 100)
}
