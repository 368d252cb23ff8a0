import { importOpenApi } from '../../../src/import/kinds/openapi.ts'
import type { Source } from '../../../src/import/source.ts'
import { inOneFile, type Imported } from './import.ts'

/** As the command `import openapi` does, in one file. */
export async function readOpenApi(text: string): Promise<Imported> {
  const source = { name: 'the document', path: undefined, text } as Source
  const context = { base: '', isBaseGiven: false, url: undefined, note() {}, progress() {} }
  const { files, omitted } = await importOpenApi([source], context)
  return inOneFile(
    files,
    omitted,
    'The command "import openapi" has more: collections, errors, other origins.',
  )
}
