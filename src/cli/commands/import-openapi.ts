import { canonicalBase } from '../../core/http/path.ts'
import { asLiteral } from '../../core/request-values/compile-values.ts'
import { isBodiless } from '../../core/response/prepare-response.ts'
import { visible } from '../../core/diagnostics/format.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, compareTexts } from '../../core/values/values.ts'
import { belowBase, slug, whyUnwritable } from '../../writer/endpoint-path.ts'
import type { Omissions } from '../../writer/omissions.ts'
import { fileExtension, headersOf, type ResponseKeys } from '../../writer/write-answer.ts'
import { ImportedRoutes, saveImport, type ImportOptions } from '../import/save-import.ts'
import {
  jsonMedia,
  listOperations,
  openDocument,
  readServers,
  type ApiOperation,
  type Documents,
  type Part,
} from '../../loader/openapi/documents.ts'
import { examplesFor, examplesOf } from '../openapi/examples.ts'
import { statusesOf } from '../openapi/statuses.ts'
import { fittingValue } from '../../loader/openapi/fitting-value.ts'
import { findCollections, withCollections, type Made } from '../openapi/collections.ts'
import { idOfNew, sampleOfRequest, withAskedIds, withSent } from '../openapi/from-request.ts'
import { pagesOf } from '../openapi/pages.ts'
import { sizeOf } from '../../loader/openapi/size-of.ts'
import { createValidate, type Validate } from '../../loader/openapi/validate.ts'
import { baseOfConfig } from '../code/plugin-options.ts'
import { fileToRead, projectFolder } from '../places.ts'
import { createProgress } from '../progress.ts'
import type { ExitCode, Terminal } from '../terminal.ts'

export interface ImportOpenApiOptions extends ImportOptions {
  base?: string
  origin?: string
  errors?: boolean
  collections?: boolean
}

/** For each value: to write it, and to read what was written, takes longer than to make it. */
const partsToWrite = 20

interface ImportContext {
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

/** A file for each tag, with the paths in the order of the document. */
export async function importOpenApi(
  terminal: Terminal,
  name: string,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const { document, documents, version } = openDocument(fileToRead(root, name), name)
  const { errors = false } = options
  const isBaseGiven = options.base !== undefined
  const base = isBaseGiven ? canonicalBase(options.base!) : baseOfConfig(terminal, root)
  const { origin = readServers(document.value['servers'])[0]!.origin } = options
  if (options.origin === undefined && origin !== '')
    terminal.note(
      `The first server, ${visible(origin)}, counts as the application's own origin: its routes get a path. With --origin http://localhost:5173, where the application is, they get a url.`,
    )
  const imported = new ImportedRoutes()
  const { omissions } = imported
  const validate = createValidate(documents, version.startsWith('3.0'), (pattern, why) =>
    omissions.add('a pattern', why, pattern),
  )
  const context: ImportContext = { base, isBaseGiven, origin, errors, documents, validate, omissions }
  const { webhooks } = document.value
  if (isRecord(webhooks) && Object.keys(webhooks).length > 0)
    omissions.add('webhooks', 'the API sends them', Object.keys(webhooks).slice(0, 3).join(', '))
  const progress = createProgress(terminal)
  const made: Made[] = []
  const operations = [...listOperations(document, documents)]
  for (const [index, operation] of operations.entries()) {
    const { endpoint: where } = operation
    progress(() => `Writing: ${index} of ${operations.length} operations`)
    try {
      if ('broken' in operation) throw new Error(operation.broken)
      const name = fileName(operation)
      const routes = routesOf(operation, context).map((one) => ({ ...one, where, name }))
      documents.spend(partsToWrite * sizeOf(routes))
      made.push(...routes)
    } catch (error) {
      omissions.add('an operation', reasonOf(error), where) // the rest of the document is written
    }
  }
  const proposed = [...findCollections(made).keys()].map(({ endpoint }) => endpoint.path)
  const isWanted = options.collections ?? (await wantsCollections(terminal, proposed))
  for (const { endpoint, written, where, name } of isWanted ? withCollections(made, omissions) : made)
    if (!imported.add(endpoint, written, name, false))
      omissions.add('an operation', 'another operation answers the same requests', where)
  return saveImport(terminal, imported, options)
}

async function wantsCollections(terminal: Terminal, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return false
  const shown = new Intl.ListFormat('en-GB').format(paths.map(visible))
  if (terminal.isInteractive)
    return terminal.confirm(
      `Write ${shown} as ${paths.length === 1 ? 'a collection' : 'collections'}, so that requests find what others have written?`,
    )
  terminal.note(`With --collections, requests to ${shown} find what others have written.`)
  return false
}

function fileName({ operation: { tags }, paths: [path = ''] }: ApiOperation): string {
  const [tag] = Array.isArray(tags) ? (tags as unknown[]) : []
  const first = path.split('/').find((segment) => segment !== '' && !segment.startsWith(':'))
  return (typeof tag === 'string' && slug(tag)) || slug(first ?? '') || 'index'
}

function routesOf(own: ApiOperation, context: ImportContext): Pick<Made, 'endpoint' | 'written'>[] {
  const { endpoint: where, operation, file } = own
  const { omissions, documents } = context
  const [server = ''] = own.origins
  const elsewhere = server === context.origin ? '' : server
  const whole = own.paths[0]!
  const below = elsewhere === '' ? belowBase(whole, context.base) : whole
  const path = below ?? (context.isBaseGiven ? undefined : whole)
  const why = path === undefined ? `its path is not below ${context.base}` : whyUnwritable(path)
  if (path === undefined || why !== undefined) throw new Error(why)
  const selected = Object.entries(own.when).filter(([, fields]) => Object.keys(fields).length > 0)
  const endpoint = {
    ...(own.method !== (`${elsewhere}${path}` === '/graphql' ? 'POST' : 'GET') && { method: own.method }),
    path: `${elsewhere}${path}`,
    ...(selected.length > 0 && { when: Object.fromEntries(selected) }),
  }
  const all = Object.entries(isRecord(operation['responses']) ? operation['responses'] : {})
  const good = all.filter(([status]) => status.startsWith('2')).sort(([a], [b]) => compareTexts(a, b))
  const success =
    good[0] ?? all.find(([status]) => status === 'default') ?? all.find(([status]) => status.startsWith('3'))
  if (!success) throw new Error('it has no successful response')
  const statuses = statusesOf(
    all.map(([key]) => key),
    success[0],
  )
  const isError = ([status]: (typeof all)[number]) => statuses.get(status)! >= 400
  const isKept = (one: (typeof all)[number]) => one === success || (context.errors && isError(one))
  for (const one of all.filter((one) => !isKept(one) && !one[0].startsWith('x-'))) {
    const [status] = one
    if (isError(one)) omissions.add('error responses', 'they need --errors', where)
    else {
      const ranges = [...statuses].flatMap(([key, given]) => (/XX$/i.test(key) ? `${key} is ${given}` : []))
      const why = /^\d+$/.test(status)
        ? 'a route has one answer'
        : status === 'default'
          ? `${ranges.join(' and ')}, which leaves it no error`
          : 'it is for several statuses'
      omissions.add(`the response "${status}"`, why, where)
    }
  }
  if (isRecord(operation['callbacks'])) omissions.add('callbacks', 'the API sends them', where)
  return all
    .filter(isKept)
    .sort((a, b) => Number(b === success) - Number(a === success))
    .map((one) => {
      const status = statuses.get(one[0])!
      const made = responseOf(status, documents.resolve({ value: one[1], file }), own, path, context)
      const scenario = one !== success && { scenario: String(status) }
      return { ...made, endpoint: { ...endpoint, ...made.endpoint, ...scenario } }
    })
}

type MadeResponse = { endpoint: { paginate?: object; invalid?: true }; written: Made['written'] }

function responseOf(
  status: number,
  response: Part,
  own: ApiOperation,
  path: string,
  context: ImportContext,
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
  const body = bodyOf(
    { value: content[type], file: response.file },
    status,
    where,
    context,
    json !== undefined,
  )
  const contentType = type === '*/*' ? 'application/json' : type.replace('/*', '/plain')
  if (json === undefined && (body.isBinary || typeof body.value !== 'string')) {
    omissions.add('a body', `it is ${type}, of which there is no example`, where)
    const { endpoint, written } = made({ headers: { 'content-type': contentType } })
    const file = { bytes: sampleBytes(contentType), extension: fileExtension(contentType) }
    return { endpoint, written: body.isBinary ? { ...written, file } : written }
  }
  const { value } = body
  const isUsual = json
    ? /^(?:application\/json|\*\/\*)\b/.test(type) && typeof value !== 'string'
    : type === 'text/plain'
  const typed = isUsual ? {} : { headers: { 'content-type': contentType } }
  if (json === undefined) return made({ ...typed, body: value })
  const paged = status === 200 ? pagesOf(own, value, body.fits, context.documents) : { value }
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
  { value: response, file }: Part,
  status: number,
  { endpoint: where }: ApiOperation,
  path: string,
  { documents, omissions, validate }: ImportContext,
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
    const made = isNew
      ? location
      : fittingValue(
          { value: schema, file: header.file },
          example === undefined ? [] : [example],
          documents,
          validate,
        ).value
    return [[name, typeof made === 'object' ? JSON.stringify(made) : String(made)]]
  })
  return headersOf({ responseHeaders: headers, where, origin: '' }, omissions)
}

const belowList = (path: string, id: string | number = 1) =>
  `${path.replace(/:\w+/g, '1')}/${encodeURIComponent(id)}`

const hasExample = (schema: unknown) =>
  isRecord(schema) && ['example', 'examples', 'default', 'const', 'enum'].some((key) => key in schema)

interface Body {
  value: unknown
  fits: (value: unknown) => boolean
  /** Whether the route is marked as wrong on purpose, which `check` accepts. */
  isInvalid?: boolean
  isBinary?: boolean
}

function bodyOf(
  part: Part,
  status: number,
  where: string,
  { documents, validate, omissions }: ImportContext,
  isJson: boolean,
): Body {
  const media = documents.resolve(part)
  const schema = isRecord(media.value) && 'schema' in media.value ? media.value['schema'] : undefined
  const own: Part = { value: schema, file: media.file }
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
  if (wrong.length === 0) return { value, fits }
  const [{ instanceLocation, error }] = wrong as [(typeof wrong)[number]]
  omissions.add('a body that fits its schema', `${instanceLocation} ${error}`, where)
  return { value, fits, isInvalid: true }
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
