import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema'
import type { KeyPath, Route } from '../../core/fixture/route.ts'
import { getOrMake, groupBy } from '../../core/values/collections.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import {
  keysOfPointer,
  listPaths,
  openDocument,
  type ApiPath,
  type Documents,
  type Part,
} from '../openapi/documents.ts'
import { bodiesOf, type Body } from './bodies.ts'
import type { Locate } from './locate.ts'
import { describe, type Finding } from './texts.ts'

interface OpenApi {
  file: string
  documents: Documents
  paths: ApiPath[]
  is30: boolean
}

interface ApiOperation {
  endpoint: string
  /** By status: `200`, `4XX`, `default`. */
  responses: Record<string, unknown>
  file: string
}

/** @param base the option `base`, which the paths of the document may have */
export async function checkOpenApi(
  routes: readonly Route[],
  path: string,
  file: string,
  locate: Locate,
  base: string,
): Promise<{ findings: Finding[]; checked: Set<Route> }> {
  const findings: Finding[] = []
  const checked = new Set<Route>()
  try {
    const api = readApi(path, file)
    const validatorOf = createValidators(api)
    for (const route of routes) {
      const method = route.method ?? 'GET'
      const operation =
        findOperation(api, method, route.path) ?? findOperation(api, method, `${base}${route.path}`)
      if (!operation) {
        const text = describe('check-path-unknown', { endpoint: `${method} ${route.path}`, document: file })
        findings.push({ ...text, ...(await locate(route, ['path'])) })
        continue
      }
      for (const body of bodiesOf(route)) {
        checked.add(route)
        const wrong = whatIsWrong(body, operation, api, validatorOf)
        const found = wrong.map(async ({ path, ...text }) => ({ ...text, ...(await locate(route, path)) }))
        findings.push(...(await Promise.all(found)))
      }
    }
  } catch (error) {
    findings.push({ ...describe('check-openapi-invalid', { reason: reasonOf(error) }), file })
  }
  return { findings, checked }
}

function readApi(path: string, file: string): OpenApi {
  const { document, documents, version } = openDocument(path, file)
  const paths = [...listPaths(document, documents)].map((one) => {
    if ('broken' in one) throw new Error(`${one.path}: ${one.broken}`)
    return one
  })
  return { file, documents, paths, is30: version.startsWith('3.0') }
}

/** The path of a server, such as `/v1`, is optional. The template with the most literal segments is the most specific. */
function findOperation({ paths }: OpenApi, method: string, path: string): ApiOperation | undefined {
  let best: (ApiOperation & { literals: number }) | undefined
  for (const { path: template, servers, item, file } of paths) {
    const responses = ownValue(item[method.toLowerCase()], 'responses')
    if (!isRecord(responses)) continue
    const literals = Math.max(
      ...['', ...servers].map((server) => countLiterals(`${server}${template}`, path)),
    )
    if (literals > (best?.literals ?? -1))
      best = { endpoint: `${method} ${template}`, responses, file, literals }
  }
  return best
}

/** -1 if the paths do not fit. A parameter of the document fits every segment. */
function countLiterals(template: string, path: string): number {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return -1
  let literals = 0
  for (const [index, segment] of wanted.entries()) {
    if (segment === given[index]) literals++
    else if (!/^\{[^}]+\}$/.test(segment)) return -1
  }
  return literals
}

function whatIsWrong(
  { status, value, keyOf, isOpen }: Body,
  { endpoint, responses, file }: ApiOperation,
  api: OpenApi,
  validatorOf: (part: Part) => Validator,
): (ReturnType<typeof describe> & { path: KeyPath })[] {
  const family = Math.floor(status / 100)
  const keys = [String(status), `${family}XX`, `${family}xx`, 'default']
  const key = keys.find((one) => Object.hasOwn(responses, one))
  if (key === undefined) {
    const details = { endpoint: `${endpoint} of ${api.file}`, status, known: Object.keys(responses) }
    return [{ ...describe('check-status-unknown', details), path: ['response', 'status'] }]
  }
  const schema = jsonSchemaOf(api.documents.resolve({ value: responses[key], file }))
  const errors = schema ? validatorOf(schema).validate(value).errors : []
  const open = errors.filter(({ instanceLocation }) => isOpen(fromPointer(instanceLocation, value)))
  // Of several schemas, the one that fits may depend on a value of the request.
  const isCertain = (one: OutputUnit) =>
    !open.includes(one) && !open.some((other) => other.keywordLocation.startsWith(`${one.keywordLocation}/`))
  return causesOf(errors.filter(isCertain)).map(({ instanceLocation, error: reason }) => {
    const path = fromPointer(instanceLocation, value)
    const what = path.length === 0 ? 'The body' : `"${path.join('.')}"`
    return { ...describe('check-body-invalid', { what, reason, document: api.file }), path: keyOf(path) }
  })
}

/** `undefined` if the response has no JSON. */
function jsonSchemaOf({ value, file }: Part): Part | undefined {
  const content = ownValue(value, 'content')
  const type = isRecord(content) ? Object.keys(content).find((name) => /\bjson\b/i.test(name)) : undefined
  const schema = type === undefined ? undefined : ownValue(ownValue(content, type), 'schema')
  return schema === undefined ? undefined : { value: schema, file }
}

const dataKeys = new Set(['enum', 'const', 'default', 'example', 'examples'])
const namedSchemas = new Set(['properties', 'patternProperties', '$defs'])

function createValidators({ documents, is30 }: OpenApi): (part: Part) => Validator {
  const known = new Map<unknown, Validator>()
  // From all files: JSON Schema knows references only within one.
  const definitions: Record<string, unknown> = {}
  const names = new Map<string, string>()

  function copy(value: unknown, file: string): unknown {
    if (Array.isArray(value)) return value.map((item) => copy(item, file))
    if (!isRecord(value)) return value
    const copied: Record<string, unknown> = {}
    for (const [key, part] of Object.entries(value))
      if (dataKeys.has(key)) copied[key] = part
      else if (key === '$ref' && typeof part === 'string') copied[key] = refer(part, file)
      else if (namedSchemas.has(key) && isRecord(part))
        copied[key] = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, copy(one, file)]))
      else copied[key] = copy(part, file)
    return is30 ? fromOpenApi30(copied) : copied
  }

  function refer(reference: string, file: string): string {
    const id = documents.idOf(file, reference)
    let name = names.get(id)
    if (name === undefined) {
      names.set(id, (name = String(names.size)))
      const target = documents.follow(file, reference)
      definitions[name] = copy(target.value, target.file)
    }
    return `#/$defs/${name}`
  }

  return ({ value, file }) =>
    getOrMake(known, value, () => {
      const schema = { allOf: [copy(value, file)], $defs: definitions }
      return new Validator(schema as Schema, '2020-12', false)
    })
}

/** `nullable` and exclusive limits of OpenAPI 3.0, as JSON Schema has them. */
function fromOpenApi30({ nullable, ...schema }: Record<string, unknown>): Record<string, unknown> {
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[exclusive] === true) {
      schema[exclusive] = schema[limit]
      delete schema[limit]
    } else if (schema[exclusive] === false) delete schema[exclusive]
  }
  return nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema
}

/** Their errors only say that there are errors below. */
const grouping = /^(?:properties|items|prefixItems|allOf|\$ref|additionalProperties|patternProperties)$/

function causesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  const causes = errors.filter(({ keyword }) => !grouping.test(keyword))
  // A value that fits no schema of several has an error for each, and one that says so.
  const choices = causes.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const outside = causes.filter(
    ({ keywordLocation }) => !choices.some((one) => keywordLocation.startsWith(`${one.keywordLocation}/`)),
  )
  const byText = groupBy(outside, (one) => `${one.keyword} ${one.instanceLocation} ${one.error}`)
  return [...byText.values()].map(([first]) => first!)
}

function fromPointer(pointer: string, value: unknown): KeyPath {
  let at = value
  return keysOfPointer(pointer).map((name) => {
    const key = Array.isArray(at) ? Number(name) : name
    at = ownValue(at, name)
    return key
  })
}
