import { compareTexts, isRecord, ownValue } from '../../core/values/values.ts'
import type { ApiOperation } from '../../openapi/documents.ts'
import { exampleValue } from '../../openapi/example-value.ts'
import { belowBase, slug, whyUnwritable } from '../../writer/endpoint-path.ts'
import type { Made } from './collections.ts'
import { responseOf, type OpenApiContext } from './response.ts'

export function fileName({ operation: { tags }, paths: [path = ''] }: ApiOperation): string {
  const [tag] = Array.isArray(tags) ? (tags as unknown[]) : []
  const first = path.split('/').find((segment) => segment !== '' && !segment.startsWith(':'))
  return (typeof tag === 'string' && slug(tag)) || slug(first ?? '') || 'index'
}

export function routesOf(own: ApiOperation, context: OpenApiContext): Pick<Made, 'endpoint' | 'written'>[] {
  const { endpoint: where, operation, file } = own
  const { omissions, documents } = context
  const [server = ''] = own.origins
  const elsewhere = server === context.origin ? '' : server
  const whole = own.paths[0]!
  const below = elsewhere === '' ? belowBase(whole, context.base) : whole
  const path = below ?? (context.isBaseGiven ? undefined : whole)
  const why = path === undefined ? `its path is not below ${context.base}` : whyUnwritable(path)
  if (path === undefined || why !== undefined) throw new Error(why)
  const selected = Object.entries(own.when).filter(([, fields]) => Object.keys(fields).length > 0)
  const endpoint = {
    ...(own.method !== (`${elsewhere}${path}` === '/graphql' ? 'POST' : 'GET') && { method: own.method }),
    path: `${elsewhere}${path}`,
    ...(selected.length > 0 && { when: Object.fromEntries(selected) }),
  }
  const responses = isRecord(operation['responses']) ? operation['responses'] : {}
  const all = Object.entries(responses)
  const good = all.filter(([status]) => status.startsWith('2')).sort(([a], [b]) => compareTexts(a, b))
  // An operation may have nothing but errors.
  const success = [...good, ...['default', '3', '4', '5'].flatMap((start) => all.filter(([status]) => status.startsWith(start)))][0] // prettier-ignore
  if (!success) throw new Error('it has no response')
  const statuses = statusesOf(Object.keys(responses), success[0])
  const isError = ([status]: (typeof all)[number]) => statuses.get(status)! >= 400
  const isKept = (one: (typeof all)[number]) => one === success || (context.errors && isError(one))
  for (const one of all.filter((one) => !isKept(one) && !one[0].startsWith('x-'))) {
    const [status] = one
    if (isError(one)) omissions.add('error responses', 'they need --errors', where)
    else {
      const ranges = [...statuses].flatMap(([key, given]) => (/XX$/i.test(key) ? `${key} is ${given}` : []))
      const why = /^\d+$/.test(status)
        ? 'a route has one answer'
        : status === 'default'
          ? `${ranges.join(' and ')}, which leaves it no error`
          : 'it is for several statuses'
      omissions.add(`the response "${status}"`, why, where)
    }
  }
  if (isRecord(operation['callbacks'])) omissions.add('callbacks', 'the API sends them', where)
  return all
    .filter(isKept)
    .sort((a, b) => Number(b === success) - Number(a === success))
    .map((one) => {
      const status = statuses.get(one[0])!
      const made = responseOf(status, documents.resolve({ value: one[1], file }), own, path, context)
      const scenario = one !== success && { scenario: String(status) }
      const example = one === success && exampleOf(own, context)
      return { ...made, endpoint: { ...endpoint, ...example, ...made.endpoint, ...scenario } }
    })
}

/** Values of the query that the API needs, so that `check --against` can ask it. */
function exampleOf({ method, parameters, when }: ApiOperation, { documents }: OpenApiContext) {
  if (method !== 'GET') return {}
  const query = parameters.flatMap(({ value, file }): [string, string | number | boolean][] => {
    const { name, in: place, required, schema } = value
    if (place !== 'query' || required !== true || typeof name !== 'string' || Object.hasOwn(when.query, name))
      return []
    const known = value['example'] ?? ownValue(schema, 'example') ?? ownValue(schema, 'default')
    const example = known ?? exampleValue({ value: schema, file }, documents)
    return typeof example === 'string' || typeof example === 'number' || typeof example === 'boolean'
      ? [[name, example]]
      : []
  })
  return query.length > 0 ? { example: { query: Object.fromEntries(query) } } : {}
}

/**
 * The status that a route sends for each key of `responses`. `4XX` and `default` stand for the first status without
 * its own; a `default` beside `4XX` and `5XX` stands for none.
 *
 * @param success the key of the good answer
 */
function statusesOf(keys: readonly string[], success: string): ReadonlyMap<string, number> {
  const statuses = new Map<string, number>()
  const taken = new Set(keys.map(Number))
  const take = (key: string, hundreds: number) => {
    let status = hundreds * 100
    while (taken.has(status)) status++
    taken.add(status)
    statuses.set(key, status)
  }
  const ranges = keys.filter((key) => /^\dXX$/i.test(key))
  for (const key of keys) if (/^\d{3}$/.test(key)) statuses.set(key, Number(key))
  for (const key of ranges) take(key, Number(key[0]))
  const others =
    success === 'default'
      ? 2
      : [5, 4].find((hundreds) => !ranges.some((key) => key.startsWith(`${hundreds}`)))
  if (keys.includes('default') && others !== undefined) take('default', others)
  return statuses
}
