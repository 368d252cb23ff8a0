import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../../src/client.ts'
import { startApiServer, type ApiServer } from '../../inspector/server/api-server.ts'
import { readUntil } from './read-stream.ts'

/* How streams end: by faults, by the client, by a save, and by the server. */

const fixture = `
- { path: /reset, response: { stream: [{ data: one, fault: reset }, { data: two }] } }
- { path: /truncated, response: { stream: { as: ndjson, events: [{ data: 1 }] }, end: truncated } }
- { path: /malformed, response: { stream: [{ data: one }], end: malformed } }
- { path: /complete, response: { stream: [{ data: one }], end: complete } }
- { path: /silent, response: { stream: [{ data: one }], fault: silent } }
- { path: /stay, response: { stream: [{ data: one }, { delay: 1000000, data: never }], on: { push: stay } } }
`
const code = `
export default [
  { path: '/throws', response: function* () { yield { data: 1 }; throw new Error('no more') } },
  { path: '/wrong', response: function* () { yield { dat: 1 } } },
  { path: '/circle', response: () => { const data = {}; data.data = data; return { stream: [{ data }] } } },
  { path: '/circles', response: function* () { const data = {}; data.data = data; yield { data } } },
  { path: '/endless', response: async function* () { for (let n = 0; ; n++) yield { data: n } } },
  { path: '/ticks', response: ({ query }) => ({ stream: { as: 'ndjson', events: (function* () { yield { data: query.n } })() }, headers: { 'x-own': 'a' } }) },
]
`

let server: ApiServer
const logged: string[] = []
beforeAll(async () => {
  const error = (text: string) => void logged.push(text)
  server = await startApiServer(
    { 'fixtures/a.yaml': fixture, 'fixtures/b.mjs': code },
    { logger: { info() {}, warn() {}, error } },
  )
})
afterAll(() => server.close())

/** What has arrived, and how it ended. */
function read(path: string, take = Infinity): Promise<{ text: string; end: string }> {
  return new Promise((resolve) => {
    const asked = request(server.origin + path, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += String(chunk)
        if (text.length >= take) asked.destroy()
      })
      response.on('error', ({ message }) => resolve({ text, end: message }))
      response.on('end', () => resolve({ text, end: 'complete' }))
    })
    asked.on('error', ({ message }) => resolve({ text: '', end: message }))
    asked.end()
  })
}

const text = ':\n\ndata: one\n\n'
it.each([
  ['/complete', text, 'complete'],
  ['/truncated', '1\n', 'aborted'],
  ['/throws', ':\n\ndata: 1\n\n', 'aborted'],
  ['/wrong', ':\n\n', 'aborted'],
  ['/circles', ':\n\n', 'aborted'],
  ['/ticks?n=5', '"5"\n', 'complete'],
])('%s', async (path, expected, end) => {
  expect(await read(path)).toEqual({ text: expected, end })
})

it('/reset ends with the first event, which a busy client may not have read', async () => {
  const { text: arrived, end } = await read('/reset')
  expect([text.startsWith(arrived), end === 'complete']).toEqual([true, false])
})

it('/malformed is no valid chunk', async () => {
  expect((await read('/malformed')).end).toMatch(/Parse Error|aborted/)
})

it('says why a function has failed, and where', async () => {
  expect(await (await server.send('/circle')).json()).toMatchObject({ error: { code: 'function-failed' } })
  expect(logged.join('\n')).toContain('fixtures/b.mjs:3')
  expect(logged.join('\n')).toContain('no more')
  expect(logged.join('\n')).toContain('this is not an event: Unknown key "dat".')
})

it('an endless generator lets other requests be answered, and ends when its client leaves', async () => {
  const { text } = await read('/endless', 10_000)
  expect(text).toContain('data: 99\n\n')
  expect((await server.send('/complete')).status).toBe(200)
})

it('a save ends the streams of the file, and no others', async () => {
  const response = await server.send('/stay')
  const until = readUntil(response)
  await until('one')
  writeFileSync(join(server.project.root, 'fixtures/b.mjs'), code.replace('/ticks', '/saved'))
  await expect.poll(async () => (await server.send('/saved')).status).toBe(200)
  expect(await createClient(server.origin).push('stay', 'pushed')).toBe(1)
  await until('pushed')
  writeFileSync(join(server.project.root, 'fixtures/a.yaml'), `${fixture}\n# saved`)
  await expect(until('never')).rejects.toThrow('The stream has ended')
})

it('closing the server ends all', async () => {
  const other = await startApiServer({ 'fixtures/a.yaml': fixture })
  const until = readUntil(await other.send('/stay'))
  await until('one')
  await other.close()
  await expect(until('never')).rejects.toThrow()
})
