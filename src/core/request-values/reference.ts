import { keyPath, type Field } from '../select/selector.ts'
import { nearestName } from '../values/spelling.ts'

export const requestSources = [
  'params',
  'query',
  'headers',
  'cookies',
  'body',
  'variables',
  'operationName',
  'operationType',
  'extensions',
] as const

/** Reads `params.id`, `headers.x-tenant` or `body.customer.name`; `undefined` where it names nothing of a request. */
export function readReference(name: string): Field | undefined {
  const dot = name.indexOf('.')
  const source = requestSources.find((one) => one === (dot === -1 ? name : name.slice(0, dot)))
  if (source === undefined || dot === name.length - 1) return undefined
  return { source, path: dot === -1 ? [] : keyPath(source, name.slice(dot + 1)), id: name }
}

export function nearReference(name: string): string | undefined {
  const [source = '', ...path] = name.split('.')
  const near = nearestName(source, requestSources)
  return near && [near, ...path].join('.')
}

/** Reads `Order {params.id}`, where `\{` is a brace; or the reason why it can't be read. */
export function readTextParts(text: string): (string | { name: string })[] | string {
  const parts: (string | { name: string })[] = []
  for (const [part, escaped, name] of text.matchAll(/\\([{}\\])|\{([^{}]*)\}|[{}]|(?:(?!\\[{}\\])[^{}])+/g)) {
    if (part === '{' || part === '}') return `${part} stands alone; write \\${part} for a brace in the text`
    parts.push(escaped ?? (name === undefined ? part : { name: name.trim() }))
  }
  return parts
}
