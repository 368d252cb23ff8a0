import { describe, expect, it } from 'vitest'
import { apiServerOnce } from '../../inspector/server/api-server.ts'

/* Streams over a real server. What is due when, and how each format writes it: test/core/stream. */

const fixtures = {
  'fixtures/streams.yaml': `
- path: /events
  response: { stream: [ { event: tick, id: 1, data: { n: 1 } }, { delay: 5, id: 2, data: "two\\nlines" } ], end: complete }
- path: /lines
  response: { stream: { as: ndjson, events: [ { data: { n: 1 } }, { data: 2 } ] }, headers: { x-a: b } }
- path: /words
  response: { stream: { as: text, text: "One two\\n three", each: 1 } }
- method: POST
  path: /v1/chat/completions
  when: { body: { stream: true } }
  response: { stream: { as: openai-chat, text: Hello there, first: 2, each: 1 } }
- path: /mine
  response: { stream: [{ data: { id: { $from: query.id } } }], end: complete }
`,
}

const server = apiServerOnce(fixtures)

const get = (path: string, init?: RequestInit) => fetch(server.origin + path, init)

describe('formats', () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1waeot5', object: 'chat.completion.chunk', created: 0, model: 'mock', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  it.each<[path: string, type: string, text: string, body?: object]>([
    ['/events', 'text/event-stream; charset=utf-8', ':\n\nevent: tick\nid: 1\ndata: {"n":1}\n\nid: 2\ndata: two\ndata: lines\n\n'],
    ['/lines', 'application/x-ndjson; charset=utf-8', '{"n":1}\n2\n'],
    ['/words', 'text/plain; charset=utf-8', 'One two\n three'],
    ['/v1/chat/completions', 'text/event-stream; charset=utf-8', `${chunk({ role: 'assistant', content: 'Hello' })}${chunk({ content: ' there' })}${chunk({}, 'stop')}data: [DONE]\n\n`, { stream: true }],
    ['/mine?id=7', 'text/event-stream; charset=utf-8', ':\n\ndata: {"id":"7"}\n\n'],
  ])('%s', async (path, type, text, body) => {
    const sent = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await get(path, sent)
    expect(await response.text()).toBe(text)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.has('content-length')).toBe(false)
  }) // prettier-ignore
})

it('a client that comes back goes on after the last event it has had, and stops at the 204', async () => {
  const rest = await get('/events', { headers: { 'last-event-id': '1' } })
  expect(await rest.text()).toBe(':\n\nid: 2\ndata: two\ndata: lines\n\n')
  expect((await get('/events', { headers: { 'last-event-id': '2' } })).status).toBe(204)
})
