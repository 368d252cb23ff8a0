import { isRecord } from '../../core/values/values.ts'
import type { Exchange } from '../../writer/exchange.ts'

/** The paths to which GraphQL requests were sent, below the option `base`. */
export function findGraphQLPaths(exchanges: readonly Exchange[], base = ''): string[] {
  const paths = new Set<string>()
  for (const exchange of exchanges) {
    if (!isGraphQL(exchange) || !URL.canParse(exchange.url, 'http://localhost')) continue
    const { pathname } = new URL(exchange.url, 'http://localhost')
    paths.add(pathname.startsWith(base) ? pathname.slice(base.length) || '/' : pathname)
  }
  return [...paths].sort()
}

function isGraphQL({ method, url, requestBody }: Exchange): boolean {
  if (method !== 'POST' || !requestBody || requestBody.length === 0)
    return /graphql(?:$|\?)/.test(url) && /[?&]query=/.test(url)
  if (!/^\s*[[{]/.test(new TextDecoder().decode(requestBody.subarray(0, 20)))) return false
  try {
    const payload = JSON.parse(new TextDecoder().decode(requestBody)) as unknown
    const first: unknown = Array.isArray(payload) ? payload[0] : payload
    return isRecord(first) && (isDocument(first['query']) || isPersisted(first))
  } catch {
    return false
  }
}

function isDocument(query: unknown): boolean {
  return (
    typeof query === 'string' && /^(?:\s|#.*\n)*(?:\{|(?:query|mutation|subscription|fragment)\b)/.test(query)
  )
}

function isPersisted({ extensions }: Record<string, unknown>): boolean {
  return isRecord(extensions) && isRecord(extensions['persistedQuery'])
}
