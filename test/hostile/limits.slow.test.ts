import { afterEach, describe, expect, it, vi } from 'vitest'
import { Budget } from '../../src/core/graphql/budget.ts'
import { createFetchHandler } from '../../src/fetch.ts'
import { hostileRequests, servers, toRequest, type ServerName } from './requests.ts'

/* Counts the work that hostile requests cause. How long each of them takes on every server: `npm run hostile`. */

const logger = { info: () => {}, warn: () => {}, error: () => {} }
const handlers = new Map<ServerName, ReturnType<typeof createFetchHandler>>()

function handlerOf(name: ServerName) {
  const { routes, options } = servers[name]
  const handler = handlers.get(name) ?? createFetchHandler(routes, { ...options, logger })
  handlers.set(name, handler)
  return handler
}

const limit = 100_000
/** What a single step may take beyond the limit: reading or validating one document. */
const overdraft = 60_000

const tooCostly = /^The request costs more than 100000 units of work \(option "graphql\.maxCost"\): /
const tooLarge =
  /^The document (has more than 10000 tokens|nests deeper than 100 levels) \(option "graphql\.max(Tokens|Depth)"\)\.$/

afterEach(() => void vi.restoreAllMocks())

/** The server that does most for a request. */
const cases = hostileRequests.map((request) => {
  const [first] = request.on
  return { request, on: request.on.includes('schema') ? 'schema' : first! } as const
})

describe.each(cases)('$request.what ($on)', ({ request, on }) => {
  it('takes a bounded amount of work, and gets the same answer again', async () => {
    const spend = vi.spyOn(Budget.prototype, 'spend')
    const [first, second] = [await send(), await send()]
    expect(first.spent).toBeLessThanOrEqual(limit + overdraft)
    expect(second).toEqual(first)
    for (const { message } of first.errors) {
      if (message.includes('maxCost')) expect(message).toMatch(tooCostly)
      if (message.includes('maxTokens') || message.includes('maxDepth')) expect(message).toMatch(tooLarge)
    }
    // Whoever overdraws is told so, at least in one entry of a batch.
    if (first.spent > limit) expect(first.errors.some(({ message }) => tooCostly.test(message))).toBe(true)

    async function send() {
      spend.mockClear()
      const response = await handlerOf(on)(toRequest(request))
      const spent = spend.mock.calls.reduce((sum, [, units]) => sum + units, 0)
      const body: unknown = await response!.json()
      const entries = (Array.isArray(body) ? body : [body]) as { errors?: { message: string }[] }[]
      return { status: response!.status, spent, errors: entries.flatMap(({ errors = [] }) => errors) }
    }
  })
})

it('the operations of a batch are answered until the budget is used up', async () => {
  const query = `{hero{${Array.from({ length: 10 }, (_, i) => `a${i}:friends{id name}`).join(' ')}}}`
  const body = JSON.stringify(Array.from({ length: 10 }, () => ({ query })))
  const headers = { 'content-type': 'application/json' }
  const response = await handlerOf('shape')(
    new Request('http://localhost/graphql', { method: 'POST', headers, body }),
  )
  const entries = (await response!.json()) as { data?: unknown; errors?: { message: string }[] }[]
  const answered = entries.filter(({ data }) => data !== undefined).length
  expect(answered).toBeGreaterThan(1)
  expect(answered).toBeLessThan(10)
  expect(entries.slice(answered).map(({ errors }) => errors?.[0]?.message)).toEqual(
    Array.from({ length: 10 - answered }, () => expect.stringMatching(tooCostly) as unknown),
  )
})
