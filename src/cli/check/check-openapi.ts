import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema'
import type { KeyPath, Route } from '../../core/fixture/route.ts'
import { isRecord } from '../../core/values/values.ts'
import { bodiesOf, type Body } from './bodies.ts'
import type { Locate } from './locate.ts'
import { findOperation, responseSchema, type ApiOperation, type OpenApi } from './openapi.ts'
import { describe, type Finding } from './texts.ts'

/**
 * Checks the bodies of routes against the responses of an OpenAPI document.
 *
 * @param base the option `base`, which the paths of the document may have
 */
export async function checkOpenApi(
  routes: readonly Route[],
  api: OpenApi,
  locate: Locate,
  base: string,
): Promise<{ findings: Finding[]; checked: Set<Route> }> {
  const findings: Finding[] = []
  const checked = new Set<Route>()
  const validatorOf = createValidators(api)
  for (const route of routes) {
    const endpoint = `${route.method ?? 'GET'} ${route.path}`
    const paths = [route.path, `${base}${route.path}`]
    const [operation] = paths.flatMap((path) => findOperation(api, route.method ?? 'GET', path) ?? [])
    if (!operation) {
      findings.push({
        ...describe('check-path-unknown', { endpoint, document: api.file }),
        ...(await locate(route, ['path'])),
      })
      continue
    }
    for (const body of bodiesOf(route)) {
      checked.add(route)
      findings.push(...(await checkBody(route, body, operation, api, validatorOf, locate)))
    }
  }
  return { findings, checked }
}

async function checkBody(
  route: Route,
  { status, value, keyOf }: Body,
  operation: ApiOperation,
  api: OpenApi,
  validatorOf: (schema: unknown) => Validator,
  locate: Locate,
): Promise<Finding[]> {
  const found = responseSchema(api, operation, status)
  if (found === 'no status') {
    const endpoint = `${route.method ?? 'GET'} ${operation.path} of ${api.file}`
    const text = describe('check-status-unknown', {
      endpoint,
      status,
      known: Object.keys(operation.responses),
    })
    return [{ ...text, ...(await locate(route, ['response', 'status'])) }]
  }
  if (!found) return []
  const { errors } = validatorOf(found.schema).validate(value)
  return Promise.all(
    causesOf(errors).map(async ({ instanceLocation, error }) => {
      const path = fromPointer(instanceLocation, value)
      const what = path.length === 0 ? 'The body' : `"${path.join('.')}"`
      const text = describe('check-body-invalid', { what, reason: error, document: api.file })
      return { ...text, ...(await locate(route, keyOf(path))) }
    }),
  )
}

/** A validator for each schema of a document. References lead to the rest of the document. */
function createValidators({ document }: OpenApi): (schema: unknown) => Validator {
  const is30 = String(document['openapi']).startsWith('3.0')
  const components = (is30 ? toJsonSchema(document['components']) : document['components']) as Schema
  const known = new Map<unknown, Validator>()
  return (schema) => {
    let validator = known.get(schema)
    if (!validator) {
      const own = (is30 ? toJsonSchema(schema) : schema) as Schema
      validator = new Validator({ components, allOf: [own] }, '2020-12', false)
      known.set(schema, validator)
    }
    return validator
  }
}

/** A schema of OpenAPI 3.0 as one of JSON Schema, which 3.1 has: `nullable`, and limits that are exclusive. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (!isRecord(schema)) return schema
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(rest)) result[key] = key === 'enum' ? value : toJsonSchema(value)
  if (exclusiveMinimum === true) move(result, 'minimum', 'exclusiveMinimum')
  else if (exclusiveMinimum !== undefined && exclusiveMinimum !== false)
    result['exclusiveMinimum'] = toJsonSchema(exclusiveMinimum)
  if (exclusiveMaximum === true) move(result, 'maximum', 'exclusiveMaximum')
  else if (exclusiveMaximum !== undefined && exclusiveMaximum !== false)
    result['exclusiveMaximum'] = toJsonSchema(exclusiveMaximum)
  if (nullable === true) return { anyOf: [{ type: 'null' }, result] }
  if (nullable !== undefined && nullable !== false) result['nullable'] = toJsonSchema(nullable) // the name of a property
  return result
}

function move(object: Record<string, unknown>, from: string, to: string): void {
  object[to] = object[from]
  delete object[from]
}

/** The errors that are not only about errors below them. */
function causesOf(errors: readonly OutputUnit[]): OutputUnit[] {
  const grouping = new Set([
    'properties',
    'items',
    'prefixItems',
    'allOf',
    '$ref',
    'additionalProperties',
    'patternProperties',
  ])
  const causes = errors.filter(({ keyword }) => !grouping.has(keyword))
  const seen = new Set<string>()
  // A value that fits none of several schemas has an error for each of them, and one that says so.
  const choices = causes.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return causes.filter(({ keyword, keywordLocation, instanceLocation, error }) => {
    const isInsideChoice = choices.some(
      (choice) =>
        keywordLocation !== choice.keywordLocation &&
        keywordLocation.startsWith(`${choice.keywordLocation}/`),
    )
    const key = `${keyword} ${instanceLocation} ${error}`
    if (isInsideChoice || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The keys of a JSON pointer such as `#/data/0/id`. */
function fromPointer(pointer: string, value: unknown): KeyPath {
  let at = value
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((key) => key !== '')
    .map((key) => {
      const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
      const own = Array.isArray(at) ? Number(name) : name
      at = (at as Record<string | number, unknown>)?.[own]
      return own
    })
}
