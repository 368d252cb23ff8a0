import { type Collection, findCollection, findWrongItem } from '../../core/collection/collection.ts'
import type { Item } from '../../core/collection/items.ts'
import { idText } from '../../core/values/exact-number.ts'
import { suggest } from '../../core/diagnostics/text.ts'
import { describeRefusal } from '../../core/answer/collections/open-collections.ts'
import type { CollectionInfo, CollectionItems } from '../api/api.ts'
import { shownPosition } from '../show.ts'
import type { ApiHandlers, ApiRequest, InspectedServer } from './context.ts'
import { HttpError } from './json.ts'

/** Items in an answer: more make a page slow. */
const maxShown = 1000

/** The items are those of everyone, or of the client that asks. */
export function createCollectionHandlers(server: InspectedServer) {
  const { store, state } = server
  const { collections } = state
  const find = ({ client, params }: Pick<ApiRequest, 'client' | 'params'>) => {
    const collection = findKnown(server, params['collection'] ?? '', client)
    return { collection, byId: collections.read(collection, client).byId, id: params['item'] ?? '' }
  }
  const unknownItem = ({ name }: Collection, id: string) =>
    new HttpError(404, 'api-item-unknown', {
      message: `There is no item "${id}" in "${name}".`,
      fix: `Ask GET collections/${name} for the ids.`,
    })

  const info = (collection: Collection, client: string): CollectionInfo => {
    const { name, path, id, source } = collection
    const items = collections.read(collection, client).byId.size
    return {
      name,
      path,
      id,
      items,
      changes: collections.changesOf(collection, client),
      ...shownPosition(source),
    }
  }

  const show = (request: Pick<ApiRequest, 'client' | 'params'>): CollectionItems => {
    const { collection, byId } = find(request)
    const { byId: original } = collections.original(collection)
    const differs = [...byId].filter(([id, item]) => original.get(id) !== item).map(([id]) => id)
    const items = [...byId.values()].slice(0, maxShown)
    const deleted = [...original].filter(([id]) => !byId.has(id)).map(([, item]) => item)
    return {
      ...info(collection, request.client),
      shown: items as CollectionItems['shown'],
      created: differs.filter((id) => !original.has(id)),
      updated: differs.filter((id) => original.has(id)),
      deleted: deleted.slice(0, maxShown) as CollectionItems['deleted'],
    }
  }

  return {
    'GET /collections': ({ client }) => ({
      collections: [...store.current!.table.collections.keys()].map((name) =>
        info(findKnown(server, name, client), client),
      ),
    }),

    'GET /collections/{collection}': show,

    'PUT /collections/{collection}': (request) => {
      const { collection } = find(request)
      const { items } = request.body
      const wrong = findWrongItem(items, collection.id)
      if (wrong) {
        const which = wrong.index === undefined ? 'The list' : `Item ${wrong.index + 1}`
        throw new HttpError(400, 'api-items-invalid', {
          message: `${which} can't be used: ${wrong.reason}.`,
          fix: 'Send objects, each with an id of its own.',
        })
      }
      collections.fill(collection, request.client, items as unknown as Item[])
      state.notify()
      return show(request)
    },

    'DELETE /collections/{collection}': (request) => {
      collections.reset(request.client, find(request).collection)
      state.notify()
      return show(request)
    },

    'GET /collections/{collection}/{item}': (request) => {
      const { collection, byId, id } = find(request)
      const item = byId.get(id)
      if (!item) throw unknownItem(collection, id)
      return { item } as never
    },

    'PUT /collections/{collection}/{item}': (request) => {
      const { collection, byId, id } = find(request)
      const { item } = request.body
      const isThere = byId.has(id)
      const own =
        isThere || idText((item as Item)[collection.id]) === id ? item : { ...item, [collection.id]: id }
      const change = isThere ? { replace: id, with: own } : { create: own }
      const written = collections.write(collection, request.client, change)
      if ('refused' in written)
        throw new HttpError(400, 'api-items-invalid', {
          message: `${describeRefusal(written, collection)}.`,
          fix: 'Send an object, and a free id for a new item.',
        })
      return { item: written.item } as never
    },

    'DELETE /collections/{collection}/{item}': (request) => {
      const { collection, id } = find(request)
      const written = collections.write(collection, request.client, { delete: id })
      if ('refused' in written) throw unknownItem(collection, id)
      return { item: written.item } as never
    },
  } satisfies Partial<ApiHandlers>
}

export function findKnown({ store, state }: InspectedServer, name: string, client: string): Collection {
  const known = store.current!.table.collections
  const found = findCollection(known, name, state.scenariosOf(client))
  if (found) return found
  const fix =
    known.size > 0
      ? suggest(name, [...known.keys()], 'Collections')
      : 'Add a route with "collection" to a fixture file.'
  throw new HttpError(404, 'api-collection-unknown', { message: `There is no collection "${name}".`, fix })
}
