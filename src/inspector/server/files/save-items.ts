import { resolve } from 'node:path'
import { isMap, isSeq } from 'yaml'
import { findCollection, type Collection } from '../../../core/collection/collection.ts'
import { unmarked } from '../../../core/values/exact-number.ts'
import { isDataFile } from '../../../loader/find/fixture-names.ts'
import { readItems } from '../../../loader/read/read-route-files.ts'
import { writeYaml } from '../../../writer/write-yaml.ts'
import { FixtureText } from '../../../writer/fixture-text.ts'
import type { InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'
import { invalidFixture, newDiagnostics, isCode, readNow, unwritable, type EditedFile } from './edit-file.ts'
import { FileError } from '../../../files/file-error.ts'
import { isError } from '../../../core/diagnostics/severity.ts'
import { keysOfPointer } from '../../../core/values/values.ts'

/**
 * The file of a collection's items with those that a client sees: a file of their own, or the fixture file.
 *
 * @throws HttpError if they are those of the file, or if that has other items than the collection began with
 */
export async function withSavedItems(
  server: InspectedServer,
  collection: Collection,
  client: string,
): Promise<EditedFile> {
  const { root } = server.options
  const { source, file = source.file } = collection
  const edited = readNow(server.options, resolve(root, file))
  const items = [...server.state.collections.read(collection, client).byId.values()]
  const began = JSON.stringify(collection.items)
  if (JSON.stringify(items) === began)
    throw new HttpError(409, 'api-save-nothing', {
      message: `The items of "${collection.name}" are those of the file.`,
      fix: 'Change an item first. A save of the file drops the changes that were made before.',
    })
  const { isJson } = edited
  if (collection.file !== undefined) {
    const now = await readItems(root, file, edited.path)
    if (JSON.stringify(now.items) !== began) throw new FileError('changed', file)
    const text = isJson ? `${unmarked(JSON.stringify(items, null, 2))}\n` : writeYaml(items)
    return { ...edited, text }
  }
  if (!isDataFile(file)) throw isCode(file)
  const { table } = await server.store.check(edited.path, edited.text)
  const now = findCollection(table.collections, collection.name, collection.scenarios ?? [])
  if (JSON.stringify(now?.items) !== began) throw new FileError('changed', file)
  const text = new FixtureText(edited.text, isJson)
  const keys = keysOfPointer(now!.source.pointer ?? '')
  // In the data of json-server, the list is under its name.
  const list = isMap(text.find(keys)) ? [...keys, 'collection', 'items'] : [collection.name]
  if (!isSeq(text.find(list))) throw unwritable(`the items of "${collection.name}" are no list in ${file}`)
  const written = text.withReplaced(list, items)
  const after = await server.store.check(edited.path, written)
  const found = findCollection(after.table.collections, collection.name, collection.scenarios ?? [])
  const broken = newDiagnostics(server.store.current!, after, file).find(isError)
  if (broken) throw invalidFixture(broken, root)
  if (JSON.stringify(found?.items) !== JSON.stringify(items))
    throw unwritable(`${file} would have other items than "${collection.name}" has`)
  return { ...edited, text: written }
}
