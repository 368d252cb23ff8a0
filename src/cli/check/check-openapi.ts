import type { Route } from '../../core/fixture/route.ts'
import { canonicalPath, trimSlash } from '../../core/http/path.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import { anyMethod } from '../../core/schema/schema.ts'
import { listSome } from '../../core/diagnostics/text.ts'
import { getOrMake } from '../../core/values/collections.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, ownValue, type KeyPath } from '../../core/values/values.ts'
import {
  jsonMedia,
  keysOfReference,
  listOperations,
  openDocument,
  type ApiOperation,
  type Documents,
  type DocumentPart,
} from '../../openapi/documents.ts'
import { createValidate, type Validate } from '../../openapi/validate.ts'
import { bodiesOf, type FixtureBody } from '../../core/fixture/known-bodies.ts'
import { documentDifferences, type DocumentedRoutes } from './document-differences.ts'
import type { LocateInRoute } from '../../loader/locate.ts'
import { diagnoseCheck, type CheckFinding } from './texts.ts'

interface OpenApi {
  file: string
  documents: Documents
  operations: (ApiOperation & { fits: (path: string) => boolean; literals: number })[]
  validate: Validate
}

/** @param base the option `base`, which the paths of the document may have */
export async function checkOpenApi(
  routes: readonly Route[],
  path: string,
  file: string,
  locate: LocateInRoute,
  base: string,
): Promise<{ findings: CheckFinding[]; checked: Set<Route> }> {
  const findings: CheckFinding[] = []
  const checked = new Set<Route>()
  const known = new Map<ApiOperation, DocumentedRoutes>()
  const broken = (reason: string) => diagnoseCheck('check-openapi-invalid', { file }, { reason })
  try {
    const { document, documents, version } = openDocument(path, file, Infinity)
    const ignored = new Map<string, string>()
    const validate = createValidate(documents, version.startsWith('3.0'), (...one) => ignored.set(...one))
    const api: OpenApi = { file, documents, operations: [], validate }
    for (const one of listOperations(document, documents))
      if ('broken' in one) findings.push({ ...broken(`${one.endpoint}: ${one.broken}`), severity: 'warning' })
      else api.operations.push({ ...one, ...matcherOf(one.paths) })
    const origins = new Set(['', ...api.operations.flatMap((one) => one.origins)])
    for (const route of routes) {
      const { origin, pathname } = splitOrigin(route.path)
      if (!origins.has(origin)) continue // of another API
      const own = trimSlash(pathname)
      const ofPath = api.operations.filter((one) => one.fits(own) || one.fits(`${base}${own}`))
      const all = [...new Set(ofPath.map(({ method }) => method))] // those that `*` stands for
      const methods = (route.method ?? ['GET']).flatMap((one) =>
        one === anyMethod && all.length > 0 ? all : one,
      )
      for (const method of methods) {
        if (method === anyMethod && /\*/.test(route.path)) continue // for paths that no document has
        const fitting = ofPath.filter((one) => one.method === method)
        if (fitting.length === 0) {
          const details = { endpoint: `${method} ${route.path}`, document: file }
          findings.push(diagnoseCheck('check-path-unknown', await locate(route, ['path']), details))
        }
        // The most specific path, and of that the operation that the route selects.
        const [operation] = fitting
          .filter((one) => meets(route, one))
          .sort((a, b) => b.literals - a.literals || conditionsOf(b).length - conditionsOf(a).length)
        if (!operation) continue
        const { routes: own, bodies } = getOrMake(known, operation, () => ({
          operation,
          routes: [],
          bodies: [],
        }))
        own.push(route)
        for (const body of bodiesOf(route).filter(({ isEvent }) => !isEvent)) {
          checked.add(route)
          try {
            const response = responseFor(body.status, operation, documents)
            if (!route.isInvalid) bodies.push({ route, body, response })
            const wrong = whatIsWrong(body, operation, response, api)
            const found = wrong.map(async ({ path, ...text }) => ({
              ...text,
              ...(await locate(route, path)),
            }))
            findings.push(...(await Promise.all(found)))
          } catch (error) {
            findings.push(broken(`${operation.endpoint}: ${reasonOf(error)}`)) // the others are compared
          }
        }
      }
    }
    for (const { alsoIn, ...one } of documentDifferences(known.values(), routes, {
      document,
      documents,
      file,
    })) {
      const { code, severity, message, fix, route, keys } = one
      const also = alsoIn.length > 0 ? ` Also in ${listSome(alsoIn)}.` : ''
      findings.push({ code, severity, message: `${message}${also}`, fix, ...(await locate(route, keys)) })
    }
    for (const [pattern, why] of ignored)
      findings.push(diagnoseCheck('check-pattern-ignored', { file }, { pattern, why }))
  } catch (error) {
    findings.push(broken(reasonOf(error)))
  }
  return { findings, checked }
}

/** The path of a server, such as `/v1`, is optional. A parameter of the document fits every text in its segment. */
function matcherOf(paths: readonly string[]): Pick<OpenApi['operations'][number], 'fits' | 'literals'> {
  const segments = paths.map((path) => canonicalPath(path).split('/').slice(1))
  const sources = segments.map((list) => list.map((segment) => segment.split(/(?<!\\):\w+/)))
  const patterns = sources.map(
    (list) => new RegExp(`^/${list.map((texts) => texts.map(escaped).join('[^/]+')).join('/')}$`),
  )
  return {
    fits: (path) => patterns.some((pattern) => pattern.test(path)),
    literals: Math.max(...sources.map((list) => list.filter(({ length }) => length === 1).length)),
  }
}

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

function conditionsOf({ when }: ApiOperation): [source: string, name: string, value: unknown][] {
  return Object.entries(when).flatMap(([source, fields]) =>
    Object.entries(fields).map(([name, value]) => [source, name, value] as [string, string, unknown]),
  )
}

function meets({ selector }: Route, operation: ApiOperation): boolean {
  const fields = [...(selector?.equalities ?? []), ...(selector?.tests ?? [])]
  return conditionsOf(operation).every(([source, name, value]) =>
    fields.some((one) => {
      const { field } = one
      const isNamed = field?.source === source && field.path[0]?.toLowerCase() === name.toLowerCase()
      return isNamed && (isRecord(value) || !('value' in one) || String(one.value) === value)
    }),
  )
}

/** The response of a status, or of all those that no other is for. */
function responseFor(
  status: number,
  { operation, file }: ApiOperation,
  documents: Documents,
): DocumentPart | undefined {
  const responses = operation['responses']
  const family = Math.floor(status / 100)
  const keys = [String(status), `${family}XX`, `${family}xx`, 'default']
  const value = keys.map((key) => ownValue(responses, key)).find((one) => one !== undefined)
  return value === undefined ? undefined : documents.resolve({ value, file })
}

function whatIsWrong(
  { status, value, keyOf, isOpen }: FixtureBody,
  { endpoint, operation: { responses } }: ApiOperation,
  response: DocumentPart | undefined,
  { documents, validate, file: document }: OpenApi,
): (CheckFinding & { path: KeyPath })[] {
  if (!response) {
    const known = Object.keys(isRecord(responses) ? responses : {})
    const details = { endpoint: `${endpoint} of ${document}`, status, known }
    return [{ ...diagnoseCheck('check-status-unknown', {}, details), path: ['response', 'status'] }]
  }
  const media = documents.resolve({ value: jsonMedia(response.value)?.[1], file: response.file })
  const schema = ownValue(media.value, 'schema')
  if (schema === undefined) return []
  const isUnknown = (pointer: string) => isOpen(fromPointer(pointer, value))
  const errors = validate({ value: schema, file: media.file }, value, isUnknown)
  return errors.map(({ instanceLocation, error }) => {
    const reason = plainReason(error)
    const path = fromPointer(instanceLocation, value)
    const what = path.length === 0 ? 'The body' : `"${path.join('.')}"`
    const text = diagnoseCheck('check-body-invalid', {}, { what, reason, document })
    const field = path.findLast((key) => typeof key === 'string') ?? ''
    return { ...text, cause: `${field}: ${reason}`, path: keyOf(path) }
  })
}

/** Types in the words of `check --against`. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
}

/** The sentence of the validator, as a whole one about what stands before it. */
function plainReason(error: string): string {
  const types = /^Instance type "(.+)" is invalid\. Expected "(.+)"\.$/.exec(error)?.slice(1)
  const [is, wanted] =
    types?.map((list) =>
      list
        .split('", "')
        .map((type) => typeNames[type] ?? type)
        .join(' or '),
    ) ?? []
  if (is !== undefined) return ` is ${is}, not ${wanted}.`
  return error
    .replace(/^Instance does not have required property (".+")\.$/, ' has no $1.')
    .replace(/^Instance does not match any of (.+)\.$/s, ' is not one of $1.')
    .replace(/^Instance does not match ("[^"]*"|-?[\d.]+|true|false|null)\.$/, ' is not $1.')
    .replace(/^String does not match format (".+")\.$/, ' is not of the format $1.')
    .replace(/^(?! )/, ': ')
}

function fromPointer(pointer: string, value: unknown): KeyPath {
  let at = value
  return keysOfReference(pointer).map((name) => {
    const key = Array.isArray(at) ? Number(name) : name
    at = ownValue(at, name)
    return key
  })
}
