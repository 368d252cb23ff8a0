import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPatterns } from '../../../core/select/pattern.ts'
import { writeFiles } from '../../../files/write-files.ts'
import { isFixturePlace, newFixturesFolder, ownFolders } from '../../../loader/find/find-fixtures.ts'
import { displayPath } from '../../../files/paths.ts'
import { schemaLine } from '../../../loader/schema-line.ts'
import { BrokenEntry, inOrder, readWanted } from '../../../writer/har/har-entry.ts'
import { apiTypes } from '../../../writer/har/har-filter.ts'
import type { WrittenFile } from '../../../writer/exchange/exchange.ts'
import { Omissions } from '../../../writer/omissions.ts'
import { writeFixtures } from '../../../writer/write-fixtures.ts'
import { checkThisMachine } from '../access.ts'
import type { ApiHandlers, InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'
import { notServed } from './edit-file.ts'

/** Requests of an application: more would hold the server up for seconds. */
const maxExchanges = 1000

/** Imports a HAR like the command `import har`, into a folder of its own: no file is replaced. */
export function createHarHandler({ options }: InspectedServer): ApiHandlers['POST /har'] {
  return async ({ req, body: { log, dryRun = false } }) => {
    checkThisMachine(req, 'write files')
    const skipped = new Omissions()
    const filter = { url: undefined, only: apiTypes }
    const reading = { filter, omissions: skipped, readBody: elsewhere }
    const entries = log.entries.flatMap((entry, index) => readWanted(entry, index + 1, reading) ?? [])
    if (entries.length > maxExchanges)
      throw new HttpError(
        413,
        'api-body-too-large',
        `The file has ${entries.length} requests of an application, and the dev server imports ${maxExchanges} at most.`,
        'Import it on the command line, which does not hold the server up: npx unplugin-mock-api import har FILE.',
      )
    const settings = { base: options.base, graphqlPaths: options.graphql.paths }
    await loadPatterns()
    const { files, omitted } = writeFixtures(inOrder(entries), settings)
    const fixtures = newFixturesFolder(options)
    const { folder, isThere } = folderFor(join(fixtures, 'imported'), files)
    const written = files.map((file) => {
      const path = join(folder, file.path)
      return { path, content: contentOf(file, path), expected: '' }
    })
    const lost = files.find(({ path, routes }) => routes > 0 && !isFixturePlace(options, join(folder, path)))
    if (lost) throw notServed(options, displayPath(options.root, join(folder, lost.path)))
    if (!dryRun && !isThere) writeFiles(written, { within: ownFolders(options) })
    return {
      files: files
        .filter(({ routes }) => routes > 0)
        .map(({ path, routes }) => ({ file: displayPath(options.root, join(folder, path)), routes })),
      isWritten: isThere || !dryRun,
      omitted: [...skipped.list(), ...omitted],
    }
  }
}

function elsewhere(name: string): never {
  throw new BrokenEntry(`its body is in ${name}: import it with "unplugin-mock-api import har"`)
}

/** The folder that has these files already, since a file may be dropped twice, or a new one. */
function folderFor(path: string, files: readonly WrittenFile[]): { folder: string; isThere: boolean } {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? path : `${path}-${number}`
    if (!existsSync(folder)) return { folder, isThere: false }
    const isSame = (file: WrittenFile) => {
      const target = join(folder, file.path)
      return existsSync(target) && readFileSync(target).equals(contentOf(file, target))
    }
    if (files.length > 0 && files.every(isSame)) return { folder, isThere: true }
  }
}

const contentOf = ({ content }: WrittenFile, target: string): Uint8Array =>
  typeof content === 'string' ? Buffer.from(schemaLine(target) + content) : content
