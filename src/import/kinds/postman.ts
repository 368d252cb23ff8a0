import { percentDecoded } from '../../core/http/path.ts'
import { isRecord } from '../../core/values/values.ts'
import {
  savedAnswer,
  bodyFile,
  graphqlBody,
  pairsIn,
  savedRequest,
  visitItems,
  type SavedRequests,
} from '../saved-requests.ts'
import type { ImportSource } from '../source.ts'
import { listIn, recordIn, toText } from '../values.ts'

const schema = /^https:\/\/schema\.(?:get)?postman\.com\/json\/collection\/v2\.[01]\./

/** A collection 2.0 or 2.1, or a file of an environment or of globals. */
export function isPostman({ value }: ImportSource): boolean {
  const { info, item, values, _postman_variable_scope: scope } = recordIn(value)
  return Array.isArray(item)
    ? schema.test(toText(recordIn(info)['schema']))
    : typeof scope === 'string' && Array.isArray(values)
}

export function readPostman(sources: readonly ImportSource[]): SavedRequests {
  const values = sources.map(({ value }) => recordIn(value))
  const variables = new Map(values.flatMap((one) => pairsIn(one['variable'] ?? one['values'])))
  const requests: SavedRequests['requests'] = []
  for (const { item: items, event } of values)
    visitItems(items, (item, folder, around) => {
      const { name, request, response } = item
      if (request === undefined) return
      const own = postmanRequest(name, folder, request)
      const answers = listIn(response).map(({ name: title, code, header, body, originalRequest }) =>
        savedAnswer(
          { name: title || name, status: code, headers: header, body },
          originalRequest ? postmanRequest(name, folder, originalRequest) : own,
        ),
      )
      const events = listIn([event, ...around.map((one) => one['event']), item['event']].flat())
      const scripts = events.map(({ script }) => recordIn(script)['exec'])
      requests.push({ ...own, answers, scripts })
    })
  return { variables, requests }
}

function postmanRequest(name: unknown, folder: string, given: unknown) {
  const { method, url, header, body } = isRecord(given) ? given : { url: given }
  const { raw, protocol, host, port, path, query, variable } = recordIn(url)
  const parts = (value: unknown, by: string) =>
    [value].flat().map((one) => toText(recordIn(one)['value'] ?? one)).join(by) // prettier-ignore
  const scheme = protocol === undefined ? '' : `${toText(protocol)}://`
  const built = `${scheme}${parts(host, '.')}${port === undefined ? '' : `:${toText(port)}`}/${parts(path, '/')}`
  const whole = path === undefined ? raw : built
  // Written as it is sent.
  const decoded = Array.isArray(query)
    ? query.map((pair: unknown) => ({
        ...recordIn(pair),
        value: percentDecoded(toText(recordIn(pair)['value'])),
      }))
    : query
  const place = { name, folder, method, query: decoded, params: variable, headers: header }
  return savedRequest({ ...place, url: isRecord(url) ? whole : url, ...bodyOf(recordIn(body)) })
}

function bodyOf({ mode, raw, urlencoded, formdata, graphql, file, options }: Record<string, unknown>) {
  if (mode === 'urlencoded' || mode === 'formdata')
    return { body: mode === 'formdata' ? formdata : urlencoded }
  if (mode === 'file') return { body: recordIn(file)['content'] ?? bodyFile }
  if (mode === 'graphql') return graphqlBody(recordIn(graphql))
  const isJson = recordIn(recordIn(options)['raw'])['language'] === 'json'
  return { body: raw, type: isJson && 'application/json' }
}
