import { plural } from '../../../core/values/describe-value.ts'
import { isRecord } from '../../../core/values/values.ts'
import type { Json } from '../../api/api.ts'

export function entriesOf(value: Json): [string, Json][] | undefined {
  if (value === null || typeof value !== 'object') return undefined
  return Array.isArray(value) ? value.map((item, index) => [String(index), item]) : Object.entries(value)
}

/** How deep a tree is open at first: as deep as it stays below a number of lines, at least one level. */
export function openDepth(value: Json, lines: number): number {
  let level = [value]
  let total = 1
  for (let depth = 0; ; depth++) {
    const next = level.flatMap((item) => entriesOf(item)?.map(([, child]) => child) ?? [])
    total += next.length
    if (next.length === 0 || (depth > 0 && total > lines)) return depth
    level = next
  }
}

/** `3 keys`, `1 item`. */
export function sizeText(value: Json): string {
  const size = entriesOf(value)?.length ?? 0
  return plural(size, Array.isArray(value) ? 'item' : 'key')
}

interface GraphqlPayload {
  query: string
  variables?: Json
  others: { [key: string]: Json }
}

export function graphqlPayload(body: Json): GraphqlPayload | undefined {
  if (!isRecord(body) || typeof body['query'] !== 'string') return undefined
  const { query, variables, ...others } = body
  return { query, ...(variables !== undefined && variables !== null && { variables }), others }
}

export function shownErrors(body: Json): { message: string; path?: string; locations: string[] }[] {
  if (!isRecord(body) || !Array.isArray(body['errors'])) return []
  return (body['errors'] as unknown[]).filter(isRecord).map(({ message, path, locations }) => ({
    message: typeof message === 'string' ? message : '(no message)',
    ...(Array.isArray(path) && { path: path.join('.') }),
    locations: Array.isArray(locations)
      ? locations.filter(isRecord).map(({ line, column }) => `${String(line)}:${String(column)}`)
      : [],
  }))
}
