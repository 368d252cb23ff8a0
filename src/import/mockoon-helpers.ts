import { asJson } from '../core/values/json-value.ts'
import { selectorPath } from './mock-rules.ts'
import { fixedFor, type ReadHelper } from './template.ts'
import { listIn, textOf } from './values.ts'

export type Environment = Record<string, unknown>

/** The data of a bucket, by its id or name. */
export function bucketOf(id: unknown, { data }: Environment): string | undefined {
  const bucket = listIn(data).find(({ uuid, id: short, name }) => [uuid, short, name].includes(id))
  return bucket && textOf(bucket['value'])
}

/** Tells what a helper of Handlebars in a body stands for. */
export function helperFor(path: string, environment: Environment): ReadHelper {
  const params = new Set(path.match(/(?<=:)\w+/g))
  return (name, [first = '', second], index) => {
    const otherwise = second === undefined || second.startsWith('(') ? {} : { else: second }
    const field = selectorPath(first)
    switch (name) {
      case 'urlParam':
        return params.has(first) ? { from: `params.${first}` } : undefined
      case 'queryParam':
      case 'queryParamRaw':
        return first === '' ? undefined : { from: `query.${first}`, ...otherwise }
      case 'body':
      case 'bodyRaw':
        return first === ''
          ? { from: 'body' }
          : field === undefined
            ? undefined
            : { from: `body.${field}`, ...otherwise }
      case 'header':
        return { from: `headers.${first.toLowerCase()}`, ...otherwise }
      case 'cookie':
        return { from: `cookies.${first}`, ...otherwise }
      case 'now':
        return first === '' ? { made: '$now' } : fixedFor('date')
      case 'faker':
        return fixedFor(first, index)
      case 'ip':
        return { fixed: '127.0.0.1' }
      case 'hostname':
        return { from: 'headers.host' }
      case 'someOf':
      case 'oneOf': {
        const [, , only = ''] = /^\(array\s+(['"]?)(.*?)\1(?:\s|\))/.exec(first) ?? []
        return { fixed: asJson(only)?.value ?? only }
      }
      case 'data': {
        const value = bucketOf(first, environment)
        return value === undefined || value.includes('{{') || second !== undefined
          ? undefined
          : { fixed: asJson(value)?.value ?? value }
      }
      case 'newline':
        return { fixed: '\n' }
      case 'int':
      case 'float':
        return { fixed: Number(first) || 1 }
    }
    return /^(?:uuid|guid|objectId|date|dateFormat|dateTimeShift|time|boolean|title|firstName|lastName|company|domain|tld|email|street|city|country|countryCode|zipcode|postcode|phone|color|hexColor|lorem|sentence|paragraph|timezone)$/.test(
      name,
    )
      ? fixedFor(name, index)
      : undefined
  }
}
