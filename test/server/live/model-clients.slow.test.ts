import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from '../../inspector/server/api-server.ts'

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return -- the clients are installed by the test */

/* The clients that people use for language models, each with a text, a call of a tool with its second turn, and errors. */

const lines = [
  { data: { thinking: 'Look it up.' } },
  { data: 'One moment.' },
  { data: { tool: 'get_weather', input: { city: 'Oslo', days: [1, 2] } } },
]
const stream = (as: string, events: unknown) => ({
  stream: { as, ...(typeof events === 'string' ? { text: events } : { events }) },
})
const busy = { data: { error: { type: 'overloaded_error', message: 'Busy.' } } }

/** The routes of one API, selected by the first message of the conversation, or by the result of a tool. */
const routesOf = (as: string, path: string, first: string, second: object) => [
  { method: 'POST', path, when: { body: second }, response: stream(as, 'It is cold in Oslo.') },
  ...Object.entries({
    weather: lines,
    overload: [busy],
    broken: [{ data: 'Hal' }, busy],
    cut: [{ data: 'Hal', fault: 'truncated' }],
    refuse: [{ data: { refusal: 'I can not help.' } }],
    long: [{ data: 'Lon' }, { data: { finish: 'length' } }],
    json: [{ data: { text: '{"city":"Oslo"}' } }],
  }).map(([word, events]) => ({
    method: 'POST',
    path,
    when: { body: { [first]: word } },
    response: stream(as, events),
  })),
  ...['limited', 'limited-5'].map((word) => ({
    method: 'POST',
    path,
    when: { body: { [first]: word } },
    rateLimit: { requests: 1, per: 600_000 },
    response: stream(as, 'Once.'),
  })),
  { method: 'POST', path, response: stream(as, 'Hello from the mock.') },
]

const folder = mkdtempSync(join(tmpdir(), 'models-'))
let server: ApiServer
beforeAll(async () => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  const packages = ['openai', '@anthropic-ai/sdk', '@google/genai', 'ai', 'ai-5@npm:ai@5']
  execFileSync('npm', ['install', ...flags, ...packages], { stdio: 'ignore' })
    server = await startApiServer({
    'fixtures/a.json': JSON.stringify([
      ...routesOf('openai-chat', '/v1/chat/completions', 'messages.0.content', { 'messages.-1.role': 'tool' }),
      ...routesOf('openai-responses', '/v1/responses', 'input.0.content', { 'input.-1.type': 'function_call_output' }),
      ...routesOf('anthropic', '/v1/messages', 'messages.0.content', { 'messages.-1.content.0.type': 'tool_result' }),
      ...routesOf('google', '/v1beta/models/*', 'contents.0.parts.0.text', { 'contents.-1.parts.0.functionResponse': { $exists: true } }),
      ...routesOf('ai-sdk', '/api/chat', 'messages.0.parts.0.text', { 'messages.-1.role': 'assistant' }),
    ]),
  })
}, 300_000) // prettier-ignore
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const load = async <Module>(name: string): Promise<Module> => {
  const script = join(folder, 'package.json')
  const path = createRequire(script).resolve(name)
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Module
}

const words = [
  'hi',
  'weather',
  'second',
  'overload',
  'broken',
  'cut',
  'refuse',
  'long',
  'json',
  'limited',
  'limited',
] as const

/** A text, the call of a tool, or the class of an error with its status and its message, for each word. */
type Ask = (word: string) => Promise<{ text: string; tool?: unknown; finish?: unknown }>

async function talkWith(ask: Ask): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const [index, word] of words.entries())
    seen[index === words.length - 1 ? 'limited again' : word] = await ask(word).catch(
      (error: Error & { status?: number }) => `${error.constructor.name} ${error.status ?? ''}`.trim(),
    )
  return seen
}

const tool = { name: 'get_weather', input: { city: 'Oslo', days: [1, 2] } }
const answers = (finish: Record<'stop' | 'tool' | 'refusal' | 'length', string>) => ({
  hi: { text: 'Hello from the mock.', finish: finish.stop },
  weather: { text: 'One moment.', tool, finish: finish.tool },
  second: { text: 'It is cold in Oslo.', finish: finish.stop },
  refuse: { text: 'I can not help.', finish: finish.refusal },
  long: { text: 'Lon', finish: finish.length },
  json: { text: '{"city":"Oslo"}', finish: finish.stop },
  limited: { text: 'Once.', finish: finish.stop },
})

describe('openai', () => {
  const createClient = async () => {
    const { OpenAI } = await load<{ OpenAI: new (settings: object) => any }>('openai')
    return new OpenAI({ baseURL: `${server.origin}/v1`, apiKey: 'none', maxRetries: 0 })
  }
  const errors = {
    overload: 'InternalServerError 529',
    broken: 'APIError',
    cut: 'OpenAIError',
    'limited again': 'RateLimitError 429',
  }
  const finish = { stop: 'stop', tool: 'tool_calls', refusal: 'stop', length: 'length' }

  it.each([true, false])('chat completions, as a stream: %s', async (isStream) => {
    const client = await createClient()
    const seen = await talkWith(async (word) => {
      const result = [
        { role: 'user', content: 'weather' },
        { role: 'assistant', tool_calls: [] },
        { role: 'tool', tool_call_id: '1', content: 'cold' },
      ]
      const messages = word === 'second' ? result : [{ role: 'user', content: isStream ? word : `${word}` }]
      const given = { model: 'gpt', messages, user: String(isStream) }
      const answer = isStream
        ? await client.chat.completions
            .stream({ ...given, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(given)
      expect(answer.usage.completion_tokens).toBeGreaterThan(0)
      const [{ message, finish_reason }] = answer.choices
      const call = message.tool_calls?.[0]?.function
      return {
        text: message.content ?? message.refusal,
        ...(call && { tool: { name: call.name, input: JSON.parse(call.arguments) } }),
        finish: finish_reason,
      }
    })
    const whole = { ...errors, broken: 'InternalServerError 529', cut: 'TypeError' }
    expect(seen).toEqual({
      ...answers(finish),
      ...(isStream ? errors : { ...whole, limited: 'RateLimitError 429' }),
    })
  })

  it('responses', async () => {
    const client = await createClient()
    const seen = await talkWith(async (word) => {
      const input =
        word === 'second'
          ? [
              { role: 'user', content: 'weather' },
              { type: 'function_call_output', call_id: '1', output: 'cold' },
            ]
          : [{ role: 'user', content: word }]
      const answer = await client.responses.stream({ model: 'gpt', input }).finalResponse()
      expect(answer.usage.output_tokens).toBeGreaterThan(0)
      const call = answer.output.find((item: any) => item.type === 'function_call')
      const refusal = answer.output.at(-1).content?.[0].refusal
      return {
        text: answer.output_text || refusal,
        ...(call && { tool: { name: call.name, input: JSON.parse(call.arguments) } }),
        finish: answer.status,
      }
    })
    const finish = { stop: 'completed', tool: 'completed', refusal: 'completed', length: 'incomplete' }
    expect(seen).toEqual({ ...answers(finish), ...errors, broken: 'Object' })
    const whole = await client.responses.create({
      model: 'gpt',
      input: [{ role: 'user', content: 'weather' }],
    })
    expect([whole.output_text, whole.output.length]).toEqual(['One moment.', 3])
  })
})

it('@anthropic-ai/sdk', async () => {
  const { Anthropic } = await load<{ Anthropic: new (settings: object) => any }>('@anthropic-ai/sdk')
  const client = new Anthropic({ baseURL: server.origin, apiKey: 'none', maxRetries: 0 })
  const shown = (answer: any) => {
    const said = answer.content.find((one: any) => one.type === 'text')
    const call = answer.content.find((one: any) => one.type === 'tool_use')
    return {
      text: said.text,
      ...(call && { tool: { name: call.name, input: call.input } }),
      finish: answer.stop_reason,
    }
  }
  const seen = await talkWith(async (word) => {
    const result = [
      { role: 'user', content: 'weather' },
      { role: 'assistant', content: 'One moment.' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'cold' }] },
    ]
    const messages = word === 'second' ? result : [{ role: 'user', content: word }]
    return shown(await client.messages.stream({ model: 'claude', max_tokens: 9, messages }).finalMessage())
  })
  const finish = { stop: 'end_turn', tool: 'tool_use', refusal: 'refusal', length: 'max_tokens' }
  const errors = {
    overload: 'OverloadedError 529',
    broken: 'APIError',
    cut: 'AnthropicError',
    'limited again': 'RateLimitError 429',
  }
  expect(seen).toEqual({ ...answers(finish), ...errors })
  const asked = { model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: 'weather' }] }
  const whole = await client.messages.create(asked)
  expect(shown(whole)).toEqual(answers(finish).weather)
  expect(whole.content[0]).toMatchObject({ type: 'thinking', thinking: 'Look it up.' })
})

it('@google/genai', async () => {
  const { GoogleGenAI } = await load<{ GoogleGenAI: new (settings: object) => any }>('@google/genai')
  const { models } = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.origin } })
  const partsOf = (one: any) => one.candidates[0].content.parts as any[]
  const seen = await talkWith(async (word) => {
    const result = [
      { role: 'user', parts: [{ text: 'weather' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: {} } }] },
    ]
    const chunks: any[] = []
    for await (const chunk of await models.generateContentStream({
      model: 'gemini',
      contents: word === 'second' ? result : word,
    }))
      chunks.push(chunk)
    const call = chunks.flatMap((one) => one.functionCalls ?? [])[0]
    const text = chunks
      .flatMap(partsOf)
      .filter((part) => !part.thought)
      .map((part) => part.text ?? '')
      .join('')
    return {
      text,
      ...(call && { tool: { name: call.name, input: call.args } }),
      finish: chunks.at(-1).candidates[0].finishReason,
    }
  })
  const finish = { stop: 'STOP', tool: 'STOP', refusal: 'SAFETY', length: 'MAX_TOKENS' }
  expect(seen).toEqual({
    ...answers(finish),
    overload: 'ApiError 529',
    broken: 'ApiError 529',
    cut: 'TypeError',
    'limited again': 'ApiError 429',
  })
  const whole = await models.generateContent({ model: 'gemini', contents: 'weather' })
  expect([partsOf(whole).length, whole.functionCalls[0].name]).toEqual([3, 'get_weather'])
})

it.each(['ai', 'ai-5'])('%s: what useChat reads', async (version) => {
  const { DefaultChatTransport, readUIMessageStream } = await load<any>(version)
  const transport = new DefaultChatTransport({ api: `${server.origin}/api/chat` })
  const seen = await talkWith(async (word) => {
    const asked = {
      id: '1',
      role: 'user',
      parts: [
        {
          type: 'text',
          text:
            word === 'second' ? 'weather' : `${word}${version === 'ai-5' && word === 'limited' ? '-5' : ''}`,
        },
      ],
    }
    const called = {
      id: '2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Look it up.' },
        { type: 'text', text: 'One moment.' },
        { type: 'tool-get_weather', toolCallId: '1', state: 'output-available', input: {}, output: 'cold' },
      ],
    }
    const messages = word === 'second' ? [asked, called] : [asked]
    const stream = await transport.sendMessages({ chatId: '1', trigger: 'submit-message', messages })
    let last: any
    let failed: Error | undefined
    const onError = (error: Error) => void (failed ??= error)
    for await (const message of readUIMessageStream({ stream, onError })) last = message
    if (failed) throw failed
    const call = last.parts.find((part: any) => part.type === 'tool-get_weather')
    return {
      text: last.parts.find((part: any) => part.type === 'text').text,
      ...(call && { tool: { name: 'get_weather', input: call.input } }),
    }
  })
  const none = { stop: '', tool: '', refusal: '', length: '' }
  const texts = Object.entries(answers(none)).map(([word, one]) => [word, { ...one, finish: undefined }])
  expect(seen).toEqual({
    ...(Object.fromEntries(texts) as object),
    overload: 'Error',
    broken: 'Error',
    cut: expect.stringMatching(/Error/) as string,
    'limited again': 'Error',
  })
})
