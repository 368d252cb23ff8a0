import { canonicalBase } from '../../core/http/path.ts'
import { isBodiless } from '../../core/response/prepare-response.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { belowBase, literalSegment, slug, whyUnwritable } from '../../writer/endpoint-path.ts'
import { compareText, type Omissions } from '../../writer/omissions.ts'
import type { Answer } from '../../writer/write-answer.ts'
import { ImportedRoutes, saveImport, type Endpoint, type ImportOptions } from '../import/save-import.ts'
import { listPaths, openDocument, type Documents, type Part } from '../openapi/documents.ts'
import { exampleValue } from '../openapi/example-value.ts'
import { fileToRead, projectFolder } from '../places.ts'
import type { ExitCode, Terminal } from '../terminal.ts'

export interface ImportOpenApiOptions extends ImportOptions {
  base?: string
  errors?: boolean
}

interface Context {
  base: string
  /** The documented errors become routes of scenarios named after their status. */
  errors: boolean
  documents: Documents
  omissions: Omissions
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/** A file for each tag, with the paths in the order of the document. */
export async function importOpenApi(
  terminal: Terminal,
  name: string,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  const { document, documents } = openDocument(fileToRead(projectFolder(terminal, options.root), name), name)
  const { base = '', errors = false } = options
  const imported = new ImportedRoutes()
  const { omissions } = imported
  const context: Context = { base: canonicalBase(base), errors, documents, omissions }
  const { webhooks } = document.value
  if (isRecord(webhooks) && Object.keys(webhooks).length > 0)
    omissions.add('webhooks', 'the API sends them', Object.keys(webhooks).slice(0, 3).join(', '))
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
      const where = `${method.toUpperCase()} ${path}`
      try {
        const own: Operation = { method, path: `${servers[0] ?? ''}${path}`, item, operation, file }
        for (const { response, ...endpoint } of routesOf(own, where, context))
          if (!imported.add(endpoint, { answer: response }, fileName(operation, path)))
            throw new Error('another operation answers the same requests')
      } catch (error) {
        omissions.add('an operation', reasonOf(error), where) // the rest of the document is written
      }
    }
  }
  return saveImport(terminal, imported, options)
}

function fileName({ tags }: Record<string, unknown>, path: string): string {
  const [tag] = Array.isArray(tags) ? (tags as unknown[]) : []
  const first = path.split('/').find((segment) => segment !== '' && !segment.startsWith('{'))
  return (typeof tag === 'string' && slug(tag)) || slug(first ?? '') || 'index'
}

interface Operation {
  method: string
  path: string
  item: Record<string, unknown>
  operation: Record<string, unknown>
  file: string
}

function routesOf(own: Operation, where: string, context: Context): (Endpoint & { response: Answer })[] {
  const { method, operation, file } = own
  const path = fixturePath(own.path, context.base)
  const why = path === undefined ? `its path is not below ${context.base}` : whyUnwritable(path)
  if (path === undefined || why !== undefined) throw new Error(why)
  const endpoint = {
    ...(method !== (path === '/graphql' ? 'post' : 'get') && { method: method.toUpperCase() }),
    path,
  }
  const all = Object.entries(isRecord(operation['responses']) ? operation['responses'] : {})
  const success =
    all.filter(([status]) => status.startsWith('2')).sort(([a], [b]) => compareText(a, b))[0] ??
    all.find(([status]) => status === 'default') ??
    all.find(([status]) => status.startsWith('3'))
  if (!success) throw new Error('it has no successful response')
  const respond = ([status, value]: [string, unknown]) =>
    responseOf(status, context.documents.resolve({ value, file }), where, context)
  const answer = respond(success)
  const paginate = findPaging(own, answer.body, context.documents)
  if (paginate) delete answer.body
  const route = { ...endpoint, ...(paginate && { paginate }), response: answer }
  const errors = all.filter(([status]) => /^[45]\d\d$/.test(status))
  if (context.errors)
    return [route, ...errors.map((one) => ({ ...endpoint, scenario: one[0], response: respond(one) }))]
  if (errors.length > 0) context.omissions.add('error responses', 'they need --errors', where)
  return [route]
}

function responseOf(
  key: string,
  { value: response, file }: Part,
  where: string,
  { documents, omissions }: Context,
): Answer {
  const status = /^\d{3}$/.test(key) ? Number(key) : key === 'default' ? 200 : Number(`${key[0]!}00`)
  const given = status === 200 ? {} : { status }
  const content = isRecord(response) && isRecord(response['content']) ? response['content'] : {}
  const types = Object.keys(content)
  const type =
    types.find((name) => /[/+]json\b/.test(name)) ?? types.find((name) => name === '*/*') ?? types[0]
  if (type === undefined || isBodiless(status)) return given
  const value = bodyOf({ value: content[type], file }, documents)
  const isJson = /[/+]json\b|^\*\/\*$/.test(type)
  if (!isJson && typeof value !== 'string') {
    omissions.add('a body', `it is ${type}, of which there is no example`, where)
    return { ...given, headers: { 'content-type': type } }
  }
  const isUsual = isJson
    ? /^(?:application\/json|\*\/\*)\b/.test(type) && typeof value !== 'string'
    : type === 'text/plain'
  const contentType = type === '*/*' ? 'application/json' : type.replace('/*', '/plain')
  return {
    ...given,
    ...(!isUsual && { headers: { 'content-type': contentType } }),
    body: isJson && typeof value === 'string' ? JSON.stringify(value) : value,
  }
}

function bodyOf(part: Part, documents: Documents): unknown {
  const { value: media, file } = documents.resolve(part)
  if (!isRecord(media)) return {}
  if ('example' in media) return media['example']
  const [first] = isRecord(media['examples']) ? Object.values(media['examples']) : []
  const { value: example } = documents.resolve({ value: first, file })
  if (isRecord(example) && 'value' in example) return example['value']
  return 'schema' in media ? exampleValue({ value: media['schema'], file }, documents) : {}
}

/** `/orders/{order-id}` gives `/orders/:orderId`; `undefined` outside the base. */
function fixturePath(path: string, base: string): string | undefined {
  return belowBase(path, base)
    ?.replace(/(?!^)\/+$/, '')
    .split(/(\{[^}/]*\}|\/)/)
    .map((text) =>
      text === '/'
        ? text
        : text.startsWith('{') && text.endsWith('}')
          ? parameter(text)
          : literalSegment(text),
    )
    .join('')
}

function parameter(braced: string): string {
  const name = braced.slice(1, -1).replace(/[^A-Za-z\d_]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
  return /^[A-Za-z_]/.test(name) ? `:${name}` : `:p${name}`
}

/** A list is made from one or two examples. */
const itemsPerPage = 2

/** Lists in an envelope stay: a document does not say what the keys around them mean. */
function findPaging(
  { item, operation, method, file }: Operation,
  body: unknown,
  documents: Documents,
): object | undefined {
  if (method !== 'get' || !Array.isArray(body) || body.length === 0) return undefined
  const names = [item['parameters'], operation['parameters']]
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .map((value) => documents.resolve({ value, file }).value)
    .flatMap((parameter) =>
      isRecord(parameter) && parameter['in'] === 'query' && typeof parameter['name'] === 'string'
        ? [parameter['name']]
        : [],
    )
  const page = names.find((name) => /^_?page(?:_?(?:no|num|number))?$/i.test(name))
  const size = names.find((name) => /^_?(?:per_?page|page_?size|limit)$/i.test(name))
  if (page === undefined) return undefined
  const parameters = {
    ...(page !== 'page' && { page }),
    ...(size !== undefined && size !== 'per_page' && { per_page: size }),
  }
  return {
    style: 'link',
    perPage: itemsPerPage,
    ...(size !== undefined && { maxPerPage: 100 }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    items: body,
  }
}
