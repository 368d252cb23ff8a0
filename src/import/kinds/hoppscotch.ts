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

const isCollection = ({ folders, requests, name }: Item) =>
  Array.isArray(folders) && Array.isArray(requests) && typeof name === 'string'

const isEnvironment = ({ v, name, variables, requests }: Item) =>
  v !== undefined && name !== undefined && Array.isArray(variables) && !requests

export function isHoppscotch({ value }: ImportSource): boolean {
  return listIn([value].flat()).some((one) => isCollection(one) || isEnvironment(one))
}

export function readHoppscotch(sources: readonly ImportSource[]): SavedRequests {
  const variables: SavedRequests['variables'] = new Map()
  const requests: SavedRequests['requests'] = []
  const addVariables = (given: Item) => {
    for (const [key, value] of pairsIn(given['variables'])) variables.set(key, value)
    listIn(given['folders']).forEach(addVariables)
  }
  for (const one of sources.flatMap(({ value }) => listIn([value].flat()))) {
    addVariables(one)
    const add = (item: Item, folder: string) => {
      const answers = Object.values(recordIn(item['responses'])).map((response) => {
        const { name, code, headers, body, originalRequest } = recordIn(response)
        const asked = { ...item, ...recordIn(originalRequest) }
        return savedAnswer({ name, status: code, headers, body }, hoppscotchRequest(asked, folder))
      })
      const scripts = [item['preRequestScript'], item['testScript']]
      requests.push({ ...hoppscotchRequest(item, folder), answers, scripts })
    }
    if (isCollection(one)) visitItems([one['folders'], one['requests']].flat(), add)
  }
  return { variables, requests }
}

function hoppscotchRequest(item: Item, folder: string) {
  const { name, method, endpoint, url, path, params, headers, requestVariables } = item
  const { body, contentType } = recordIn(item['body'])
  const [start = '', search = ''] = toText(endpoint ?? `${toText(url)}${toText(path)}`).split('?', 2)
  const query = [...new URLSearchParams(search), ...pairsIn(params)]
  const place = { name, folder, method, url: start, query, params: requestVariables }
  const sent = contentType === 'application/octet-stream' ? bodyFile : body
  return savedRequest({ ...place, headers, body: sent, type: contentType })
}
