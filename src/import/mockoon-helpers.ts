import { asJson } from '../core/values/json-value.ts'
import { valueAt, words } from '../core/values/values.ts'
import { selectorPath } from './mock-rules.ts'
import { helperArguments, fixedFor, isTemplate, type ReadHelper } from './template.ts'
import { listIn, toText } from './values.ts'

export type Environment = Record<string, unknown>

/** The data of a bucket, by its id or name. */
export function bucketOf(id: unknown, { data }: Environment): string | undefined {
  const bucket = listIn(data).find(({ uuid, id: short, name }) => [uuid, short, name].includes(id))
  return bucket && toText(bucket['value'])
}

/** Parts of a request, by the targets of rules and the helpers of templates. */
export const mockoonSources: Record<string, string> = {
  body: 'body',
  bodyRaw: 'body',
  query: 'query',
  queryParam: 'query',
  queryParamRaw: 'query',
  header: 'headers',
  cookie: 'cookies',
  params: 'params',
  urlParam: 'params',
}

const random = words(
  'uuid guid objectId date dateFormat dateTimeShift time boolean title firstName lastName company domain tld email street city country countryCode zipcode postcode phone color hexColor lorem sentence paragraph timezone ipv6 lat long',
)

/** Tells what a helper of Handlebars in a body stands for. */
export function helperFor(path: string, environment: Environment, method: string): ReadHelper {
  const params = new Set(path.match(/(?<=:)\w+/g))
  return (name, args, index) => {
    const [first = '', second, , asList] = args
    const source = mockoonSources[name]
    const otherwise = second === undefined || second.startsWith('(') ? {} : { else: second }
    if (source === 'params') return params.has(first) ? { from: `params.${first}` } : { fixed: second ?? '' }
    if (source === 'body') {
      const field = first === '' ? '' : selectorPath(first)
      return field === undefined ? undefined : { from: field === '' ? source : `body.${field}`, ...otherwise }
    }
    if (source !== undefined && first === '') return source === 'query' ? undefined : { fixed: second ?? '' }
    if (source !== undefined)
      return { from: `${source}.${source === 'headers' ? first.toLowerCase() : first}`, ...otherwise }
    switch (name) {
      case 'now':
        if (/^[TtXx]$/.test(first)) return { fixed: /[Tx]/.test(first) ? 1_768_478_400_000 : 1_768_478_400 }
        return { made: '$now', ...(first !== '' && { text: fixedDay(first) }) }
      case 'faker':
        return fixedFor(first, index)
      case 'ip':
        return { fixed: '127.0.0.1' }
      case 'hostname':
        return { fixed: 'localhost' }
      case 'method':
        return method === 'ALL' ? undefined : { fixed: method }
      case 'getEnvVar':
        return second === undefined ? undefined : { fixed: second }
      case 'someOf':
      case 'oneOf': {
        const list = first.startsWith('(array ') ? helperArguments(first.slice(1, -1)).slice(1) : args
        if (first === '' || /^\(|^array$/.test(list[0] ?? '')) return undefined // of other helpers
        const some = list.slice(0, name === 'oneOf' ? 1 : Number(second) || 1)
        return { fixed: asList === 'true' ? some : (asJson(some.join())?.value ?? some.join()) }
      }
      case 'data':
      case 'dataRaw': {
        const value = bucketOf(first, environment)
        const keys = second === undefined ? [] : selectorPath(second)?.split('.')
        if (value === undefined || isTemplate(value) || !keys) return undefined
        const fixed = valueAt(asJson(value)?.value ?? value, keys)
        return fixed === undefined ? undefined : { fixed }
      }
      case 'newline':
        return { fixed: '\n' }
      case 'int':
      case 'float':
        return { fixed: Number(first) || 1 }
    }
    return random.includes(name) ? fixedFor(name, index) : undefined
  }
}

/** A day in the format of date-fns. */
function fixedDay(format: string): string {
  const parts: Record<string, string> = { yyyy: '2026', MM: '01', dd: '15', HH: '12', SSS: '000' }
  return format.replace(/yyyy|MM|dd|HH|mm|ss|SSS/g, (part) => parts[part] ?? '00').replace(/'([^']*)'/g, '$1')
}
