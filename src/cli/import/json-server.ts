import { writtenNumber } from '../../core/values/exact-number.ts'
import { isRecord } from '../../core/values/values.ts'
import { itemName } from '../../writer/endpoint-path.ts'
import { ImportedRoutes } from './save-import.ts'

/** json-server's page size without `_limit`. */
const perPage = 10
const needsCode = 'answers that depend on the request need code'

export function readJsonServer(database: Record<string, unknown>): ImportedRoutes {
  const routes = new ImportedRoutes()
  for (const [name, value] of Object.entries(database)) {
    if (name === '$schema') continue
    const path = `/${encodeURIComponent(name)}`
    if (isRecord(value)) {
      routes.add({ path }, { answer: { body: value } })
      routes.omissions.add('changing a resource', needsCode, `PUT and PATCH ${path}`)
    } else if (Array.isArray(value)) addList(name, value as unknown[], database, routes)
    else routes.omissions.add(`"${name}"`, 'it is neither a list nor an object', path)
  }
  return routes
}

function addList(
  name: string,
  items: readonly unknown[],
  database: Record<string, unknown>,
  routes: ImportedRoutes,
): void {
  const { omissions } = routes
  const path = `/${encodeURIComponent(name)}`
  routes.add({ path }, { answer: { body: items } })
  const parameters = { page: '_page', per_page: '_limit' }
  const paginate = { style: 'link', perPage, maxPerPage: 1000, parameters, items }
  routes.add({ path, when: { query: { _page: { $exists: true } } }, paginate }, { answer: {} })
  routes.add({ path: `${path}/:id` }, { answer: { status: 404, body: {} } })
  const known = new Set<string>()
  for (const item of items) {
    const id = isRecord(item) ? item['id'] : undefined
    if (!isId(id)) omissions.add('an item', 'it has no id', path)
    else if (known.has(String(id)))
      omissions.add('an item', `another one has the id ${writtenNumber(id) ?? id}`, path)
    else routes.add({ path: `${path}/:id`, when: { params: { id } } }, { answer: { body: item } })
    known.add(String(id))
  }
  for (const [other, children] of Object.entries(database))
    if (Array.isArray(children)) addChildren(name, other, children as unknown[], routes)
  omissions.add('filters, sorting and _embed', needsCode, `GET ${path}`)
  omissions.add('changing a list', needsCode, `POST, PUT, PATCH and DELETE ${path}`)
}

/** `comments` with a `postId` are at `/posts/1/comments`. */
function addChildren(
  parent: string,
  name: string,
  children: readonly unknown[],
  routes: ImportedRoutes,
): void {
  const key = `${itemName(parent)}Id`
  const keys = new Set(children.flatMap((child) => (isRecord(child) && isId(child[key]) ? [child[key]] : [])))
  if (keys.size === 0) return
  const path = `/${encodeURIComponent(parent)}/:${key}/${encodeURIComponent(name)}`
  routes.add({ path }, { answer: { body: [] } })
  for (const id of keys) {
    const own = children.filter((child) => isRecord(child) && child[key] === id)
    routes.add({ path, when: { params: { [key]: id } } }, { answer: { body: own } })
  }
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
