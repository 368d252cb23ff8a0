/*
 * The contract of the starter templates, as one table. The core, every entry and every host must fulfil it. The table is data,
 * so that `bench/contract.mjs` can ask other tools the same.
 */
import { expect, it } from 'vitest'
import data from './contract.json' with { type: 'json' }
import { shuffled } from './shuffle.ts'

export interface ContractRequest {
  method?: string
  url: string
  headers?: Record<string, string>
  body?: string
}

export interface ContractResponse {
  status: number
  headers: Record<string, string>
  text: string
}

export type Send = (request: ContractRequest) => Promise<ContractResponse>

interface Case {
  name: string
  request: ContractRequest
  json: unknown
  route: string
}

const answers: Record<string, unknown> = data.answers

export const contract: Case[] = data.cases.map(({ answer, ...one }) => ({ ...one, json: answers[answer] }))

/** Runs the whole table against one host or entry. */
export function testContract(send: Send): void {
  const texts = new Map<string, string>()
  it.each(contract)('$name', async ({ name, request, json, route }) => {
    const response = await send(request)
    texts.set(name, response.text)
    expect(response.status).toBe(200)
    expect(JSON.parse(response.text)).toEqual(json)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    if (response.headers['content-encoding'] === undefined)
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)))
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['x-mock-route']).toBe(route)
  })

  const seed = Math.floor(Math.random() * 2 ** 32)
  it('gives the same bytes for the same request in any order', async () => {
    for (const { name, request } of shuffled(contract, seed))
      expect((await send(request)).text, `${name} (seed ${seed})`).toBe(texts.get(name))
  })

  it('the pages contain the items 1 to 8, each once', async () => {
    const texts = await Promise.all(
      [1, 2, 3].map(async (page) => (await send({ url: `/items?page=${page}` })).text),
    )
    const ids = texts.flatMap((text) =>
      (JSON.parse(text) as { data: { id: number }[] }).data.map(({ id }) => id),
    )
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('answers HEAD like GET, without the body', async () => {
    const head = await send({ method: 'HEAD', url: '/items?page=3' })
    const get = await send({ url: '/items?page=3' })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    if (get.headers['content-encoding'] === undefined)
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(head.headers['x-mock-route']).toBe('items, page 3')
  })
}
