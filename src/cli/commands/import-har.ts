import { isRecord } from '../../core/values/values.ts'
import type { Exchange } from '../../writer/exchange.ts'
import { Omissions } from '../../writer/omissions.ts'
import { writeFixtures } from '../../writer/write-fixtures.ts'
import { apiTypes, type ResourceType } from '../import/har-filter.ts'
import { readHar } from '../import/read-har.ts'
import { saveImport, type ImportOptions } from '../import/save-import.ts'
import { fileToRead, projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface ImportHarOptions extends ImportOptions {
  url?: string
  only?: ResourceType[]
  base?: string
}

/** Writes fixture files from a HAR file, the recording of a browser's requests. */
export async function importHar(
  terminal: Terminal,
  file: string,
  options: ImportHarOptions,
): Promise<ExitCode> {
  const path = fileToRead(projectFolder(terminal, options.root), file)
  if (/\.zip$/i.test(path)) throw new UsageError('Unpack the ZIP file, and name the .har file in it.')
  const { url, only = apiTypes, base } = options
  const skipped = new Omissions()
  const exchanges = await readHar(path, { url, only }, skipped)
  const graphqlPaths = findGraphQLPaths(exchanges, base)
  const { files, omitted } = writeFixtures(exchanges, {
    base,
    ...(graphqlPaths.length > 0 && { graphqlPaths }),
  })
  const isUsual = graphqlPaths.length === 0 || graphqlPaths.join() === '/graphql'
  const notes = isUsual
    ? []
    : [
        `Set the option graphql: { path: ${JSON.stringify(graphqlPaths)} } of the plugin, so that these routes answer GraphQL requests.`,
      ]
  const exitCode = await saveImport(
    terminal,
    { files, omitted: [...skipped.list(), ...omitted], notes },
    options,
    graphqlPaths,
  )
  if (exchanges.length === 0)
    terminal.note('The file has no requests of an application. --only names other types.')
  return exitCode === exitCodes.fine && exchanges.length === 0 ? exitCodes.failed : exitCode
}

/** The paths to which GraphQL requests were sent, below the option `base`. */
function findGraphQLPaths(exchanges: readonly Exchange[], base = ''): string[] {
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
