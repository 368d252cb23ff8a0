import { describe, expect, it } from 'vitest'
import { preflight, type Initiator } from '../browser-request.ts'
import { testContract, type ContractRequest } from '../contract.ts'
import { sendTo } from '../http.ts'
import { hosts, startOnce } from './hosts.ts'

/* The starter templates on every host, asked for as Chromium asks. */

const page = 'http://localhost:9'
const secondPage: ContractRequest = { url: '/items?page=2' }
const failingQuery: ContractRequest = {
  method: 'POST',
  url: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: '{"operationName":"FailingQuery"}',
}

describe.each(hosts)('the contract on $name', (host) => {
  const running = startOnce(host)

  testContract((request) => running.send(request))

  it.each<[Initiator, ContractRequest, route: string]>([
    ['navigation', secondPage, 'items, page 2'],
    ['fetch', secondPage, 'items, page 2'],
    ['fetch', { ...secondPage, method: 'HEAD' }, 'items, page 2'],
    ['fetch', failingQuery, 'failing query'],
    ['no-cors', secondPage, 'items, page 2'],
    [
      'no-cors',
      { ...failingQuery, headers: { 'content-type': 'text/plain;charset=UTF-8' } },
      'failing query',
    ],
    ['xhr', failingQuery, 'failing query'],
  ])('a browser asks: %s, %j', async (initiator, request, route) => {
    const send = sendTo(running.origin, { initiator })
    const own = await send(request)
    expect([own.status, own.headers['x-mock-route']]).toEqual([200, route])
    expect(own.headers['content-type']).toBe('application/json; charset=utf-8')
    if (initiator === 'navigation' || initiator === 'no-cors') return

    const other = await send({ ...request, headers: { ...request.headers, origin: page } })
    expect([other.status, other.headers['x-mock-route']]).toEqual([200, route])
    expect([page, '*']).toContain(other.headers['access-control-allow-origin'])
  })

  it('allows the preflight of a page on this machine', async () => {
    const { status, headers } = await running.send(preflight('/graphql', page))
    expect([200, 204]).toContain(status)
    expect([page, '*']).toContain(headers['access-control-allow-origin'])
    expect(headers['access-control-allow-methods']).toContain('POST')
    expect(headers['access-control-allow-headers']).toMatch(/content-type|\*/)
  })

  it('says once what answers', async () => {
    await running.send({ url: '/items' })
    expect(running.log.filter((line) => line.includes('5 routes from the starter templates'))).toHaveLength(1)
  })

  it('reports a page that does not exist once for each value', async () => {
    for (const page of ['98', '97', '98', '97', '1', '2']) await running.send({ url: `/items?page=${page}` })
    const told = running.log.filter((line) => line.includes('selects no page'))
    expect(told.filter((line) => line.includes('page=98 '))).toHaveLength(1)
    expect(told.filter((line) => line.includes('page=97 '))).toHaveLength(1)
    expect(told.filter((line) => /page=[12] /.test(line))).toEqual([])
  })
})
