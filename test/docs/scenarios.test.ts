/* docs/scenarios.md: its fixture files are loaded, and its table of answers is asked for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, readPage } from './pages.ts'
import type { Served } from '../hosts/of-test.ts'
import { serveExample } from './serve-example.ts'

const page = readPage('docs/scenarios.md')
const files = Object.fromEntries(
  Object.entries(filesOf('docs/scenarios.md')).filter(([file]) => file.startsWith('fixtures/')),
)

let example: Served
beforeAll(async () => {
  example = await serveExample({ ...files, 'fixtures/crash.json': '{"price":0}' })
})
afterAll(() => example.close())

it('has four fixture files without a mistake', () => {
  const names = ['shop.yaml', 'session.yaml', 'orders.yaml', 'upload.ts']
  expect(Object.keys(files)).toEqual(names.map((name) => `fixtures/${name}`))
  expect(example.log).toEqual([
    expect.stringContaining('14 routes from fixtures/orders.yaml, fixtures/session.yaml, fixtures/shop.yaml'),
  ])
})

describe('the table of answers', () => {
  const section = page.slice(0, page.indexOf('### Switch it on'))
  const rows = [...section.matchAll(/^\| `(\w+) (\S+)` +\| (.*?) *\| (.*?) *\|$/gm)].map(
    ([, method, url, active, answer]) => ({
      method: method!,
      url: url!,
      active: active!.replaceAll('`', ''),
      answer: answer!.replaceAll('`', ''),
    }),
  )
  it.each(rows)('$method $url in "$active": $answer', async ({ method, url, active, answer }) => {
    const sent = await example.send({ method, url, headers: { 'x-mock-scenario': active } })
    expect(sent.headers['x-mock-route'] === undefined ? 'passed on' : `${sent.status} ${sent.text}`).toBe(
      answer,
    )
  })
  it('has nine rows', () => expect(rows).toHaveLength(9))
})

it('the login', async () => {
  const ask = async (method: string, url: string, body?: object) => {
    const headers = { 'x-mock-client': 'login', 'content-type': 'application/json' }
    return (await example.send({ method, url, headers, ...(body && { body: JSON.stringify(body) }) })).status
  }
  const statuses = [
    await ask('GET', '/me'),
    await ask('POST', '/login', { password: 'guess' }),
    await ask('GET', '/me'),
    await ask('POST', '/login', { password: 'hunter2' }),
    await ask('GET', '/me'),
    await ask('POST', '/logout'),
    await ask('GET', '/me'),
  ]
  expect(statuses).toEqual([401, 401, 401, 200, 200, 204, 401])
})

it('the sequences', async () => {
  const { send } = example
  const ask = async (url: string, times: number) => {
    const answers: string[] = []
    for (let i = 0; i < times; i++) {
      const { status, text } = await send({ url })
      answers.push(`${status} ${text}`)
    }
    return answers
  }
  const shipped = '200 {"state":"shipped"}'
  expect(await ask('/orders/7', 4)).toEqual(['503 ', '503 ', shipped, shipped])
  expect(await ask('/orders/8', 1)).toEqual(['503 '])
  const prices = [10, 11, 0].map((price) => `200 {"price":${price}}`)
  expect(await ask('/ticker', 4)).toEqual([...prices, prices[0]])

  const upload = { method: 'POST', url: '/upload', headers: { 'content-type': 'image/png' }, body: 'x' }
  expect((await send(upload)).status).toBe(507)
  expect((await send(upload)).text).toBe('{"type":"image/png"}')
})
