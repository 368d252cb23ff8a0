import { canonicalBase } from '../core/http/path.ts'
import { loadGraphQL } from '../core/graphql/later.ts'
import { loadPatterns } from '../core/select/pattern.ts'
import { asJson } from '../core/values/json-value.ts'
import { isRecord } from '../core/values/values.ts'
import { belowBase } from '../writer/endpoint-path.ts'
import type { Exchange } from '../writer/exchange/exchange.ts'
import type { Omissions } from '../writer/omissions.ts'
import { FixtureWriter, writeFixtures } from '../writer/write-fixtures.ts'
import type { ImportContext, Imported } from './imported.ts'

/**
 * @param skipped losses of reading the exchanges
 * @param unanswered requests without an answer, with an empty one
 */
export async function writeExchanges(
  exchanges: readonly Exchange[],
  skipped: Omissions,
  context: ImportContext,
  unanswered: readonly Exchange[] = [],
  lost = 0,
): Promise<Imported> {
  const isBelow = ({ url, isElsewhere }: Exchange) =>
    !isElsewhere && belowBase(pathOf(url) ?? '', context.base) !== undefined
  // A recording may be of a server without the plugin's own base.
  const all = [...exchanges, ...unanswered]
  const base = context.isBaseGiven || all.some(isBelow) ? context.base : undefined
  const graphqlPaths = context.graphqlPaths ?? findGraphQLPaths(exchanges, base)
  const settings = graphqlPaths.length > 0 ? { base, graphqlPaths } : { base }
  const writer = new FixtureWriter(settings)
  for (const [index, exchange] of exchanges.entries()) {
    context.progress(() => `Comparing: ${index} of ${exchanges.length} requests`)
    writer.add(exchange)
  }
  await Promise.all([loadPatterns(), loadGraphQL()])
  const { files, omitted, answered } = writer.write()
  const drafts = writeFixtures(unanswered, settings).files.flatMap(({ content, routes }) =>
    routes > 0 ? [String(content)] : [],
  )
  return {
    files,
    omitted: [...skipped.list(), ...omitted],
    found: exchanges.length + lost,
    written: answered,
    graphqlPaths,
    ...(drafts.length > 0 && { drafts: drafts.join('\n') }),
  }
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : undefined
}

function findGraphQLPaths(exchanges: readonly Exchange[], base = ''): string[] {
  const paths = new Set<string>()
  for (const exchange of exchanges) {
    const pathname = pathOf(exchange.url)
    if (pathname === undefined || !isGraphQL(exchange)) continue
    const path = exchange.isElsewhere
      ? `${new URL(exchange.url).origin}${pathname}`
      : belowBase(pathname, canonicalBase(base))
    if (path !== undefined) paths.add(path)
  }
  return [...paths].sort()
}

function isGraphQL({ method, url, requestBody }: Exchange): boolean {
  if (method !== 'POST' || !requestBody || requestBody.length === 0)
    return /graphql(?:$|\?)/.test(url) && /[?&]query=/.test(url)
  const [first] = [asJson(new TextDecoder().decode(requestBody))?.value].flat()
  if (!isRecord(first)) return false
  const { query, extensions } = first
  return (
    (typeof query === 'string' &&
      /^(?:\s|#.*\n)*(?:\{|(?:query|mutation|subscription|fragment)\b)/.test(query)) ||
    (isRecord(extensions) && isRecord(extensions['persistedQuery']))
  )
}
