import type { ImportContext, Imported } from '../imported.ts'
import { importSaved, type Pairs, type Saved, type Variables } from '../saved-requests.ts'
import type { Source } from '../source.ts'
import { listIn, recordIn, textOf } from '../values.ts'

export function isInsomnia({ value }: Source): boolean {
  const { type, _type, __export_format: format } = recordIn(value)
  return (
    /^(?:collection|spec|mock|environment)\.insomnia\.rest\/5/.test(textOf(type)) ||
    (_type === 'export' && Number(format) >= 4)
  )
}

/** Collections have no answers, and mock servers have nothing else. */
export async function importInsomnia(sources: readonly Source[], context: ImportContext): Promise<Imported> {
  const variables: Variables = new Map()
  const requests: Saved[] = []
  for (const { value } of sources) {
    const { collection, environments, server, resources } = recordIn(value)
    const flat = listIn(resources) // of version 4
    const folders = new Map(
      flat.map(({ _id, name, _type }) => [_id, _type === 'request_group' ? textOf(name) : '']),
    )
    addVariables(environments, variables)
    for (const { _type, data } of flat) if (_type === 'environment') addVariables({ data }, variables)
    const add = (items: unknown, folder: string): void => {
      for (const item of listIn(items))
        if (Array.isArray(item['children'])) add(item['children'], textOf(item['name']))
        else if (item['method'] !== undefined) requests.push({ ...requestOf(item, folder), answers: [] })
    }
    add(collection, '')
    for (const item of flat)
      if (item['_type'] === 'request')
        requests.push({ ...requestOf(item, folders.get(item['parentId']) ?? ''), answers: [] })
    const { routes = recordIn(server)['mockRoutes'] } = recordIn(server)
    const mocked = [
      ...listIn(routes ?? recordIn(value)['routes']),
      ...flat.filter(({ _type }) => _type === 'mock_route'),
    ]
    for (const route of mocked) requests.push(mockOf(route))
  }
  return importSaved(requests, variables, context)
}

/** The base environment, and those in it. */
function addVariables(environment: unknown, variables: Variables): void {
  const { data, subEnvironments } = recordIn(environment)
  const visit = (given: unknown, path: string) => {
    for (const [key, value] of Object.entries(recordIn(given))) {
      if (typeof value === 'object') visit(value, `${path}${key}.`)
      else variables.set(`${path}${key}`, textOf(value))
    }
  }
  visit(data, '')
  for (const inner of listIn(subEnvironments)) addVariables(inner, variables)
}

function requestOf(item: Record<string, unknown>, folder: string) {
  const { name, method = 'GET', url, body, headers, parameters, pathParameters } = item
  const { text, params, mimeType } = recordIn(body)
  return {
    name: textOf(name),
    folder,
    method: textOf(method),
    url: textOf(url),
    query: [...new URLSearchParams(textOf(url).split('?')[1] ?? ''), ...pairsIn(parameters)],
    params: pairsIn(pathParameters),
    headers: pairsIn(headers),
    body: Array.isArray(params) ? pairsIn(params) : textOf(text),
    type: textOf(mimeType) || undefined,
  }
}

function mockOf({
  name,
  method = 'GET',
  statusCode = 200,
  headers,
  body,
  mimeType,
}: Record<string, unknown>): Saved {
  const path = textOf(name)
  return {
    name: path,
    folder: '',
    method: textOf(method),
    url: path.startsWith('/') ? path : `/${path}`,
    answers: [
      {
        name: `${textOf(method)} ${path}`,
        status: Number(statusCode),
        headers: pairsIn(headers),
        body: textOf(body),
        type: textOf(mimeType),
      },
    ],
  }
}

function pairsIn(list: unknown): Pairs {
  return listIn(list).flatMap(({ name, value, disabled }) =>
    disabled === true ? [] : [[textOf(name), textOf(value)] as const],
  )
}
