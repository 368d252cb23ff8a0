import { writtenNumber } from '../../core/values/exact-number.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import { isId, routesOfDatabase } from '../../reader/database.ts'
import type { Omissions } from '../../writer/omissions.ts'
import { ImportedRoutes, type Imported } from '../imported.ts'
import type { ImportSource } from '../source.ts'

/** Whether it has a list of objects, and nothing but lists and objects. A module may have a function that makes it. */
export function isDatabase({ value, exports }: ImportSource): boolean {
  if (exports && typeof value === 'function') return true
  const resources = Object.entries(isRecord(value) ? value : {}).filter(([name]) => name !== '$schema')
  const isList = (one: unknown) => Array.isArray(one) && one.length > 0 && one.every(isRecord)
  return (
    resources.every(([, one]) => typeof one === 'object' && one !== null) &&
    resources.some(([, one]) => isList(one))
  )
}

export async function importJsonServer(sources: readonly ImportSource[]): Promise<Imported> {
  const routes = new ImportedRoutes()
  for (const { name, value, problem } of sources) {
    if (problem) throw new Error(`${problem.where}: ${problem.reason}`)
    // A module may export the data, or a function that returns it.
    const database = typeof value === 'function' ? await (value as () => unknown)() : value
    if (!isRecord(database)) throw new Error(`${name} has no object with the resources of json-server.`)
    addDatabase(database, routes)
  }
  return routes
}

/** One file, since its lists are related. */
function addDatabase(database: Record<string, unknown>, routes: ImportedRoutes): void {
  const { omissions } = routes
  const known = Object.entries(database).map(([name, value]) => {
    const path = `/${encodeURIComponent(name)}`
    if (typeof value !== 'object' || value === null)
      if (name !== '$schema') omissions.add(`"${name}"`, 'it is neither a list nor an object', path)
    return [name, Array.isArray(value) ? itemsWithIds(value as unknown[], path, omissions) : value]
  })
  for (const { route } of routesOfDatabase(Object.fromEntries(known) as typeof database)) {
    const { path = '/', response, collection } = route
    const answer = (response ?? {}) as { body?: unknown }
    routes.add({ path, ...(collection && { collection }) }, { answer })
    const where = `PUT and PATCH ${path}`
    if (response) omissions.add('changing a resource', 'answers that depend on the request need code', where)
  }
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
