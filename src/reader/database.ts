import type { FixtureSource } from '../core/fixture/route.ts'
import type { FixtureRoute } from '../core/schema/schema.ts'
import { isRecord, ownValue, type KeyPath } from '../core/values/values.ts'
import { itemName } from '../writer/endpoint-path.ts'

/* The data of json-server, `db.json`, as routes: a collection for each list, and an answer for each single resource. */

type Relations = NonNullable<NonNullable<FixtureRoute['collection']>['relations']>

/** Whether a file may be a database of json-server: an object of lists and objects. */
function isDatabase(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || Object.hasOwn(value, 'routes')) return false
  const resources = Object.entries(value).filter(([name]) => name !== '$schema')
  return (
    resources.length > 0 &&
    resources.every(([name, one]) => !name.startsWith('/') && (Array.isArray(one) || isRecord(one)))
  )
}

/**
 * Reads a database. Places are those in the file.
 *
 * @param isNamed whether the option names the file itself: in a folder, it is test data
 */
export function fromDatabase(
  source: FixtureSource,
  isNamed: boolean,
): { source: FixtureSource; isDatabase: boolean } {
  if (!isNamed || !('value' in source) || !isDatabase(source.value)) return { source, isDatabase: false }
  const made = routesOfDatabase(source.value)
  // `/0/collection/items/3/name` is `/posts/3/name`.
  const inFile = ([index, , , ...rest]: KeyPath): KeyPath => {
    const name = made[Number(index)]?.name
    return name === undefined ? [] : [name, ...rest]
  }
  const { locate, written } = source
  const routes = {
    ...source,
    value: made.map(({ route }) => route),
    locate: (keys: KeyPath, target: 'key' | 'value') => locate(inFile(keys), target),
    ...(written && { written: (keys: KeyPath) => written(inFile(keys)) }),
  }
  return { source: routes, isDatabase: true }
}

interface DatabaseRoute {
  /** The key in the file. */
  name: string
  route: FixtureRoute
}

/** A list without any id is sent as it is. */
export function routesOfDatabase(database: Readonly<Record<string, unknown>>): DatabaseRoute[] {
  const lists = Object.entries(database).filter(([, value]) => isCollection(value)) as [string, object[]][]
  return Object.entries(database).flatMap(([name, value]): DatabaseRoute | [] => {
    const path = `/${encodeURIComponent(name)}`
    if (name === '$schema' || typeof value !== 'object' || value === null) return []
    if (!isCollection(value)) return { name, route: { path, response: { body: value } } }
    const relations = relationsOf(name, lists)
    const items = value as unknown[]
    return {
      name,
      route: {
        path,
        collection: { items, returnDeleted: true, ...(Object.keys(relations).length > 0 && { relations }) },
      },
    }
  })
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 0 || value.some((item) => isId(ownValue(item, 'id'))))
}

/** `comments` with a `postId` belong to `posts`. */
function relationsOf(name: string, lists: readonly [string, object[]][]): Relations {
  const relations: Relations = {}
  const has = (items: readonly object[], key: string) => items.some((item) => isId(ownValue(item, key)))
  const own = lists.find(([other]) => other === name)![1]
  for (const [other, items] of lists) {
    const [mine, theirs] = [itemName(name), itemName(other)]
    if (has(items, `${mine}Id`)) relations[other] = { many: other, by: `${mine}Id` }
    if (has(own, `${theirs}Id`)) relations[theirs] = { one: other, by: `${theirs}Id` }
  }
  return relations
}

export function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
