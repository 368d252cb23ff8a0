import type { Collection, CollectionOperation, Collections, Relation } from '../collection/collection.ts'
import type { Item } from '../collection/items.ts'
import { itemReader } from '../collection/find-items.ts'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { formatPlace } from '../diagnostics/format.ts'
import { shareScenario, type Route } from '../fixture/route.ts'
import { parameterNames, trimSlash } from '../http/path.ts'
import { type CollectionWrite, operations } from '../schema/collection-schema.ts'
import { addTo } from '../values/collections.ts'
import { defined } from '../values/values.ts'

const methods: Record<CollectionWrite, string> = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  replace: 'PUT',
  update: 'PATCH',
  delete: 'DELETE',
}
const isOfList = (does: CollectionWrite) => does === 'list' || does === 'create'

/** A collection becomes a route for each operation, on its path, on those of its items, and on those of its relations. */
export function expandCollections(routes: readonly Route[], diagnostics: Diagnostic[]) {
  const own = routes.filter(({ collection }) => collection)
  // The ordinary routes come first, so they take precedence.
  const expanded = routes.filter((route) => !route.collection)
  const collections = new Map<string, Collection[]>()
  const made: { route: Route; collection: Collection }[] = []
  for (const route of own) {
    const error = route.error ?? unreadItems(route)
    if (error) {
      if (!route.error) diagnostics.push(error)
      for (const does of operations)
        expanded.push({ ...route, error, ...endpointOf(does, route.path, parameterOf(route.path)) })
      continue
    }
    const collection = makeCollection(route, own)
    const other = made.find(
      ({ collection: { name, path }, route: one }) =>
        (name === collection.name || path === collection.path) && shareScenario(one, route),
    )?.collection
    if (other) {
      const details = { name: collection.name, place: formatPlace(other.source) }
      diagnostics.push(diagnoseFixture('collection-name-taken', route.source, details))
      continue
    }
    addTo(collections, collection.name, collection)
    made.push({ route, collection })
  }
  const known = [...collections.keys()]
  for (const { route, collection } of made) {
    const relations = collection.relations.filter(({ collection: name, source }) => {
      if (!known.includes(name))
        diagnostics.push(diagnoseFixture('collection-unknown', source, { name, known }))
      return known.includes(name)
    })
    collection.relations = relations
    for (const { kind, collection: other, by, source } of relations)
      diagnostics.push(
        ...unknownFields(kind === 'one' ? collection.name : other, collections, [{ name: by, source }]),
      )
    const parameter = parameterOf(collection.path)
    for (const does of operations)
      expanded.push(routeOf(route, collection.path, parameter, { collection, does }))
    for (const relation of relations)
      if (relation.kind === 'many') expanded.push(...nestedRoutes(route, collection, relation, collections))
  }
  for (const route of expanded)
    for (const { name, source, fields = [] } of route.operation ? [] : (route.collectionNames ?? []))
      if (known.includes(name)) diagnostics.push(...unknownFields(name, collections, fields))
      else diagnostics.push(diagnoseFixture('collection-unknown', source, { name, known }))
  return { routes: expanded, collections }
}

/** A request may add a field, and an empty list says nothing about its fields. */
function unknownFields(
  collection: string,
  collections: Collections,
  fields: readonly { name: string; source: SourceLocation }[],
): Diagnostic[] {
  const lists = collections.get(collection)!.map(({ items }) => items)
  if (lists.some((items) => items.length === 0)) return []
  const known = Object.keys(lists[0]![0]!)
  return fields.flatMap(({ name, source }) => {
    const read = itemReader(name)
    if (lists.some((items) => items.some((item) => read(item) !== undefined))) return []
    return diagnoseFixture('collection-field-unknown', source, { name, collection, known })
  })
}

/** Every host reads them before. */
function unreadItems({ paging, source }: Route): Diagnostic | undefined {
  if (Array.isArray(paging?.items)) return undefined
  return diagnoseFixture('items-failed', source, { reason: 'they were not read.' })
}

/** The collection of a route. In a scenario, missing keys are taken from the collection without the scenario. */
function makeCollection(
  { path, collection: given, paging, scenarios, source }: Route,
  all: readonly Route[],
): Collection {
  const base = scenarios && all.find((one) => !one.scenarios && one.collection!.name === given!.name)
  const { isPaged, ...own } = given!
  const pagedBy = isPaged ? paging : base?.collection?.isPaged ? base.paging : undefined
  return {
    id: 'id',
    relations: [],
    only: operations,
    dialect: 'json-server',
    returnDeleted: false,
    persist: false,
    ...defined(base?.collection ?? {}),
    ...defined(own),
    name: own.name,
    file: own.file,
    key: given!,
    path: trimSlash(path),
    items: paging!.items as readonly Item[],
    paging: pagedBy,
    scenarios,
    source,
  }
}

/** `/tenants/:id/orders` has the name already. */
function parameterOf(path: string): string {
  let name = 'id'
  while (parameterNames(path).includes(name)) name = `item_${name}`
  return name
}

function endpointOf(does: CollectionWrite, path: string, parameter: string): Pick<Route, 'method' | 'path'> {
  const trimmed = trimSlash(path)
  return { method: [methods[does]], path: isOfList(does) ? trimmed : `${trimmed}/:${parameter}` }
}

function routeOf(route: Route, path: string, parameter: string, operation: CollectionOperation): Route {
  const { collection, does } = operation
  const others = collection.only.filter((one) => isOfList(one) === isOfList(does))
  const allow = [...new Set(others.map((one) => methods[one]))]
  return {
    ...route,
    ...endpointOf(does, path, parameter),
    collection: undefined,
    paging: undefined,
    textType: undefined,
    operation: {
      ...operation,
      parameter,
      ...(!collection.only.includes(does) && { allow: allow.includes('GET') ? ['HEAD', ...allow] : allow }),
    },
  }
}

/** `/customers/:id/orders` lists and creates orders of a customer. */
function nestedRoutes(
  route: Route,
  parent: Collection,
  { name, collection: target, by }: Relation,
  collections: Collections,
): Route[] {
  const parameter = parameterOf(parent.path)
  const path = `${parent.path}/:${parameter}/${encodeURIComponent(name)}`
  const collection = collections.get(target)![0]!
  return (['list', 'create'] as const).map((does) =>
    routeOf(route, path, parameter, { collection, does, within: { collection: parent, by } }),
  )
}

/** A copy of the route with the path of another one, whose parameters have other names. */
export function atPath(route: Route, path: string): Route {
  const { operation } = route
  const index = parameterNames(route.path).indexOf(operation!.parameter!)
  return {
    ...route,
    path,
    operation: { ...operation!, parameter: parameterNames(path)[index] ?? operation!.parameter! },
  }
}
