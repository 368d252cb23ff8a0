/* Random operations of several clients, with resets and pages, beside plain arrays. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MockState } from '../../../src/core/state/mock-state.ts'
import { send, tableOf } from '../send.ts'
import { sampling } from '../../sampling.ts'

interface Item {
  id: number
  n?: number
  s?: string
}

const start: Item[] = [
  { id: 1, n: 3, s: 'a' },
  { id: 2, n: 1, s: 'b' },
  { id: 3, n: 2, s: 'a' },
]
const table = tableOf([
  { path: '/items', paginate: { style: 'link', perPage: 2 }, collection: { items: start } },
])

const client = fc.constantFrom('', 'a', 'b')
const id = fc.integer({ min: 1, max: 8 })
const value = fc.record(
  { n: fc.integer({ min: 0, max: 4 }), s: fc.constantFrom('a', 'b') },
  { requiredKeys: [] },
)
const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), client, value, id: fc.option(id, { nil: undefined }) }),
  fc.record({ does: fc.constantFrom('replace' as const, 'update' as const), client, id, value }),
  fc.record({ does: fc.constant('delete' as const), client, id }),
  fc.record({ does: fc.constant('reset' as const), client }),
)
const query = fc.record(
  {
    n_gte: fc.integer({ min: 0, max: 4 }),
    s: fc.constantFrom('a', 'b'),
    page: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
)

class Model {
  #own = new Map<string, { items: Item[]; highest: number }>()

  of(client: string) {
    return this.#own.get(client) ?? this.#own.get('') ?? { items: start, highest: 3 }
  }
  write(client: string, change: (items: Item[], highest: number) => Item[] | undefined): boolean {
    const before = this.of(client)
    const items = change([...before.items], before.highest)
    if (!items) return false
    this.#own.set(client, { items, highest: Math.max(before.highest, ...items.map((item) => item.id)) })
    return true
  }
  reset(client: string): void {
    if (client === '') this.#own.clear()
    else this.#own.delete(client)
  }
}

it('a collection is a list that each client has to itself after its first write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, client, query), { maxLength: 25 }), async (steps) => {
      const state = new MockState()
      const model = new Model()
      const ask = (client: string, target: string, body?: object) =>
        send(table, target, {
          state,
          headers: { 'content-type': 'application/json', ...(client !== '' && { 'x-mock-client': client }) },
          ...(body && { body: JSON.stringify(body) }),
        })

      for (const [one, reader, asked] of steps) {
        if (one.does === 'reset') {
          state.reset(one.client)
          model.reset(one.client)
        } else if (one.does === 'create') {
          const item = { ...one.value, ...(one.id !== undefined && { id: one.id }) }
          const isDone = model.write(one.client, (items, highest) =>
            items.some((other) => other.id === one.id)
              ? undefined
              : [...items, { ...one.value, id: one.id ?? highest + 1 }],
          )
          const { status, body } = await ask(one.client, 'POST /items', item)
          expect(status).toBe(isDone ? 201 : 409)
          if (isDone) expect(body).toEqual(model.of(one.client).items.at(-1))
        } else {
          const isDone = model.write(one.client, (items) => {
            const index = items.findIndex((item) => item.id === one.id)
            if (index === -1) return undefined
            if (one.does === 'delete') return items.toSpliced(index, 1)
            const kept = one.does === 'update' ? items[index] : {}
            return items.with(index, { ...kept, ...one.value, id: one.id })
          })
          const method = { replace: 'PUT', update: 'PATCH', delete: 'DELETE' }[one.does]
          const { status } = await ask(
            one.client,
            `${method} /items/${one.id}`,
            'value' in one ? one.value : undefined,
          )
          expect(status).toBe(isDone ? (one.does === 'delete' ? 204 : 200) : 404)
        }
        const fits = (item: Item) =>
          (asked.n_gte === undefined || (item.n !== undefined && item.n >= asked.n_gte)) &&
          (asked.s === undefined || item.s === asked.s)
        const all = model.of(reader).items
        // As a filter on a field that no item has is ignored.
        const expected = all.filter((item) =>
          fits(all.some(({ s }) => s !== undefined) ? item : { ...item, s: asked.s! }),
        )
        const { page = 1 } = asked
        const search = new URLSearchParams(Object.entries(asked).map(([key, given]) => [key, String(given)]))
        const { body, headers } = await ask(reader, `GET /items?${search.toString()}`)
        expect(body).toEqual(expected.slice(page * 2 - 2, page * 2))
        expect(headers['x-total-count']).toBe(String(expected.length))
      }
    }),
    sampling(20),
  )
})

it('loses no write and gives no id twice, of 300 at once', async () => {
  const state = new MockState()
  const headers = { 'content-type': 'application/json' }
  const created = await Promise.all(
    Array.from({ length: 300 }, () => send(table, 'POST /items', { state, headers, body: '{}' })),
  )
  expect(new Set(created.map(({ body }) => (body as Item).id)).size).toBe(300)
  expect((await send(table, 'GET /items', { state, headers })).headers['x-total-count']).toBe('303')
  const values = Array.from({ length: 50 }, (_, index) => [`n${index}`, index] as const)
  await Promise.all(
    values.map(([key, n]) =>
      send(table, 'PATCH /items/1', { state, headers, body: JSON.stringify({ [key]: n }) }),
    ),
  )
  expect((await send(table, 'GET /items/1', { state, headers })).body).toMatchObject(
    Object.fromEntries(values),
  )
})
