import { canonicalPath } from '../../../core/http/path.ts'
import { findPathProblem } from '../../../core/http/path-problem.ts'
import { isBodiless } from '../../../core/response/prepare-response.ts'
import { reasonOf } from '../../../core/values/thrown.ts'
import { isRecord } from '../../../core/values/values.ts'
import { slug } from '../../../writer/endpoint-path.ts'
import { compareText, type Omissions } from '../../../writer/omissions.ts'
import { writeYaml } from '../../../writer/write-yaml.ts'
import type { ImportedFile } from '../import-options.ts'
import { listPaths, type Documents, type Part } from '../../openapi/documents.ts'
import { exampleValue } from './example-value.ts'
import { findPaging } from './find-paging.ts'

export interface OpenApiSettings {
  /** The option `base` of the plugin. */
  base: string
  /** Whether the documented errors are written, as routes of a scenario with the name of their status. */
  errors: boolean
}

interface Context extends OpenApiSettings {
  documents: Documents
  omissions: Omissions
  graphqlPath: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/** Fixture files for the operations of a document: one for each tag, with the paths in the order of the document. */
export function writeOpenApi(
  document: Part,
  documents: Documents,
  omissions: Omissions,
  settings: OpenApiSettings,
): ImportedFile[] {
  const context: Context = { ...settings, documents, omissions, graphqlPath: '/graphql' }
  const { webhooks } = document.value as Record<string, unknown>
  if (isRecord(webhooks) && Object.keys(webhooks).length > 0)
    omissions.add('webhooks', 'the API sends them', Object.keys(webhooks).slice(0, 3).join(', '))
  const byFile = new Map<string, object[]>()
  for (const api of listPaths(document, documents)) {
    const { path } = api
    if ('broken' in api) {
      omissions.add('an operation', api.broken, path)
      continue
    }
    const { item, file, servers } = api
    for (const method of methods) {
      const operation = item[method]
      if (!isRecord(operation)) continue
      const target = { method, path: `${servers[0] ?? ''}${path}`, item, operation, file }
      const where = `${method.toUpperCase()} ${path}`
      const routes = attempt(() => routesOf(target, where, context), where, omissions) ?? []
      const name = fileName(operation, path)
      byFile.set(name, [...(byFile.get(name) ?? []), ...routes])
    }
  }
  return [...byFile]
    .filter(([, routes]) => routes.length > 0)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, routes]) => ({ path: `${name}.yaml`, content: writeYaml(routes), routes: routes.length }))
}

/** A broken part of a document does not stop the rest. */
function attempt<T>(make: () => T, where: string, omissions: Omissions): T | undefined {
  try {
    return make()
  } catch (error) {
    omissions.add('an operation', reasonOf(error), where)
    return undefined
  }
}

function fileName({ tags }: Record<string, unknown>, path: string): string {
  const [tag] = Array.isArray(tags) ? (tags as unknown[]) : []
  const first = path.split('/').find((segment) => segment !== '' && !segment.startsWith('{'))
  return (typeof tag === 'string' && slug(tag)) || slug(first ?? '') || 'index'
}

interface Target {
  method: string
  path: string
  item: Record<string, unknown>
  operation: Record<string, unknown>
  file: string
}

function routesOf(target: Target, where: string, context: Context): object[] {
  const { method, operation, file } = target
  const path = fixturePath(target.path, context.base)
  if (path === undefined) throw new Error(`its path is not below ${context.base}`)
  const problem = findPathProblem(canonicalPath(path))
  if (problem) throw new Error(`its path can't be written: ${problem.reason}`)
  const endpoint = {
    ...(method !== (path === context.graphqlPath ? 'post' : 'get') && { method: method.toUpperCase() }),
    path,
  }
  const { responses } = operation
  const all = isRecord(responses)
    ? Object.entries(responses).filter(([status]) => !status.startsWith('x-'))
    : []
  const success =
    all.filter(([status]) => /^2/.test(status)).sort(([a], [b]) => compareText(a, b))[0] ??
    all.find(([status]) => status === 'default') ??
    all.find(([status]) => /^3/.test(status))
  if (!success) throw new Error('it has no successful response')
  const respond = ([status, value]: [string, unknown]) =>
    responseOf(status, context.documents.resolve({ value, file }), where, context)
  const answer = respond(success)
  const paginate = findPaging(target, answer.body, context.documents)
  if (paginate) delete answer.body
  const route = {
    ...endpoint,
    ...(paginate && { paginate }),
    ...(Object.keys(answer).length > 0 && { response: answer }),
  }
  const errors = all.filter(([status]) => /^[45]\d\d$/.test(status))
  if (!context.errors) {
    if (errors.length > 0) context.omissions.add('error responses', 'they need --errors', where)
    return [route]
  }
  return [route, ...errors.map((one) => ({ ...endpoint, scenario: one[0], response: respond(one) }))]
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

function responseOf(key: string, response: Part, where: string, context: Context): Answer {
  const status = /^\d{3}$/.test(key) ? Number(key) : key === 'default' ? 200 : Number(`${key[0]!}00`)
  const given = status === 200 ? {} : { status }
  const content = isRecord(response.value) ? response.value['content'] : undefined
  if (!isRecord(content) || Object.keys(content).length === 0 || isBodiless(status)) return given
  const types = Object.keys(content)
  const type =
    types.find((name) => /[/+]json\b/.test(name)) ?? types.find((name) => name === '*/*') ?? types[0]!
  const value = bodyOf({ value: content[type], file: response.file }, context.documents)
  const isJson = /[/+]json\b|^\*\/\*$/.test(type)
  if (!isJson && typeof value !== 'string') {
    context.omissions.add('a body', `it is ${type}, of which there is no example`, where)
    return { ...given, headers: { 'content-type': type } }
  }
  const isUsual = isJson
    ? /^(?:application\/json|\*\/\*)\b/.test(type) && typeof value !== 'string'
    : type === 'text/plain'
  const contentType = isUsual ? undefined : type === '*/*' ? 'application/json' : type.replace('/*', '/plain')
  return {
    ...given,
    ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
    body: isJson && typeof value === 'string' ? JSON.stringify(value) : value,
  }
}

/** The example of a media type, or a value that is made from its schema. */
function bodyOf(part: Part, documents: Documents): unknown {
  const { value: media, file } = documents.resolve(part)
  if (!isRecord(media)) return {}
  if ('example' in media) return media['example']
  const [first] = isRecord(media['examples']) ? Object.values(media['examples']) : []
  if (first !== undefined) {
    const example = documents.resolve({ value: first, file })
    if (isRecord(example.value) && 'value' in example.value) return example.value['value']
  }
  return 'schema' in media ? exampleValue({ value: media['schema'], file }, documents) : {}
}

/** `/orders/{order-id}` gives `/orders/:orderId`; `undefined` when it is not below the base. */
function fixturePath(path: string, base: string): string | undefined {
  const isBelow = base === '' || path === base || path.startsWith(`${base}/`)
  if (!isBelow) return undefined
  const below = path.slice(base.length) || '/'
  const trimmed = below.length > 1 ? below.replace(/\/+$/, '') : below
  return trimmed
    .split('/')
    .map((segment) =>
      segment
        .split(/(\{[^}]*\})/)
        .map((text) => (/^\{.*\}$/.test(text) ? `:${parameterName(text.slice(1, -1))}` : escapeSyntax(text)))
        .join(''),
    )
    .join('/')
}

function parameterName(name: string): string {
  const camel = name.replace(/[^A-Za-z\d_]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
  return /^[A-Za-z_]/.test(camel) ? camel : `p${camel}`
}

function escapeSyntax(text: string): string {
  return text.replace(/[:*()+?]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
