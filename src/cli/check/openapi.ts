import { readFile } from 'node:fs/promises'
import { isRecord, ownValue } from '../../core/values/values.ts'
import { reasonOf } from '../../core/values/thrown.ts'

/** An OpenAPI document, of which only what is needed here is known. */
export interface OpenApi {
  /** The name in messages. */
  file: string
  document: Record<string, unknown>
}

/** One operation of the document. */
export interface ApiOperation {
  path: string
  /** By status: `200`, `4XX`, `default`. */
  responses: Record<string, unknown>
}

/** Reads a document in YAML or JSON. */
export async function readOpenApi(path: string, file: string): Promise<OpenApi | { reason: string }> {
  try {
    const { parse } = await import('yaml')
    const document: unknown = parse(await readFile(path, 'utf8')) // JSON is YAML, too
    const version = ownValue(document, 'openapi')
    if (!isRecord(document) || typeof version !== 'string' || !/^3\.[01]\b/.test(version))
      return { reason: `"openapi" must be 3.0 or 3.1, and is ${JSON.stringify(version) ?? 'missing'}.` }
    return { file, document }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
}

/** The value that a local reference leads to; the value itself if it is none. */
function resolveReference({ document }: OpenApi, value: unknown): unknown {
  const reference = ownValue(value, '$ref')
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return value
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>(ownValue, document)
}

/**
 * Finds the operation for the method and path of a route. The paths of the document count with and without the path of its
 * servers, such as `/v1`. The most specific one is the first with the most literal segments.
 */
export function findOperation(api: OpenApi, method: string, path: string): ApiOperation | undefined {
  const paths = isRecord(api.document['paths']) ? api.document['paths'] : {}
  const bases = ['', ...serverPaths(api)]
  let best: (ApiOperation & { literals: number }) | undefined
  for (const [template, item] of Object.entries(paths)) {
    const operation = ownValue(resolveReference(api, item), method.toLowerCase())
    const responses = ownValue(operation, 'responses')
    if (!isRecord(responses)) continue
    const literals = Math.max(...bases.map((base) => countLiterals(`${base}${template}`, path)))
    if (literals >= 0 && literals > (best?.literals ?? -1)) best = { path: template, responses, literals }
  }
  return best
}

function serverPaths({ document }: OpenApi): string[] {
  const servers = Array.isArray(document['servers']) ? document['servers'] : []
  return servers.flatMap((server) => {
    const url = ownValue(server, 'url')
    const path = typeof url === 'string' ? /^(?:[a-z]+:\/\/[^/]+)?(\/.*?)\/?$/i.exec(url)?.[1] : undefined
    return path !== undefined && path !== '/' ? [path] : []
  })
}

/** How many segments are literally the same; -1 if the paths do not fit. A parameter of the document fits every segment. */
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

/** The schema of the JSON that an operation sends with a status; `undefined` if it sends none. */
export function responseSchema(
  api: OpenApi,
  { responses }: ApiOperation,
  status: number,
): { schema: unknown } | 'no status' | undefined {
  const key = [
    String(status),
    `${Math.floor(status / 100)}XX`,
    `${Math.floor(status / 100)}xx`,
    'default',
  ].find((one) => Object.hasOwn(responses, one))
  if (key === undefined) return 'no status'
  const content = ownValue(resolveReference(api, responses[key]), 'content')
  const type = isRecord(content) ? Object.keys(content).find((name) => /\bjson\b/i.test(name)) : undefined
  const schema = type === undefined ? undefined : ownValue(ownValue(content, type), 'schema')
  return schema === undefined ? undefined : { schema }
}
