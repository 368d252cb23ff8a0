import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createMiddleware } from '../../src/connect.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import type { TestProject } from '../hosts/test-project.ts'

const kept = 'node_modules/.cache/unplugin-mock-api/collections.jsonl'
const fixture = (items: string) => `
- path: /orders
  collection: { items: ${items}, persist: true }
- path: /others
  collection: { items: [{ id: 1 }] }
`

let project: TestProject
let file: string
let said: string[]
beforeEach(() => {
  project = projectOfTest({ 'fixtures/orders.yaml': fixture('[{ id: 1 }]') })
  file = join(project.root, kept)
  said = []
})

type Ask = (path: string, init?: RequestInit) => Promise<unknown>

async function start(fixtures?: string): Promise<{ ask: Ask; close: () => Promise<void> }> {
  const say = (text: string) => void said.push(text)
  const logger = { info() {}, warn: say, error: say }
  const middleware = createMiddleware({
    root: project.root,
    logger,
    watch: false,
    ...(fixtures !== undefined && { fixtures }),
  })
  const server = createServer((req, res) => middleware(req, res, () => res.end()))
  const origin = await listen(server)
  await middleware.ready
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await middleware.close()
    await closeServer(server)
  }
  onTestFinished(close)
  return {
    async ask(path, init) {
      const response = await fetch(origin + path, {
        ...init,
        headers: { 'x-mock-api': '1', ...init?.headers },
      })
      const text = await response.text()
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    },
    close,
  }
}

/** What requests get of a server that is then closed. */
async function during<T>(run: (ask: Ask) => Promise<T>): Promise<T> {
  const { ask, close } = await start()
  const answer = await run(ask)
  await close()
  return answer
}

const sent = (method: string, body?: unknown): RequestInit => ({
  method,
  ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
})
const create = sent('POST', { kept: true })
const control = '/__mock-api/api/'
const inFile = () => readFileSync(file, 'utf8')

it('keeps what everyone has changed over a restart, where the collection says so', async () => {
  await during(async (ask) => {
    await ask('/orders', create)
    await ask('/orders', { ...create, headers: { 'x-mock-client': 'a' } })
    await ask('/others', create)
  })
  // A collection that is not asked for is kept as well.
  await during((ask) => ask('/others', create))
  await during(async (ask) => {
    expect(await ask('/orders')).toEqual([{ id: 1 }, { kept: true, id: 2 }])
    expect(await ask('/orders', { headers: { 'x-mock-client': 'a' } })).toHaveLength(2)
    expect(await ask('/others')).toEqual([{ id: 1 }])
    await ask(`${control}reset`, { method: 'POST' })
    expect(await ask('/orders')).toEqual([{ id: 1 }])
  })
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }])
  expect(existsSync(file)).toBe(false)
  expect(said).toEqual([])
})

type Change = [path: string, init: RequestInit]
const orders = (method: string, body?: unknown): Change => ['/orders', sent(method, body)]
const first = (method: string, body?: unknown): Change => ['/orders/1', sent(method, body)]
const made: Change = ['/orders', create]
const filled: Change = [`${control}collections/orders`, sent('PUT', { items: [{ id: 'x' }] })]
const two = { id: 2, kept: true }
const unusual = '{"__proto__":{"a":1},"text":"a\\n\\"b\\"\\u2028"'
const digits: Change = ['/orders', { method: 'POST', body: '{"id":9007199254740993123}' }]

const changed: [name: string, changes: Change[], items: object[]][] = [
  ['created', [made], [{ id: 1 }, two]],
  ['updated', [first('PATCH', { a: 1 })], [{ id: 1, a: 1 }]],
  ['replaced twice', [first('PUT', { a: 1 }), first('PUT', { b: 1 })], [{ id: 1, b: 1 }]],
  ['deleted', [first('DELETE')], []],
  [
    'created and deleted: its id is not given again',
    [made, ['/orders/2', sent('DELETE')], made],
    [{ id: 1 }, { id: 3, kept: true }],
  ],
  ['deleted and created again: at the end', [made, first('DELETE'), orders('POST', { id: 1 })], [two, { id: 1 }]],
  ['filled', [made, filled], [{ id: 'x' }]],
  ['changed after a reset', [made, [`${control}reset`, sent('POST')], orders('POST', { b: 1 })], [{ id: 1 }, { id: 2, b: 1 }]],
  ['reset alone', [made, [`${control}collections/orders`, sent('DELETE')]], [{ id: 1 }]],
  [
    'changed in the inspector',
    [[`${control}collections/orders/1`, sent('PUT', { item: { id: 1, b: null } })]],
    [{ id: 1, b: null }],
  ],
  [
    'given texts with line breaks, quotes and an unusual key',
    [orders('POST', JSON.parse(`${unusual}}`))],
    [{ id: 1 }, JSON.parse(`${unusual},"id":2}`) as object],
  ],
  ['given an id of 19 digits', [digits], [{ id: 1 }, { id: 9007199254740993123 }]],
] // prettier-ignore

describe.each(changed)('items that are %s', (_, changes, items) => {
  it('are in the file before each answer, and last', async () => {
    const { ask } = await start()
    for (const [index, [path, init]] of changes.entries()) {
      await ask(path, init)
      // As if the first server had just died: another one has all.
      const now = await ask('/orders')
      const other = await start()
      expect(await other.ask('/orders')).toEqual(now)
      await other.close()
      if (index === changes.length - 1) expect(now).toEqual(items)
    }
    expect(said).toEqual([])
  })

  it('are those of another dev server of the folder as well, which changes them further', async () => {
    const [one, other] = [await start(), await start()]
    for (const [index, [path, init]] of changes.entries()) await [one, other][index % 2]!.ask(path, init)
    expect([await one.ask('/orders'), await other.ask('/orders')]).toEqual([items, items])
    const made = (await one.ask('/orders', sent('POST', { of: 'one' }))) as { id: unknown }
    const next = (await other.ask('/orders', sent('POST', { of: 'other' }))) as { id: unknown }
    const all = [...items, made, next]
    expect([await one.ask('/orders'), await other.ask('/orders')]).toEqual([all, all])
    expect(said).toEqual([])
  })
})

it('gives no id twice, and loses no item, of two servers that write at the same moment', async () => {
  const script = fileURLToPath(new URL('persist-writer.mjs', import.meta.url))
  const servers = [0, 1].map(() => {
    const child = spawn(process.execPath, [script, project.root, '50'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  })
  for (const { lines } of servers) expect((await lines.next()).value).toBe('ready')
  for (const { child } of servers) child.stdin.write('go')
  const printed = await Promise.all(servers.map(async ({ lines }) => (await lines.next()).value as string))
  const ids = printed.flatMap((line) => JSON.parse(line) as number[])
  expect(new Set(ids).size).toBe(100)
  const { ask } = await start()
  expect(await ask('/orders')).toHaveLength(101)
})

it('goes on where a server has ended in the middle of a change', async () => {
  const { ask } = await start()
  await ask('/orders', sent('POST', { of: 'one' }))
  const lock = `${file}.lock`
  writeFileSync(lock, '')
  utimesSync(lock, 9e9, 9e9) // the clock was set back
  expect(await ask('/orders', sent('POST', { of: 'other' }))).toMatchObject({ id: 3 })
  expect(existsSync(lock)).toBe(false)
})

it('is short again after a restart', async () => {
  await during(async (ask) => {
    for (let i = 0; i < 30; i++) await ask('/orders/1', sent('PUT', { i }))
  })
  expect(inFile().split('\n')).toHaveLength(31)
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1, i: 29 }])
  expect(inFile().split('\n')).toHaveLength(2)
})

it('keeps collections apart that have one name in fixture files of two servers', async () => {
  project.write('mocks/orders.yaml', fixture('[{ id: 1 }]'))
  const [one, other] = [await start(), await start('mocks')]
  await one.ask('/orders', sent('POST', { of: 'one' }))
  await other.ask('/orders', sent('POST', { of: 'other' }))
  await one.close()
  await other.close()
  expect(await (await start()).ask('/orders')).toEqual([{ id: 1 }, { of: 'one', id: 2 }])
  expect(await (await start('mocks')).ask('/orders')).toEqual([{ id: 1 }, { of: 'other', id: 2 }])
})

it('survives that the file is deleted while the server runs, as by an installation', async () => {
  const { ask } = await start()
  await ask('/orders', create)
  rmSync(join(project.root, 'node_modules'), { recursive: true })
  await ask('/orders', create)
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }, two, { ...two, id: 3 }])
  rmSync(file)
  await ask(`${control}reset`, sent('POST'))
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }])
})

it('does not bring back items that were made from others', async () => {
  await during((ask) => ask('/orders', create))
  project.write('fixtures/orders.yaml', fixture('[{ id: 1 }, { id: 9 }]'))
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }, { id: 9 }])
  await during((ask) => ask('/orders', create))
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }, { id: 9 }, { kept: true, id: 10 }])
})

const three = { ...two, id: 3 }
/** Two changes: a line with all items, and one with an item. */
const broken: [name: string, of: (text: string) => string, items?: object[] | undefined, isSaid?: boolean][] =
  [
    ['empty', () => '', undefined, false],
    ['an object', () => '{}'],
    ['null', () => 'null'],
    ['a list', () => '[1]'],
    ['of another program', () => '# Notes\n\nBuy milk.\n'],
    ['bytes', () => '\0\u0001\uFFFD'.repeat(10_000)],
    ['of an older version', (text) => `[${text.trim().split('\n')[0]!}]`],
    ['with an id twice', (text) => text.replace('"id":2', '"id":1')],
    ['with an item that is none', (text) => text.replace('{"id":1}', 'null')],
    ['with a count that is none', (text) => text.replace('"made":0', '"made":null')],
    ['with another item than it says', (text) => text.replace('"changed":"3"', '"changed":"4"'), [{ id: 1 }, two]],
    ['cut off', (text) => text.slice(0, -5), [{ id: 1 }, two]],
    ['cut off, and longer', (text) => `${text.slice(0, -5)}${text}`, [{ id: 1 }, two, three]],
    ['with an older format behind', (text) => `${text}\n[]`, [{ id: 1 }, two, three]],
    ['with the line ends of Windows', (text) => text.replaceAll('\n', '\r\n'), [{ id: 1 }, two, three], false],
  ] // prettier-ignore

it.each(broken)(
  'a file that is %s: says so once, and answers',
  async (_, of, items = [{ id: 1 }], isSaid = true) => {
    await during(async (ask) => {
      await ask('/orders', create)
      await ask('/orders', create)
    })
    const text = of(inFile())
    writeFileSync(file, text)
    await during(async (ask) => {
      expect(await ask('/orders')).toEqual(items)
      await ask('/orders', sent('POST', { id: 7 }))
    })
    expect(said).toEqual(
      isSaid ? [expect.stringMatching(/\d lines? of .*jsonl can't be read.*\n.*Fix: Correct the file/)] : [],
    )
    // Nothing that can't be read is thrown away.
    if (isSaid) expect(inFile().startsWith(text)).toBe(true)
    expect(await during((ask) => ask('/orders'))).toEqual([...items, { id: 7 }])
  },
)

it.each<[name: string, block: () => void]>([
  ['the file is a folder', () => mkdirSync(file, { recursive: true })],
  ['the folder is a file', () => project.write(dirname(kept), '')],
  ['a folder above is a file', () => project.write('node_modules', '')],
])('where %s: says once that nothing is kept, and answers', async (_, block) => {
  block()
  await during(async (ask) => {
    for (let id = 2; id < 5; id++) expect(await ask('/orders', create)).toEqual({ kept: true, id })
    expect(await ask('/orders')).toHaveLength(4)
  })
  expect(said).toEqual([expect.stringMatching(/can't be kept in node_modules.*\n.*Fix: /)])
})

it('keeps all that could not be kept, once it can', async () => {
  mkdirSync(file, { recursive: true })
  const { ask } = await start()
  await ask('/orders', create)
  rmSync(file, { recursive: true })
  await ask('/orders', create)
  const others = readdirSync(dirname(file)).filter((name) => name !== 'servers')
  expect(others).toEqual(['collections.jsonl'])
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }, two, { ...two, id: 3 }])
  expect(said).toHaveLength(1)
})

it('keeps what another server has kept while it could not', async () => {
  const [one, other] = [await start(), await start()]
  const make = ({ ask }: typeof one, id: string) => ask('/orders', sent('POST', { id }))
  await make(one, 'a')
  const text = inFile()
  rmSync(file)
  mkdirSync(file)
  await make(one, 'b')
  rmSync(file, { recursive: true })
  writeFileSync(file, text)
  await make(other, 'c')
  await make(other, 'd')
  await make(one, 'e')
  const all = ['a', 'b', 'c', 'd', 'e']
  for (const { ask } of [one, other, await start()])
    expect(
      ((await ask('/orders')) as { id: unknown }[])
        .map(({ id }) => id)
        .slice(1)
        .sort(),
    ).toEqual(all)
  expect(said).toHaveLength(1)
})

it('keeps a reset that could not be kept, once it can', async () => {
  const { ask } = await start()
  await ask('/orders', create)
  rmSync(file)
  mkdirSync(file)
  await ask('/orders', create)
  rmSync(file, { recursive: true })
  await ask(`${control}reset`, sent('POST'))
  expect(await during((ask) => ask('/orders'))).toEqual([{ id: 1 }])
})
