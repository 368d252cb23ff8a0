import { canonicalBase } from '../../core/http/path.ts'
import { isRecord } from '../../core/values/values.ts'
import { readOpenApi } from '../import/openapi.ts'
import { saveImport, type ImportOptions } from '../import/save-import.ts'
import { Documents } from '../openapi/documents.ts'
import { fileToRead, projectFolder } from '../places.ts'
import type { ExitCode, Terminal } from '../terminal.ts'

export interface ImportOpenApiOptions extends ImportOptions {
  base?: string
  errors?: boolean
}

/** Writes fixture files from an OpenAPI document: a route for each operation, with its example. */
export async function importOpenApi(
  terminal: Terminal,
  file: string,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  const path = fileToRead(projectFolder(terminal, options.root), file)
  const documents = new Documents()
  const document = documents.read(path)
  checkVersion(document.value, file)
  const { base = '', errors = false } = options
  const imported = readOpenApi(document, documents, { base: canonicalBase(base), errors })
  return saveImport(terminal, imported, options)
}

function checkVersion(document: unknown, file: string): void {
  if (isRecord(document) && typeof document['swagger'] === 'string')
    throw new Error(
      `${file} is Swagger ${document['swagger']}. Convert it to OpenAPI 3, for example with swagger2openapi.`,
    )
  if (!isRecord(document) || !/^3\.\d/.test(String(document['openapi'])))
    throw new Error(`${file} is not an OpenAPI document of version 3: it has no "openapi: 3.x.y".`)
}
