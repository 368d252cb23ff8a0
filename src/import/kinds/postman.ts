import { isRecord } from '../../core/values/values.ts'
import type { ImportContext, Imported } from '../imported.ts'
import { importSaved, type Pairs, type Saved, type SavedRequest, type Variables } from '../saved-requests.ts'
import type { Source } from '../source.ts'
import { listIn, recordIn, textOf } from '../values.ts'

const schema = /^https:\/\/schema\.(?:get)?postman\.com\/json\/collection\/v2\.[01]\./

export function isPostman({ value }: Source): boolean {
  const { info, item, _postman_variable_scope: scope } = recordIn(value)
  return (Array.isArray(item) && schema.test(textOf(recordIn(info)['schema']))) || isVariables(value, scope)
}

/** A file of an environment, or of globals. */
function isVariables(value: unknown, scope: unknown): value is Record<string, unknown> {
  return typeof scope === 'string' && isRecord(value) && Array.isArray(value['values'])
}

/** Collections 2.0 and 2.1, and files of variables. */
export async function importPostman(sources: readonly Source[], context: ImportContext): Promise<Imported> {
  const variables: Variables = new Map()
  const requests: Saved[] = []
  const values = sources.map(({ value }) => recordIn(value))
  for (const one of values)
    for (const [name, value] of pairsIn(one['variable'] ?? one['values'])) variables.set(name, value)
  const add = (items: unknown, folder: string): void => {
    for (const item of listIn(items)) {
      const { name, item: inner, request, response } = item
      if (inner !== undefined) add(inner, textOf(name))
      else if (request !== undefined) requests.push(savedOf(textOf(name), folder, request, response))
    }
  }
  for (const { item } of values) add(item, '')
  return importSaved(requests, variables, context)
}

function savedOf(name: string, folder: string, request: unknown, responses: unknown): Saved {
  return {
    ...requestOf(name, folder, request),
    answers: listIn(responses).map((one) => ({
      name: textOf(one['name']) || name,
      status: Number(one['code'] ?? 0),
      headers: pairsIn(one['header']),
      body: textOf(one['body']),
      request: one['originalRequest'] ? requestOf(name, folder, one['originalRequest']) : undefined,
    })),
  }
}

function requestOf(name: string, folder: string, given: unknown): SavedRequest {
  const { method = 'GET', url, header, body } = recordIn(typeof given === 'string' ? { url: given } : given)
  const { raw, protocol, host, port, path, query, variable } = recordIn(url)
  const parts = (value: unknown, by: string) =>
    [value].flat().map((one) => textOf(recordIn(one)['value'] ?? one)).join(by) // prettier-ignore
  const scheme = protocol === undefined ? '' : `${textOf(protocol)}://`
  const built = `${scheme}${parts(host ?? '', '.')}${port === undefined ? '' : `:${textOf(port)}`}/${parts(path ?? '', '/')}`
  return {
    name,
    folder,
    method: textOf(method),
    url: typeof url === 'string' ? url : path === undefined ? textOf(raw) : built,
    query: Array.isArray(query) ? pairsIn(query) : undefined,
    params: pairsIn(variable),
    headers: pairsIn(header),
    ...bodyOf(recordIn(body)),
  }
}

function bodyOf({ mode, raw, urlencoded, formdata, graphql, options }: Record<string, unknown>) {
  if (mode === 'urlencoded' || mode === 'formdata')
    return { body: pairsIn(mode === 'formdata' ? formdata : urlencoded) }
  const isJson = recordIn(recordIn(options)['raw'])['language'] === 'json'
  if (mode !== 'graphql') return { body: textOf(raw), ...(isJson && { type: 'application/json' }) }
  return graphqlBody(recordIn(graphql))
}

/** The variables are a text of JSON, which may be empty. */
export function graphqlBody({ query, operationName, variables }: Record<string, unknown>) {
  const text = typeof variables === 'string' ? variables.trim() : JSON.stringify(variables ?? {})
  const name = operationName ? `"operationName":${JSON.stringify(operationName)},` : ''
  return {
    body: `{"query":${JSON.stringify(query ?? '')},${name}"variables":${text || '{}'}}`,
    type: 'application/json',
  }
}

/** Headers, fields and variables, without those that are turned off. A list of headers may be one text. */
function pairsIn(list: unknown): Pairs {
  if (typeof list === 'string')
    return list.split('\n').flatMap((line) => {
      const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value!] as const]
    })
  return listIn(list).flatMap(({ key, id, value, disabled, enabled, type }) => {
    const isOff = disabled === true || enabled === false || type === 'secret' || type === 'file'
    return isOff ? [] : [[textOf(key ?? id), textOf(value)] as const]
  })
}
