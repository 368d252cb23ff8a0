import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, type Fixture } from '../../../src/fetch.ts'
import { holdsSecret } from '../../../src/core/redact/redact.ts'
import { readModelStream } from '../../../src/core/stream/models/read-lines.ts'
import type { FixtureEvent } from '../../../src/core/schema/stream-schema.ts'
import { readEvents } from '../../../src/writer/exchange/read-events.ts'
import { sampling } from '../../sampling.ts'

const names = ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'] as const
type Name = (typeof names)[number]

type Stream = Extract<NonNullable<Exclude<Fixture[0]['response'], unknown[]>>, { stream?: unknown }>['stream']

/** The answer to a client of a model, which wants events or not. */
async function ask(as: Name, stream: object, { stream: wants = true, ...more }: { stream?: boolean; stream_options?: object } = {}, route = {}) {
  const path = as === 'google' ? `/models/pro:${wants ? 'streamG' : 'g'}enerateContent` : '/chat'
  const response = { stream: { as, ...stream } as Stream }
  const handler = createFetchHandler([{ method: 'POST', path: '/**', response, ...route }], { logLevel: 'silent' })
  const body = JSON.stringify({ model: 'pro', stream: wants, ...more })
  const send = async () => (await handler(new Request(`http://localhost${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })))!
  const answer = await send()
  return { status: answer.status, headers: answer.headers, text: await answer.text(), send }
} // prettier-ignore

const dataIn = (text: string) => readEvents(text, () => {}).map(({ data }) => data)
const lines: FixtureEvent[] = [
  { data: { thinking: 'Look it up.' } },
  { data: { text: 'One moment, please.' } },
  { data: { tool: 'get_weather', input: { city: 'Oslo' } } },
]

describe.each(names)('%s', (as) => {
  it('sends a text word by word, as the API does', async () => {
    const { headers, text } = await ask(as, { text: 'Hello from the mock.' })
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await expect(text).toMatchFileSnapshot(`models/${as}.text.txt`)
  })

  it('sends thinking, a text and the call of a tool', async () => {
    const { text } = await ask(as, { events: lines }, { stream_options: { include_usage: true } })
    await expect(text).toMatchFileSnapshot(`models/${as}.lines.txt`)
  })

  it.skipIf(as === 'ai-sdk')('sends the same lines as a whole', async () => {
    const { text } = await ask(as, { events: lines }, { stream: false })
    await expect(JSON.stringify(JSON.parse(text), null, 2)).toMatchFileSnapshot(`models/${as}.whole.json`)
  })

  const error = { data: { error: { type: 'overloaded_error', message: 'Busy.' } } }
  it('an error that comes first is the answer, and a later one ends the events', async () => {
    const first = await ask(as, { events: [error] })
    expect([first.status, first.text]).toEqual([529, expect.stringContaining('Busy.')])
    const named = await ask(as, { events: [{ data: { error: 'overloaded_error' } }] })
    expect([named.status, named.text]).toEqual([
      529,
      expect.stringMatching(/overloaded_error|UNAVAILABLE|Overloaded/i),
    ])
    const later = await ask(as, { events: [{ data: 'Hal' }, error, { data: 'never' }] })
    expect(later.status).toBe(200)
    expect(later.text).toContain('Hal')
    expect(later.text.slice(later.text.indexOf('Hal'))).toContain('Busy.')
    expect(later.text).not.toMatch(/never|DONE|message_stop|response\.completed|finish-step/)
    if (as === 'ai-sdk') return
    const whole = await ask(as, { events: [{ data: 'Hal' }, error] }, { stream: false })
    expect([whole.status, whole.text]).toEqual([529, first.text])
  })

  it('more requests than the limit get the error of the API', async () => {
    const { send } = await ask(as, { text: 'Once.' }, {}, { rateLimit: { requests: 1, per: 60_000 } })
    const refused = await send()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    const limits = [...refused.headers.keys()].filter((name) => name.includes('ratelimit'))
    expect(limits).toHaveLength(['google', 'ai-sdk'].includes(as) ? 0 : 3)
    expect(await refused.text()).toMatch(/rate_limit_error|RESOURCE_EXHAUSTED/)
  })

  const words = fc.string({ minLength: 1, unit: fc.constantFrom('a', ' ', 'é', '\n', '"', '☃') })
  const kind =
    as === 'openai-chat' || as === 'openai-responses' ? ['text', 'thinking', 'refusal'] : ['text', 'thinking']
  // A secret is redacted.
  const input = fc.dictionary(
    fc.constantFrom('a', 'b'),
    fc.jsonValue().filter((value) => !holdsSecret(value) && !holdsSecret(JSON.stringify(value))),
  )
  const line = fc.oneof(
    fc.record({ key: fc.constantFrom(...kind), words }).map(({ key, words }) => ({ [key]: words })),
    fc.record({ tool: fc.constantFrom('look', 'say'), input }),
  ) // prettier-ignore
  it('is read back as the lines that it was sent from', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(undefined, 'length'),
        async (given, finish) => {
          const sent = [...given, ...(finish ? [{ finish }] : [])].map((data) => ({ data }))
          const { text } = await ask(as, { events: sent })
          const read = readModelStream(dataIn(text))!
          const again = await ask(as, { ...read })
          expect(read.as).toBe(as)
          expect(readModelStream(dataIn(again.text))).toEqual(read)
          const joined = (key: string, list: unknown[]) => list.map((one) => (one as Record<string, string>)[key] ?? '').join('')
          const readLines = read.events?.map(({ data }) => data) ?? [{ text: read.text }]
          for (const key of kind) expect(joined(key, readLines)).toBe(joined(key, given))
          const calls = (list: unknown[]) => list.filter((one) => (one as { tool?: string }).tool)
          expect(calls(readLines)).toEqual(JSON.parse(JSON.stringify(calls(given))))
          expect(readLines.some((one) => (one as { finish?: string }).finish === 'length')).toBe(finish === 'length')
        },
      ),
      sampling(20),
    )
  }) // prettier-ignore
})

it('a connection may break in the middle, also of a whole answer', async () => {
  await expect(ask('anthropic', { events: [{ data: 'Hal', fault: 'truncated' }] })).rejects.toThrow()
  await expect(ask('anthropic', { events: [{ data: 'Hal', fault: 'truncated' }] }, { stream: false })).rejects.toThrow() // prettier-ignore
})

it.each<[as: Name, finish: string, sent: string]>([
  ['openai-chat', 'length', '"finish_reason":"length"'],
  ['openai-chat', 'filter', '"finish_reason":"content_filter"'],
  ['openai-responses', 'length', '"reason":"max_output_tokens"'],
  ['openai-responses', 'filter', '"reason":"content_filter"'],
  ['anthropic', 'length', '"stop_reason":"max_tokens"'],
  ['anthropic', 'filter', '"stop_reason":"refusal"'],
  ['anthropic', 'pause_turn', '"stop_reason":"pause_turn"'],
  ['google', 'length', '"finishReason":"MAX_TOKENS"'],
  ['google', 'filter', '"finishReason":"SAFETY"'],
  ['ai-sdk', 'length', '"finishReason":"length"'],
  ['ai-sdk', 'filter', '"finishReason":"content-filter"'],
])('%s: finish %s is %s', async (as, finish, sent) => {
  expect((await ask(as, { events: [{ data: 'Hi' }, { data: { finish } }] })).text).toContain(sent)
})

it('an object that is no line is an event, or a delta of chat completions', async () => {
  const data = { type: 'data-weather', data: { sun: true } }
  expect(dataIn((await ask('ai-sdk', { events: [{ data }] })).text)).toContainEqual(data)
  const { text } = await ask('openai-chat', { events: [{ data: { content: 'Hi', x: 1 } }] })
  expect(dataIn(text)[0]).toMatchObject({ choices: [{ delta: { role: 'assistant', content: 'Hi', x: 1 } }] })
})

it('a tool that the server has called has its result, and what follows is another step', async () => {
  const events = [{ data: { tool: 'look', input: {}, output: { sun: 1 } } }, { data: 'Sunny.' }]
  const { text } = await ask('ai-sdk', { events })
  const types = dataIn(text).map((data) => (data as { type?: string }).type)
  expect(types.slice(-8)).toEqual(['finish-step', 'start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish', undefined]) // prettier-ignore
  expect(readModelStream(dataIn(text))).toEqual({ as: 'ai-sdk', events: [events[0], { data: { text: 'Sunny.' } }] }) // prettier-ignore
})
