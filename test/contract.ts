/*
 * The contract of the starter templates, as one table. The core, every entry and every host must fulfil it.
 */
import { expect, it } from 'vitest'
import { shuffled } from './shuffle.ts'

export interface ContractRequest {
  method?: string
  url: string
  headers?: Record<string, string>
  body?: string
}

export interface ContractResponse {
  status: number
  headers: Record<string, string>
  text: string
}

export type Send = (request: ContractRequest) => Promise<ContractResponse>

interface Case {
  name: string
  request: ContractRequest
  json: unknown
  route: string
}

const friends = [
  { id: '1000', name: 'Luke Skywalker' },
  { id: '1002', name: 'Han Solo' },
  { id: '1003', name: 'Leia Organa' },
]
const hero = { data: { hero: { name: 'R2-D2', heroFriends: friends } } }

const failing = (...locations: { line: number; column: number }[]) => ({
  errors: [
    {
      message: 'Name for character with ID 1002 could not be fetched.',
      locations,
      path: ['hero', 'heroFriends', 1, 'name'],
    },
  ],
  data: {
    hero: {
      name: 'R2-D2',
      heroFriends: friends.map(({ id, name }) => ({ id, name: id === '1002' ? null : name })),
    },
  },
})

const item = (id: number) => ({ id, name: `Item ${id}` })
const page = (number: number, ids: number[]) => ({
  page: number,
  per_page: 3,
  total: 8,
  total_pages: 3,
  has_more: number < 3,
  data: ids.map(item),
})
const pages = [page(1, [1, 2, 3]), page(2, [4, 5, 6]), page(3, [7, 8])]

const json = { 'content-type': 'application/json' }
const failingQuery =
  'query FailingQuery {\n  hero {\n    name\n    heroFriends {\n      id\n      name\n    }\n  }\n}'
const post = (payload: unknown, headers: Record<string, string> = json): ContractRequest => ({
  method: 'POST',
  url: '/graphql',
  headers,
  body: typeof payload === 'string' ? payload : JSON.stringify(payload),
})
const get = (params: Record<string, string>): ContractRequest => ({
  url: `/graphql?${new URLSearchParams(params)}`,
})

const heroCase = (name: string, request: ContractRequest): Case => ({
  name,
  request,
  json: hero,
  route: 'hero',
})
const failingCase = (name: string, request: ContractRequest, line: number, column: number): Case => ({
  name,
  request,
  json: failing({ line, column }),
  route: 'failing query',
})
const pageCase = (name: string, url: string, number: 1 | 2 | 3): Case => ({
  name,
  request: { url },
  json: pages[number - 1],
  route: `items, page ${number}`,
})

export const contract: Case[] = [
  heroCase('graphql: a query', post({ query: '{ hero { name } }' })),
  heroCase(
    'graphql: another operation name',
    post({ operationName: 'HeroQuery', query: 'query HeroQuery { a }' }),
  ),
  heroCase('graphql: no body', { method: 'POST', url: '/graphql' }),
  heroCase('graphql: an empty object', post({})),
  heroCase('graphql: a query that is not GraphQL', post({ query: 'not { graphql' })),
  heroCase('graphql: operationName null', post({ operationName: null, query: '{ a }' })),
  heroCase('graphql: operationName in another case', post({ operationName: 'failingquery' })),
  heroCase('graphql: over GET', get({ query: '{ hero { name } }' })),
  failingCase('failing: by the payload', post({ operationName: 'FailingQuery', query: failingQuery }), 6, 7),
  failingCase('failing: by the document', post({ query: failingQuery }), 6, 7),
  failingCase('failing: operationName alone', post({ operationName: 'FailingQuery' }), 1, 1),
  failingCase('failing: no content type', post({ operationName: 'FailingQuery' }, {}), 1, 1),
  failingCase(
    'failing: as curl -d sends it',
    post({ operationName: 'FailingQuery' }, { 'content-type': 'application/x-www-form-urlencoded' }),
    1,
    1,
  ),
  failingCase(
    'failing: application/graphql',
    post(failingQuery, { 'content-type': 'application/graphql' }),
    6,
    7,
  ),
  failingCase(
    'failing: a form',
    post(`operationName=FailingQuery&query=${encodeURIComponent(failingQuery)}`, {
      'content-type': 'application/x-www-form-urlencoded',
    }),
    6,
    7,
  ),
  failingCase('failing: over GET', get({ operationName: 'FailingQuery', query: failingQuery }), 6, 7),
  {
    name: 'failing: merged fields through an alias and a fragment',
    request: post({
      query:
        'query FailingQuery { hero { ...F heroFriends: friends { n: name name } } }\nfragment F on Hero { heroFriends: friends { name } }',
    }),
    json: failing({ line: 2, column: 45 }, { line: 1, column: 65 }),
    route: 'failing query',
  },
  {
    name: 'graphql: a batch',
    request: post([{ operationName: 'FailingQuery', query: failingQuery }, { query: '{ hero { name } }' }]),
    json: [failing({ line: 6, column: 7 }), hero],
    route: 'failing query, hero',
  },
  pageCase('items: page absent', '/items', 1),
  pageCase('items: page 1', '/items?page=1', 1),
  pageCase('items: page 2', '/items?page=2', 2),
  pageCase('items: page 3', '/items?page=3', 3),
  pageCase('items: another parameter beside it', '/items?per_page=50&page=2', 2),
  pageCase('items: the first value of a repeated parameter', '/items?page=2&page=3', 2),
  pageCase('items: an encoded value', '/items?page=%33', 3),
  pageCase('items: an encoded path', '/%69tems?page=2', 2),
  pageCase('items: a page that does not exist', '/items?page=99', 1),
  pageCase('items: page is not a number', '/items?page=two', 1),
  pageCase('items: page is empty', '/items?page=', 1),
  pageCase('items: a parameter named like a prototype', '/items?__proto__=2&constructor=3', 1),
]

/** Runs the whole table against one host or entry. */
export function testContract(send: Send): void {
  it.each(contract)('$name', async ({ request, json, route }) => {
    const response = await send(request)
    expect(response.status).toBe(200)
    expect(JSON.parse(response.text)).toEqual(json)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    if (response.headers['content-encoding'] === undefined)
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)))
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['x-mock-route']).toBe(route)
  })

  const seed = Math.floor(Math.random() * 2 ** 32)
  it('gives the same bytes for the same request in any order', async () => {
    const texts = new Map<string, string>()
    for (const { name, request } of contract) texts.set(name, (await send(request)).text)
    for (const { name, request } of shuffled(contract, seed))
      expect((await send(request)).text, `${name} (seed ${seed})`).toBe(texts.get(name))
  })

  it('the pages contain the items 1 to 8, each once', async () => {
    const texts = await Promise.all(
      [1, 2, 3].map(async (page) => (await send({ url: `/items?page=${page}` })).text),
    )
    const ids = texts.flatMap((text) =>
      (JSON.parse(text) as { data: { id: number }[] }).data.map(({ id }) => id),
    )
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('answers HEAD like GET, without the body', async () => {
    const head = await send({ method: 'HEAD', url: '/items?page=3' })
    const get = await send({ url: '/items?page=3' })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    if (get.headers['content-encoding'] === undefined)
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(head.headers['x-mock-route']).toBe('items, page 3')
  })
}
