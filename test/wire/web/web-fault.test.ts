import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFetchHandler, type Fixture } from '../../../src/fetch.ts'

const faults = ['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'] as const

const routes: Fixture = [
  ...faults.flatMap((fault): Fixture => [
    { path: `/${fault}`, response: { body: '0123456789', fault } },
    { path: `/bare/${fault}`, response: { status: 204, fault } },
  ]),
  { path: '/dribble', response: { body: 'öäü456789', fault: { dribble: 100 } } },
  { path: '/bare/dribble', response: { fault: { dribble: 100 } } },
  { path: '/delayed', response: { body: 'late', delay: { min: 70, max: 70 } } },
]
const handler = createFetchHandler(routes, { logLevel: 'silent' })
const ask = (path: string, init?: RequestInit) => handler(new Request(`http://localhost${path}`, init))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** Reads a body as far as it goes. */
async function read(response: Response) {
  const reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { text, end: 'whole' }
      text += new TextDecoder().decode(value)
    }
  } catch (error) {
    return { text, end: String(error) }
  }
}

describe('a body that fails', () => {
  it.each([
    ['reset', ''],
    ['empty', ''],
    ['truncated', '01234'],
    ['malformed', '01234'],
  ])('%s: head and length of the whole, "%s", then an error', async (fault, text) => {
    const response = (await ask(`/${fault}`))!
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '10'])
    expect(await read(response)).toEqual({
      text,
      end: `TypeError: the fixture's fault "${fault}" broke the body off`,
    })
  })

  it('stalled: half of it, then nothing until the reader gives up', async () => {
    const reader = (await ask('/stalled'))!.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('01234')
    const more = vi.fn()
    void reader.read().then(more, more)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(more).not.toHaveBeenCalled()
    await reader.cancel()
    expect(more).toHaveBeenCalledWith({ done: true, value: undefined })
  })

  it('is whole in the end when it is dribbled', async () => {
    const answer = (await ask('/dribble'))!
    let done = false
    const bytes = answer.bytes().finally(() => (done = true))
    await vi.advanceTimersByTimeAsync(99)
    expect(done).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(new TextDecoder().decode(await bytes)).toBe('öäü456789')
  })

  it('is not sent any further when its reader has left', async () => {
    const reader = (await ask('/dribble'))!.body!.getReader()
    void reader.read()
    expect(vi.getTimerCount()).toBe(1)
    await reader.cancel()
  })
})

describe('a response without a body is complete:', () => {
  it.each([...faults.filter((fault) => fault !== 'silent'), 'dribble'])('%s', async (fault) => {
    for (const response of [await ask(`/${fault}`, { method: 'HEAD' }), await ask(`/bare/${fault}`)]) {
      expect([response!.ok, response!.body]).toEqual([true, null])
    }
  })
})

describe.each(['GET', 'HEAD'])('silent, %s', (method) => {
  it('does not answer before the client disconnects', async () => {
    const client = new AbortController()
    const answered = vi.fn()
    const answer = ask('/silent', { method, signal: client.signal }).finally(answered)
    await vi.advanceTimersByTimeAsync(10_000_000)
    expect(answered).not.toHaveBeenCalled()
    client.abort()
    await answer
  })

  it('does not wait for a client that has already disconnected', async () => {
    await ask('/silent', { method, signal: AbortSignal.abort() })
  })
})

it('a delay ends when the client leaves', async () => {
  const client = new AbortController()
  const answer = ask('/delayed', { signal: client.signal })
  await vi.advanceTimersByTimeAsync(69)
  client.abort()
  await answer
})

it('a delay is as long as the fixture says', async () => {
  const answered = vi.fn()
  const answer = ask('/delayed').finally(answered)
  await vi.advanceTimersByTimeAsync(69)
  expect(answered).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await (await answer)!.text()).toBe('late')
})
