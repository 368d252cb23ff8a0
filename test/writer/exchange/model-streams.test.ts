import { expect, it } from 'vitest'
import { createFetchHandler, type Fixture } from '../../../src/fetch.ts'
import { Omissions } from '../../../src/writer/omissions.ts'
import { writeAnswer } from '../../../src/writer/write-answer.ts'

const lines = [
  { data: { thinking: 'Look it up.' } },
  { data: { text: 'One moment. '.repeat(500) } },
  { data: { tool: 'get_weather', input: { city: 'Oslo' } } },
]

it.each(['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'] as const)(
  'a recording of %s is written as its lines, however long it is',
  async (as) => {
    const routes: Fixture = [{ path: '/chat', response: { stream: { as, events: lines } } }]
    const answer = (await createFetchHandler(routes)(new Request('http://localhost/chat')))!
    const source = {
      status: 200,
      responseHeaders: [...answer.headers],
      responseBody: new Uint8Array(await answer.arrayBuffer()),
      origin: '',
      where: 'GET /chat',
      path: '/chat',
    }
    const { stream } = writeAnswer(source, new Omissions()).answer
    expect(stream).toEqual({ as, events: lines })
  },
)
