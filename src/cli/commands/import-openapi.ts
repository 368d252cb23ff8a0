import { visible } from '../../core/diagnostics/format.ts'
import { canonicalBase } from '../../core/http/path.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { listOperations, openDocument, readServers } from '../../openapi/documents.ts'
import { sizeOf } from '../../openapi/size-of.ts'
import { createValidate } from '../../openapi/validate.ts'
import { baseOfConfig } from '../code/plugin-options.ts'
import { findCollections, withCollections, type Made } from '../import/openapi/collections.ts'
import type { ImportContext } from '../import/openapi/response.ts'
import { fileName, routesOf } from '../import/openapi/routes.ts'
import { ImportedRoutes, saveImport, type ImportOptions } from '../import/save-import.ts'
import { fileToRead, projectFolder } from '../places.ts'
import { createProgress, type ExitCode, type Terminal } from '../terminal.ts'

export interface ImportOpenApiOptions extends ImportOptions {
  base?: string
  origin?: string
  errors?: boolean
  collections?: boolean
}

/** For each value: to write it, and to read what was written, takes longer than to make it. */
const partsToWrite = 20

/** A file for each tag, with the paths in the order of the document. */
export async function importOpenApi(
  terminal: Terminal,
  name: string,
  options: ImportOpenApiOptions,
): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const { document, documents, version } = openDocument(fileToRead(root, name), name)
  const { errors = false } = options
  const isBaseGiven = options.base !== undefined
  const base = isBaseGiven ? canonicalBase(options.base!) : baseOfConfig(terminal, root)
  const { origin = readServers(document.value['servers'])[0]!.origin } = options
  if (options.origin === undefined && origin !== '')
    terminal.note(
      `The first server, ${visible(origin)}, counts as the application's own origin: its routes get a path. With --origin http://localhost:5173, where the application is, they get a url.`,
    )
  const imported = new ImportedRoutes()
  const { omissions } = imported
  const validate = createValidate(documents, version.startsWith('3.0'), (pattern, why) =>
    omissions.add('a pattern', why, pattern),
  )
  const context: ImportContext = { base, isBaseGiven, origin, errors, documents, validate, omissions }
  const { webhooks } = document.value
  if (isRecord(webhooks) && Object.keys(webhooks).length > 0)
    omissions.add('webhooks', 'the API sends them', Object.keys(webhooks).slice(0, 3).join(', '))
  const progress = createProgress(terminal)
  const made: Made[] = []
  const operations = [...listOperations(document, documents)]
  for (const [index, operation] of operations.entries()) {
    const { endpoint: where } = operation
    progress(() => `Writing: ${index} of ${operations.length} operations`)
    try {
      if ('broken' in operation) throw new Error(operation.broken)
      const name = fileName(operation)
      const routes = routesOf(operation, context).map((one) => ({ ...one, where, name }))
      documents.spend(partsToWrite * sizeOf(routes))
      made.push(...routes)
    } catch (error) {
      omissions.add('an operation', reasonOf(error), where) // the rest of the document is written
    }
  }
  const proposed = [...findCollections(made).keys()].map(({ endpoint }) => endpoint.path)
  const isWanted = options.collections ?? (await wantsCollections(terminal, proposed))
  for (const { endpoint, written, where, name } of isWanted ? withCollections(made, omissions) : made)
    if (!imported.add(endpoint, written, name, false))
      omissions.add('an operation', 'another operation answers the same requests', where)
  return saveImport(terminal, imported, options)
}

async function wantsCollections(terminal: Terminal, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return false
  const shown = new Intl.ListFormat('en-GB').format(paths.map(visible))
  if (terminal.isInteractive)
    return terminal.confirm(
      `Write ${shown} as ${paths.length === 1 ? 'a collection' : 'collections'}, so that requests find what others have written?`,
    )
  terminal.note(`With --collections, requests to ${shown} find what others have written.`)
  return false
}
