import { type Collection, findCollection } from '../../collection/collection.ts'
import { comparedText, findItems, readSort } from '../../collection/find-items.ts'
import type { Item, Write, WriteOutcome } from '../../collection/items.ts'
import { clientOf } from '../../http/whose-state.ts'
import type { CollectionApi } from '../../schema/function-types.ts'
import { idText } from '../../values/exact-number.ts'
import { snapshot } from '../../values/json-value.ts'
import { isRecord } from '../../values/values.ts'
import type { Asked } from '../decision.ts'

export type OpenCollections = ReturnType<typeof openCollections>

/** The collections as the client of a request sees them, with those of its scenarios. */
export function openCollections({ table, raw, rules }: Asked) {
  const { state, isDryRun } = rules
  const client = clientOf(raw.headers)
  let active: readonly string[] | undefined
  return {
    find: (name: string): Collection | undefined => {
      active ??= state.activeFor(raw.method, raw.url, raw)
      return findCollection(table.collections, name, active)
    },
    read: (collection: Collection) => state.collections.read(collection, client),
    write: (collection: Collection, write: Write) =>
      state.collections.write(collection, client, write, isDryRun),
  }
}

/** Collections as functions of fixtures get them. Changing an item that they return changes nothing. */
export function collectionsForFunctions(asked: Asked): Record<string, CollectionApi> {
  const open = openCollections(asked)
  const apis = Object.create(null) as Record<string, CollectionApi>
  for (const name of asked.table.collections.keys()) {
    const collection = open.find(name)
    if (collection) apis[name] = apiOf(collection, open)
  }
  return apis
}

function apiOf(collection: Collection, { read, write }: OpenCollections): CollectionApi {
  const { name } = collection
  const run = (change: Write): Item | undefined => {
    const written = write(collection, change)
    if ('item' in written) return snapshot(written.item)
    if (written.refused === 'unknown') return undefined
    throw new Error(`collections.${name}: ${describeRefusal(written, collection)}`)
  }
  return {
    list: ({ where, sort } = {}) =>
      findItems(read(collection).byId.values(), whereQuery(where, sort)).map((item) => snapshot(item)),
    get(id) {
      const item = read(collection).byId.get(idText(id) ?? '')
      return item && snapshot(item)
    },
    create: (item) => run({ create: snapshot(item) })!,
    replace: (id, item) => run({ replace: id, with: snapshot(item) }),
    update: (id, changes) => run({ update: id, with: snapshot(changes) }),
    delete: (id) => run({ delete: id }),
  }
}

/** The query for `where` and `sort`. Values that are null or missing do not count. */
export function whereQuery(where: unknown, sort: unknown) {
  const given = isRecord(where) ? Object.entries(where) : []
  const filters = given.flatMap(([key, value]) => {
    if (value === undefined || value === null) return []
    return [[key, [value].flat().flatMap((one) => comparedText(one) ?? [])] as const]
  })
  return { filters, hasOperators: true, sort: typeof sort === 'string' ? readSort(sort) : [] }
}

export type Refused = Extract<WriteOutcome, { refused: string }>

export function describeRefusal(written: Refused, { name, id }: Collection): string {
  switch (written.refused) {
    case 'unknown':
      return written.id === undefined
        ? `no id of an item in ${JSON.stringify(name)} was given`
        : `there is no item ${JSON.stringify(written.id)} in ${JSON.stringify(name)}`
    case 'taken':
      return `${JSON.stringify(name)} has an item ${JSON.stringify(written.id)} already`
    case 'no-object':
      return `an item of ${JSON.stringify(name)} must be an object`
    case 'no-id':
      return `the ${JSON.stringify(id)} of an item must be a text or a number`
    case 'full':
      return `${JSON.stringify(name)} has as many items as a collection takes`
  }
}
