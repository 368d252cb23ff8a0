import { isRecord } from '../../core/values/values.ts'
import {
  savedAnswer,
  bodyFile,
  pairsIn,
  savedRequest,
  visitItems,
  type SavedRequests,
} from '../saved-requests.ts'
import type { ImportSource } from '../source.ts'
import { listIn, recordIn, toText } from '../values.ts'

type Item = Record<string, unknown>

export function isInsomnia({ value }: ImportSource): boolean {
  const { type, _type, __export_format: format } = recordIn(value)
  return (
    /^(?:collection|spec|mock|environment)\.insomnia\.rest\/5/.test(toText(type)) ||
    (_type === 'export' && Number(format) >= 4)
  )
}

/** Collections have no answers, and mock servers have nothing else. */
export function readInsomnia(sources: readonly ImportSource[]): SavedRequests {
  const variables: SavedRequests['variables'] = new Map()
  const requests: SavedRequests['requests'] = []
  for (const { value } of sources) {
    const { collection, environments, server, resources, routes } = recordIn(value)
    const flat = listIn(resources) // of version 4
    const ofType = (type: string) => flat.filter(({ _type }) => _type === type)
    for (const one of [environments, ...ofType('environment')]) addVariables(recordIn(one), variables)
    visitItems(collection, (item, folder) => {
      if (item['method'] !== undefined) requests.push({ ...insomniaRequest(item, folder), answers: [] })
    })
    const folders = new Map(ofType('request_group').map(({ _id, name }) => [_id, toText(name)]))
    for (const one of ofType('request'))
      requests.push({ ...insomniaRequest(one, folders.get(one['parentId']) ?? ''), answers: [] })
    const { routes: mocked = routes, mockRoutes = mocked } = recordIn(server)
    for (const route of [...listIn(mockRoutes), ...ofType('mock_route')]) {
      const { name, method, statusCode = 200, headers, body, mimeType } = route
      const request = savedRequest({ name, method, url: toText(name).replace(/^\/?/, '/') })
      const title = `${request.method} ${toText(name)}`
      const answer = savedAnswer({ name: title, status: statusCode, headers, body, type: mimeType })
      requests.push({ ...request, answers: [answer] })
    }
  }
  return { variables, requests }
}

/** The base environment, and those in it. A value may be an object: `{{ _.user.name }}`. */
function addVariables({ data, subEnvironments }: Item, variables: Map<string, string>): void {
  const visit = (given: unknown, path: string) => {
    for (const [key, value] of Object.entries(recordIn(given)))
      if (isRecord(value)) visit(value, `${path}${key}.`)
      else variables.set(`${path}${key}`, toText(value))
  }
  visit(data, '')
  for (const inner of listIn(subEnvironments)) addVariables(inner, variables)
}

function insomniaRequest(item: Item, folder: string) {
  const { name, method, url, body, headers, parameters, pathParameters } = item
  const { text, params = text, mimeType, fileName } = recordIn(body)
  const query = [...new URLSearchParams(toText(url).split('?')[1] ?? ''), ...pairsIn(parameters)]
  const place = { name, folder, method, url, query, params: pathParameters }
  return savedRequest({ ...place, headers, body: fileName ? bodyFile : params, type: mimeType })
}
