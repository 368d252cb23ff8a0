import { resolve } from 'node:path'
import { visible } from '../../core/diagnostics/format.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { listOperations, openDocument, readServers } from '../../openapi/documents.ts'
import { sizeOf } from '../../openapi/size-of.ts'
import { createValidate } from '../../openapi/validate.ts'
import { ImportedRoutes, type Imported, type ImportContext } from '../imported.ts'
import { findCollections, withCollections, type Made } from '../openapi/collections.ts'
import type { OpenApiContext } from '../openapi/response.ts'
import { fileName, routesOf } from '../openapi/routes.ts'
import type { ImportSource } from '../source.ts'
import { recordIn } from '../values.ts'

export function isOpenApi({ value }: ImportSource): boolean {
  return /^3\.\d/.test(String(recordIn(value)['openapi']))
}

export function isSwaggerFile({ value }: ImportSource): boolean {
  return String(recordIn(value)['swagger']) === '2.0'
}

/** For each value: to write it, and to read what was written, takes longer than to make it. */
const partsToWrite = 20

/** A file for each tag, with the paths in the order of the document. */
export async function importOpenApi(
  sources: readonly ImportSource[],
  context: ImportContext,
): Promise<Imported> {
  const imported = new ImportedRoutes()
  for (const source of sources) await addDocument(source, context, imported)
  return imported
}

async function addDocument(
  source: ImportSource,
  given: ImportContext,
  imported: ImportedRoutes,
): Promise<void> {
  const { name, path } = source
  const text = path === undefined ? source.text : undefined
  const { document, documents, version } = openDocument(path ?? resolve(name), name, undefined, text)
  const { base, isBaseGiven, errors = false } = given
  const { origin = readServers(document.value['servers'])[0]!.origin } = given
  if (given.origin === undefined && origin !== '')
    given.note(
      `The first server, ${visible(origin)}, counts as the application's own origin: its routes get a path. With --origin http://localhost:5173, where the application is, they get a url.`,
    )
  const { omissions } = imported
  const validate = createValidate(documents, version.startsWith('3.0'), (pattern, why) =>
    omissions.add('a pattern', why, pattern),
  )
  const context: OpenApiContext = { base, isBaseGiven, origin, errors, documents, validate, omissions }
  const { webhooks } = document.value
  if (isRecord(webhooks) && Object.keys(webhooks).length > 0)
    omissions.add('webhooks', 'the API sends them', Object.keys(webhooks).slice(0, 3).join(', '))
  const made: Made[] = []
  const operations = [...listOperations(document, documents)]
  for (const [index, operation] of operations.entries()) {
    const { endpoint: where } = operation
    given.progress(() => `Writing: ${index} of ${operations.length} operations`)
    try {
      if ('broken' in operation) throw new Error(operation.broken)
      const name = fileName(operation)
      const routes = routesOf(operation, context).map((one) => ({ ...one, where, name }))
      documents.spend(partsToWrite * sizeOf(routes))
      made.push(...routes)
    } catch (error) {
      imported.skip('an operation', reasonOf(error), where) // the rest of the document is written
    }
  }
  const proposed = [...findCollections(made).keys()].map(({ endpoint }) => endpoint.path)
  const isWanted = given.collections ?? (await wantsCollections(given, proposed))
  for (const { endpoint, written, where, name } of isWanted ? withCollections(made, omissions) : made)
    if (!imported.add(endpoint, written, name, false))
      omissions.add('an operation', 'another operation answers the same requests', where)
}

async function wantsCollections(
  { note, confirm }: ImportContext,
  paths: readonly string[],
): Promise<boolean> {
  if (paths.length === 0) return false
  const shown = new Intl.ListFormat('en-GB').format(paths.map(visible))
  if (confirm)
    return confirm(
      `Write ${shown} as ${paths.length === 1 ? 'a collection' : 'collections'}, so that requests find what others have written?`,
    )
  note(`With --collections, requests to ${shown} find what others have written.`)
  return false
}
