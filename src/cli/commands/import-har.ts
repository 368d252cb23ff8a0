import { canonicalBase } from '../../core/http/path.ts'
import { loadPatterns } from '../../core/select/pattern.ts'
import { asJson } from '../../core/values/json-value.ts'
import { isRecord } from '../../core/values/values.ts'
import { belowBase } from '../../writer/endpoint-path.ts'
import type { Exchange } from '../../writer/exchange/exchange.ts'
import { Omissions } from '../../writer/omissions.ts'
import { FixtureWriter } from '../../writer/write-fixtures.ts'
import { apiTypes, type ResourceType } from '../../writer/har/har-filter.ts'
import { readHar } from '../import/read-har.ts'
import { saveImport, type ImportOptions } from '../import/save-import.ts'
import { baseOfConfig } from '../code/plugin-options.ts'
import { fileToRead, projectFolder } from '../places.ts'
import { createProgress, UsageError, type ExitCode, type Terminal } from '../terminal.ts'

export interface ImportHarOptions extends ImportOptions {
  url?: string
  only?: ResourceType[]
  base?: string
  origin?: string
}

export async function importHar(
  terminal: Terminal,
  file: string,
  options: ImportHarOptions,
): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const path = fileToRead(root, file)
  if (/\.zip$/i.test(path)) throw new UsageError('Unpack the ZIP file, and name the .har file in it.')
  const { url, only = apiTypes, origin } = options
  const skipped = new Omissions()
  const progress = createProgress(terminal)
  const exchanges = await readHar(path, { url, only, origin }, skipped, progress)
  const base = options.base ?? usedBase(exchanges, baseOfConfig(terminal, root))
  const graphqlPaths = findGraphQLPaths(exchanges, base)
  const settings = graphqlPaths.length > 0 ? { base, graphqlPaths } : { base }
  const writer = new FixtureWriter(settings)
  for (const [index, exchange] of exchanges.entries()) {
    progress(() => `Comparing: ${index} of ${exchanges.length} requests`)
    writer.add(exchange)
  }
  await loadPatterns()
  const { files, omitted } = writer.write()
  const made = { files, omitted: [...skipped.list(), ...omitted], graphqlPaths }
  const exitCode = await saveImport(terminal, made, options)
  if (exchanges.length === 0) terminal.note('The file has no API requests. --only imports other types.')
  return exitCode
}

/** The plugin's `base`, unless the recording is of a server without it. */
function usedBase(exchanges: readonly Exchange[], base: string): string | undefined {
  const isBelow = ({ url, isElsewhere }: Exchange) =>
    !isElsewhere &&
    URL.canParse(url, 'http://localhost') &&
    belowBase(new URL(url, 'http://localhost').pathname, base) !== undefined
  return exchanges.some(isBelow) ? base : undefined
}

function findGraphQLPaths(exchanges: readonly Exchange[], base = ''): string[] {
  const paths = new Set<string>()
  for (const exchange of exchanges) {
    if (!isGraphQL(exchange) || !URL.canParse(exchange.url, 'http://localhost')) continue
    const { origin, pathname } = new URL(exchange.url, 'http://localhost')
    const path = exchange.isElsewhere ? `${origin}${pathname}` : belowBase(pathname, canonicalBase(base))
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
