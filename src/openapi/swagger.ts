import { isRecord, ownValue, keysOfPointer, valueAt, words } from '../core/values/values.ts'

type Part = Record<string, unknown>

export function isSwagger(value: unknown): value is Part {
  return isRecord(value) && String(value['swagger']) === '2.0'
}

/** Keys of a parameter or a header that its schema has in OpenAPI 3. */
const ofSchema = words(
  'type format items default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems enum multipleOf x-nullable',
)
/** Keys with data, and with names that someone else has chosen. */
const ofData = words('example examples default enum x-example')
const ofNames = words('properties definitions paths headers parameters responses patternProperties')

/**
 * Swagger 2.0 as OpenAPI 3.0. Each part stays where it is, so that references lead to it: there are no `components`.
 *
 * @param document a whole document, or what another one refers to
 * @see https://swagger.io/specification/v2/
 */
export function upgraded(document: unknown): unknown {
  const root = isRecord(document) ? document : {}
  const types = (given: unknown, key: string): string[] => {
    const list = Array.isArray(given) ? given : Array.isArray(root[key]) ? (root[key] as unknown[]) : []
    return list.length > 0 ? list.map(String) : ['application/json']
  }

  function visit(value: unknown, key = '', produces = types(undefined, 'produces')): unknown {
    if (Array.isArray(value)) return value.map((one) => visit(one, key, produces))
    if (!isRecord(value) || ofData.includes(key)) return value
    const own = isOperation(value) ? types(value['produces'], 'produces') : produces
    const isMap = ofNames.includes(key)
    // The name of a property is no key of ours.
    const ofMap = key === 'responses' ? 'response' : ''
    const parts = Object.entries(value).map(([name, one]) => [name, visit(one, isMap ? ofMap : name, own)])
    const made = Object.fromEntries(parts) as Part
    if (isMap) return made
    if (isOperation(value)) return operationOf(made, value)
    if (typeof value['in'] === 'string' && typeof value['name'] === 'string') return parameterOf(made)
    // A part in another file has only its description to show what it is.
    if ((key === 'response' || typeof value['description'] === 'string') && isResponse(value))
      return responseOf(made, own)
    return schemaOf(made)
  }

  /** A body is among the parameters, or is one that `parameters` of the document have. */
  function operationOf(made: Part, given: Part): Part {
    const all = (Array.isArray(made['parameters']) ? made['parameters'] : []) as unknown[]
    const target = (one: unknown) =>
      isRecord(one) && typeof one['$ref'] === 'string' ? find(one['$ref']) : one
    const placeOf = (one: unknown) => ownValue(target(one), 'in')
    const content = contentOf(
      all.map(target).filter((one): one is Part => isRecord(one)),
      types(given['consumes'], 'consumes'),
    )
    const parameters = all.filter((one) => placeOf(one) !== 'body' && placeOf(one) !== 'formData')
    return { ...made, parameters, ...(content && { requestBody: { content } }) }
  }

  function find(reference: string): unknown {
    const [file, pointer = ''] = reference.split('#')
    const found = valueAt(root, keysOfPointer(pointer))
    return file === '' && isRecord(found) ? parameterOf(found) : undefined
  }

  const made = visit(document)
  if (!isSwagger(document)) return made
  const { schemes, host, basePath = '' } = document
  const [scheme = 'https'] = Array.isArray(schemes) ? (schemes as unknown[]) : []
  const url = `${typeof host === 'string' ? `${String(scheme)}://${host}` : ''}${String(basePath)}`
  return { ...(made as Part), openapi: '3.0.3', servers: [{ url: url || '/' }] }
}

function isOperation(value: Part): boolean {
  return isRecord(value['responses']) && !('swagger' in value)
}

function isResponse(value: Part): boolean {
  return ('schema' in value || 'examples' in value || 'headers' in value) && !('type' in value)
}

function contentOf(parameters: readonly Part[], consumes: readonly string[]): Part | undefined {
  const body = parameters.find((one) => one['in'] === 'body')
  if (body) return Object.fromEntries(consumes.map((type) => [type, { schema: body['schema'] }]))
  const fields = parameters.filter((one) => one['in'] === 'formData')
  if (fields.length === 0) return undefined
  const properties = Object.fromEntries(fields.map((one) => [String(one['name']), one['schema']]))
  const required = fields.filter((one) => one['required'] === true).map((one) => one['name'])
  const isForm = (type: string) => /form/.test(type)
  const forms = consumes.some(isForm) ? consumes.filter(isForm) : ['application/x-www-form-urlencoded']
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return Object.fromEntries(forms.map((type) => [type, { schema }]))
}

function responseOf({ schema, examples, ...made }: Part, produces: readonly string[]): Part {
  const known = isRecord(examples) ? examples : {}
  const isFile = isRecord(schema) && schema['format'] === 'binary'
  const given = isFile ? produces.filter((type) => !/json/.test(type)) : produces
  const types = [...new Set([...(schema === undefined ? [] : given), ...Object.keys(known)])]
  if (isFile && types.length === 0) types.push('application/octet-stream')
  const content = types.map((type) => {
    const example = ownValue(known, type)
    return [type, { ...(schema !== undefined && { schema }), ...(example !== undefined && { example }) }]
  })
  return { ...made, ...(types.length > 0 && { content: Object.fromEntries(content) as Part }) }
}

/** A header is a parameter without a place. */
function parameterOf(given: Part): Part {
  if ('schema' in given || '$ref' in given) return given
  const entries = Object.entries(given)
  const schema = schemaOf(Object.fromEntries(entries.filter(([key]) => ofSchema.includes(key))))
  const { 'x-example': example, ...rest } = Object.fromEntries(
    entries.filter(([key]) => !ofSchema.includes(key)),
  )
  return { ...rest, schema, ...(example !== undefined && { example }) }
}

function schemaOf({ 'x-nullable': nullable, ...schema }: Part): Part {
  if (typeof schema['discriminator'] === 'string')
    schema['discriminator'] = { propertyName: schema['discriminator'] }
  if (schema['type'] === 'file') Object.assign(schema, { type: 'string', format: 'binary' })
  return nullable === undefined ? schema : { ...schema, nullable }
}
