/* The data providers of react-admin for json-server and for its own dialect, against `serve`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServing } from '../../src/cli/commands/serve.ts'

type Call = (resource: string, params: object) => Promise<{ data: unknown; total?: number }>
type Provider = Record<
  | 'getList'
  | 'getOne'
  | 'getMany'
  | 'getManyReference'
  | 'create'
  | 'update'
  | 'updateMany'
  | 'delete'
  | 'deleteMany',
  Call
>

const posts = Array.from({ length: 12 }, (_, index) => ({
  id: index + 1,
  title: `Post ${'abcdefghijkl'[index]}`,
  authorId: (index % 2) + 1,
  meta: { lang: index < 6 ? 'en' : 'fr' },
}))
const database = { posts, authors: [{ id: 1 }, { id: 2 }] }
const fixture = [
  {
    path: '/posts',
    collection: {
      ...{ items: posts, dialect: 'simple-rest', returnDeleted: true },
      relations: { author: { one: 'authors', by: 'authorId' } },
    },
  },
  { path: '/authors', collection: { items: database.authors } },
]

let root: string
const origins: string[] = []
const closes: (() => unknown)[] = []
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'react-admin-'))
  mkdirSync(join(root, 'fixtures'))
  writeFileSync(join(root, 'db.json'), JSON.stringify(database))
  writeFileSync(join(root, 'fixtures/posts.json'), JSON.stringify(fixture))
  const packages = ['ra-data-json-server@5', 'ra-data-simple-rest@5', 'ra-core@5', 'react@19', 'react-dom@19']
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', '--prefix', root, ...quietly, ...packages], { stdio: 'ignore' })
  const nothing = () => {}
  const terminal = { cwd: root, isInteractive: false, print: nothing, note: nothing }
  const silent = {
    ...terminal,
    style: (_: unknown, text: string) => text,
    confirm: () => Promise.resolve(false),
  }
  for (const place of ['db.json', 'fixtures']) {
    const { origin, close } = await startServing(silent, place, { port: 0 })
    origins.push(origin)
    closes.push(close)
  }
})
afterAll(async () => {
  for (const close of closes) await close()
  rmSync(root, { recursive: true, force: true })
})

describe.each([
  ['ra-data-json-server', 0, 'x-total-count', '/posts?_start=0&_end=5'],
  ['ra-data-simple-rest', 1, 'content-range', '/posts?range=[0,4]'],
])('%s', (name, index, header, part) => {
  let api: Provider
  beforeAll(async () => {
    const file = join(root, 'node_modules', name, 'dist/index.js')
    const { default: create } = (await import(pathToFileURL(file).href)) as {
      default: (url: string) => Provider
    }
    api = create(origins[index]!)
  })
  beforeEach(async () => {
    const headers = { 'x-mock-api': '1' }
    await fetch(`${origins[index]}/__mock-api/api/reset`, { method: 'POST', headers })
  })
  const ids = ({ data }: { data: unknown }) => (data as { id: number }[]).map(({ id }) => id)
  const page = { pagination: { page: 2, perPage: 5 }, sort: { field: 'title', order: 'DESC' } }

  it('getList', async () => {
    const list = await api.getList('posts', { ...page, filter: {} })
    expect([ids(list), list.total]).toEqual([[7, 6, 5, 4, 3], 12])
    const filtered = await api.getList('posts', { ...page, filter: { meta: { lang: 'fr' } } })
    expect([ids(filtered), filtered.total]).toEqual([[7], 6])
    const found = await api.getList('posts', {
      ...page,
      pagination: { page: 1, perPage: 5 },
      filter: { q: 'post c' },
    })
    expect([ids(found), found.total]).toEqual([[3], 1])
    const none = await api.getList('posts', { ...page, filter: { title: 'no such' } })
    expect([none.data, none.total]).toEqual([[], 0])
  })

  it('getOne, getMany, getManyReference', async () => {
    expect((await api.getOne('posts', { id: 3 })).data).toEqual(posts[2])
    await expect(api.getOne('posts', { id: 99 })).rejects.toMatchObject({ status: 404 })
    expect(ids(await api.getMany('posts', { ids: [4, 2] }))).toEqual([2, 4])
    const reference = { target: 'authorId', id: 2, filter: {}, ...page }
    const own = await api.getManyReference('posts', reference)
    expect([ids(own), own.total]).toEqual([[2], 6])
  })

  it('create, update, updateMany', async () => {
    expect((await api.create('posts', { data: { title: 'New' } })).data).toEqual({ id: 13, title: 'New' })
    const changed = { ...posts[0], title: 'Other' }
    expect((await api.update('posts', { id: 1, data: changed, previousData: posts[0] })).data).toEqual(
      changed,
    )
    expect((await api.updateMany('posts', { ids: [2, 3], data: { title: 'Same' } })).data).toEqual([2, 3])
    expect((await api.getOne('posts', { id: 2 })).data).toEqual({ id: 2, title: 'Same' })
  })

  it('delete, deleteMany', async () => {
    expect((await api.delete('posts', { id: 1, previousData: posts[0] })).data).toEqual(posts[0])
    expect((await api.deleteMany('posts', { ids: [2, 3] })).data).toEqual([2, 3])
    expect((await api.getList('posts', { ...page, filter: {} })).total).toBe(9)
  })

  it('embeds what belongs to an item', async () => {
    const [relation, other] = index === 0 ? ['posts', 'authors'] : ['author', 'posts']
    const { data } = await api.getOne(other, { id: 2, meta: { embed: index === 0 ? relation : [relation] } })
    expect((data as Record<string, unknown>)[relation]).toEqual(
      index === 0 ? posts.filter(({ authorId }) => authorId === 2) : { id: 2 },
    )
  })

  it('pages of another origin can read the length of a list', async () => {
    const answer = await fetch(origins[index] + part, { headers: { origin: 'http://localhost:5173' } })
    expect([
      answer.headers.get(header)?.split('/').at(-1),
      answer.headers.get('access-control-expose-headers'),
      answer.headers.get('access-control-allow-origin'),
    ]).toEqual(['12', header, 'http://localhost:5173'])
    const preflight = await fetch(`${origins[index]}/posts`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'range',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'range'])
  })
})
