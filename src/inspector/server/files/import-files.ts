import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../../core/values/thrown.ts'
import { writeFiles } from '../../../files/write-files.ts'
import { displayPath } from '../../../files/paths.ts'
import { isFixturePlace, newFixturesFolder, ownFolders } from '../../../loader/find/find-fixtures.ts'
import { schemaLine } from '../../../loader/schema-line.ts'
import type { WrittenFile } from '../../../writer/exchange/exchange.ts'
import { checkThisMachine } from '../access.ts'
import type { ApiHandlers, InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'
import { notServed } from './edit-file.ts'

/** Answers of an application: more would hold the server up for seconds. */
const maxAnswers = 1000

/** Imports a file like the command `import`, into a folder of its own: no file is replaced. */
export function createImportHandler({ options }: InspectedServer): ApiHandlers['POST /import'] {
  return async ({ req, body: { name, text, dryRun = false } }) => {
    checkThisMachine(req, 'write files')
    const [{ importKindOf, lookOf, whatIsRead }, { ImportSource }, { summaryOf }] = await Promise.all([
      import('../../../import/kinds.ts'),
      import('../../../import/source.ts'),
      import('../../../import/imported.ts'),
    ])
    const source = new ImportSource(name, undefined, text)
    const refuse = (why: string) =>
      new HttpError(400, 'api-body-invalid', {
        message: `${name} can't be imported: ${why}.`,
        fix: whatIsRead,
      })
    if (source.isModule) throw refuse('it is code, which the command "import" runs')
    const notes: string[] = []
    const context = {
      url: undefined,
      base: options.base,
      isBaseGiven: false,
      graphqlPaths: options.graphql.paths,
      note: (note: string) => void notes.push(note),
      progress: () => {},
    }
    let kind, imported
    try {
      kind = importKindOf(source)
      if (!kind) throw new Error(lookOf(source))
      imported = await kind.read([source], context)
    } catch (error) {
      throw refuse(reasonOf(error).replace(/\.$/, ''))
    }
    if (imported.found > maxAnswers)
      throw new HttpError(413, 'api-body-too-large', {
        message: `The file has ${imported.found} answers, and the dev server imports ${maxAnswers} at most.`,
        fix: 'Import it on the command line, which does not hold the server up: npx unplugin-mock-api import FILE.',
      })
    const { files, omitted } = imported
    const fixtures = newFixturesFolder(options)
    const { folder, isThere } = folderFor(join(fixtures, 'imported'), files)
    const written = files.map((file) => {
      const path = join(folder, file.path)
      return { path, content: contentOf(file, path), expected: '' }
    })
    const lost = files.find(({ path, routes }) => routes > 0 && !isFixturePlace(options, join(folder, path)))
    if (lost) throw notServed(options, displayPath(options.root, join(folder, lost.path)))
    if (!dryRun && !isThere && files.length > 0) writeFiles(written, { within: ownFolders(options) })
    return {
      kind: kind.title,
      summary: summaryOf(imported),
      files: files
        .filter(({ routes }) => routes > 0)
        .map(({ path, routes }) => ({ file: displayPath(options.root, join(folder, path)), routes })),
      isWritten: isThere || !dryRun,
      omitted: [...omitted],
    }
  }
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
