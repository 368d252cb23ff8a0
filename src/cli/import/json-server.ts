import { writtenNumber } from '../../core/values/exact-number.ts'
import { ownValue } from '../../core/values/values.ts'
import { isId, routesOfDatabase } from '../../reader/database.ts'
import type { Omissions } from '../../writer/omissions.ts'
import { ImportedRoutes } from './save-import.ts'

/** One file, since its lists are related. */
export function readJsonServer(database: Record<string, unknown>): ImportedRoutes {
  const routes = new ImportedRoutes()
  const { omissions } = routes
  const known = Object.entries(database).map(([name, value]) => {
    const path = `/${encodeURIComponent(name)}`
    if (typeof value !== 'object' || value === null)
      if (name !== '$schema') omissions.add(`"${name}"`, 'it is neither a list nor an object', path)
    return [name, Array.isArray(value) ? itemsWithIds(value as unknown[], path, omissions) : value]
  })
  for (const { route } of routesOfDatabase(Object.fromEntries(known) as typeof database)) {
    const { path = '/', response, collection } = route
    routes.add(
      { path, ...(collection && { collection }) },
      { answer: (response ?? {}) as { body?: unknown } },
    )
    if (response)
      omissions.add(
        'changing a resource',
        'answers that depend on the request need code',
        `PUT and PATCH ${path}`,
      )
  }
  return routes
}

/** Leaves out items without an id, and those whose id is taken. If none has an id, all stay. */
function itemsWithIds(items: readonly unknown[], path: string, omissions: Omissions): readonly unknown[] {
  if (!items.some((item) => isId(ownValue(item, 'id')))) return items
  const known = new Set<string>()
  return items.filter((item) => {
    const id = ownValue(item, 'id')
    const why = !isId(id)
      ? 'it has no id'
      : known.has(String(id)) && `another one has the id ${writtenNumber(id) ?? id}`
    if (why) omissions.add('an item', why, path)
    known.add(String(id))
    return !why
  })
}
