import { Omissions } from '../../writer/omissions.ts'
import { writeFixtures } from '../../writer/write-fixtures.ts'
import { exitCodes, UsageError, type ExitCode } from '../exit-code.ts'
import { findGraphQLPaths } from '../import/find-graphql.ts'
import { apiTypes, type ResourceType } from '../import/har-filter.ts'
import type { ImportOptions } from '../import/import-options.ts'
import { readHar } from '../import/read-har.ts'
import { saveImport } from '../import/save-import.ts'
import { fileToRead, projectFolder } from '../places.ts'
import type { Terminal } from '../terminal.ts'

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
