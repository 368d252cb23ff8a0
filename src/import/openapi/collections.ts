import { findWrongItem } from '../../core/collection/collection.ts'
import { parameterNames } from '../../core/http/path.ts'
import { groupBy } from '../../core/values/collections.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import { plain } from '../../writer/from-request.ts'
import type { Omissions } from '../../writer/omissions.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import type { ImportedEndpoint } from '../imported.ts'

export interface Made {
  endpoint: ImportedEndpoint
  written: Pick<WrittenAnswer, 'answer' | 'file'>
  /** The operation as messages name it: `GET /orders`. */
  where: string
  /** Name of the fixture file. */
  name: string
}

const answers = [
  { does: 'get', method: 'GET', status: 200 },
  { does: 'create', method: 'POST', status: 201 },
  { does: 'replace', method: 'PUT', status: 200 },
  { does: 'update', method: 'PATCH', status: 200 },
  { does: 'delete', method: 'DELETE', status: 204 },
] as const

/** The routes that can be a collection, by that of its list: those that list, get and create items below one path. */
export function findCollections(all: readonly Made[], omissions?: Omissions): Map<Made, Made[]> {
  const found = new Map<Made, Made[]>()
  const byPath = groupBy(
    all.filter(({ endpoint }) => !endpoint.scenario),
    (one) => `${methodOf(one)} ${one.endpoint.path.replace(/\/:\w+$/, '/:')}`,
  )
  for (const list of all) {
    const { path, when, scenario } = list.endpoint
    const { status = 200 } = list.written.answer
    if (methodOf(list) !== 'GET' || when || scenario || status !== 200 || /[:*]/.test(path)) continue
    const others = answers.flatMap(
      ({ does, method }) => byPath.get(`${method} ${path}${does === 'create' ? '' : '/:'}`)?.[0] ?? [],
    )
    const [get, create, ...more] = others
    const id = get && idOf(itemsOf(list), get)
    if (id === undefined || methodOf(get!) !== 'GET' || !create || methodOf(create) !== 'POST') continue
    const isItem = ({ written: { answer }, endpoint }: Made) =>
      !endpoint.when && (answer.body === undefined || ownValue(answer.body, id) !== undefined)
    if (![get!, create].every(isItem)) continue
    if (isRecord(list.written.answer.body))
      omissions?.add('a collection', 'its list is in an envelope, and has no pages', list.where)
    else found.set(list, [get!, create, ...more.filter((one) => methodOf(one) === 'DELETE' || isItem(one))])
  }
  return found
}

/** The routes with collections, where their lists were. What the document says otherwise is listed. */
export function withCollections(all: readonly Made[], omissions: Omissions): Made[] {
  const collections = findCollections(all, omissions)
  const replaced = new Set([...collections.values()].flat())
  const names = new Set<string>()
  return all.flatMap((one) => {
    const others = collections.get(one)
    if (!others) return replaced.has(one) ? [] : one
    const { path, paginate } = one.endpoint
    const paging = { ...paginate } as { items?: unknown }
    delete paging.items
    const answer = { ...one.written.answer }
    delete answer.body
    const last = path.split('/').at(-1)!
    const name = names.has(last) ? path.slice(1).replaceAll('/', '-') : undefined
    names.add(last)
    const id = idOf(itemsOf(one), others[0]!)!
    const done = answers.filter(({ method }) => others.some((other) => methodOf(other) === method))
    let returnDeleted = false
    for (const { written, where, endpoint } of others) {
      const { method, status } = answers.find((own) => own.method === methodOf({ endpoint }))!
      const { status: given = 200, body } = written.answer
      const isReturned = method === 'DELETE' && given === 200 && ownValue(body, id) !== undefined
      if (isReturned) returnDeleted = true
      else if (given !== status) omissions.add(`the status ${given}`, `a collection answers ${status}`, where)
    }
    const collection = {
      ...(name !== undefined && { name }),
      ...(id !== 'id' && { id }),
      items: itemsOf(one),
      ...(done.length < answers.length && { only: ['list', ...done.map(({ does }) => does)] }),
      ...(returnDeleted && { returnDeleted }),
    }
    const endpoint = { path, ...(paginate && { paginate: paging }), collection }
    return { ...one, endpoint, written: { answer } }
  })
}

function methodOf({ endpoint }: Pick<Made, 'endpoint'>): string {
  return endpoint.method ?? 'GET'
}

function itemsOf({ endpoint: { paginate = {} }, written }: Made): unknown[] {
  const items = (paginate as { items?: unknown }).items ?? written.answer.body
  const own = isRecord(items) ? Object.values(items).find(Array.isArray) : items
  return Array.isArray(own) ? own : []
}

/** The key of the id in the path of an item: `{petId}` is `petId`, or else `id`. */
function idOf(items: readonly unknown[], { endpoint: { path } }: Made): string | undefined {
  const [param = ''] = parameterNames(path)
  const keys = isRecord(items[0]) ? Object.keys(items[0]) : []
  const id = keys.find((key) => plain(key) === plain(param)) ?? keys.find((key) => key === 'id')
  return id !== undefined && !findWrongItem(items, id) ? id : undefined
}
