import { isRecord } from '../values/values.ts'

/** Keys of a route whose values are sent, and hold no selector. */
const contents: readonly string[] = ['response', 'responses', 'paginate']

/** Selectors that are nested more deeply are refused. */
const maxDepth = 500

/** Whether a selector in the value of a fixture file may have a pattern, so that RE2 is needed to compile it. */
export function usesPatterns(content: unknown): boolean {
  return hasPattern(content, 0, false)
}

function hasPattern(value: unknown, depth: number, isSelector: boolean): boolean {
  if (value instanceof RegExp) return true
  if (typeof value !== 'object' || value === null) return false
  if (depth > maxDepth) return true // perhaps a circle
  if (!isRecord(value)) return (value as unknown[]).some((entry) => hasPattern(entry, depth + 1, isSelector))
  return Object.keys(value).some((key) => {
    if (!isSelector && contents.includes(key)) return false
    return key === '$regex' || hasPattern(value[key], depth + 1, isSelector || key === 'when')
  })
}
