import { expect, it } from 'vitest'
import type { Decision } from '../../src/core/answer/decision.ts'
import type { Route } from '../../src/core/fixture/route.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { prepareResponse } from '../../src/core/response/prepare-response.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'
import { bodyCap, Journal, shortCap, type JournalEntry } from '../../src/inspector/journal.ts'
import { routesOf } from '../core/send.ts'

const mebibyte = 1_048_576

function record(journal: Journal, url = '/', body?: Uint8Array, answer: unknown = 'ok'): JournalEntry {
  const entry = journal.add(0, 'POST', url, {})
  const raw = { method: 'POST', url, path: url, search: '', headers: {}, body }
  const response = prepareResponse({ body: answer })
  journal.decide(entry, { by: 'route', raw, response, wait: 0 } as Decision)
  journal.end(entry, response.status, response)
  return entry
}

function idsAfter(journal: Journal, id: number): number[] {
  return [...journal.after(id)].map((entry) => entry.id)
}

it('keeps the last requests, with ids that increase', () => {
  const journal = new Journal(() => 0, 3)
  for (let count = 0; count < 5; count++) record(journal, `/${count + 1}`)
  expect(idsAfter(journal, 0)).toEqual([3, 4, 5])
  expect(idsAfter(journal, 4)).toEqual([5])
  expect(idsAfter(journal, 5)).toEqual([])
  expect([journal.get(2), journal.get(3)?.url, journal.get(6)]).toEqual([undefined, '/3', undefined])
})

it('forgets requests, and does not use their ids again', () => {
  const journal = new Journal(() => 0, 3)
  record(journal, '/a')
  record(journal, '/b')
  journal.forget(({ url }) => url === '/a')
  expect(idsAfter(journal, 0)).toEqual([2])
  journal.forget()
  expect(idsAfter(journal, 0)).toEqual([])
  expect(record(journal).id).toBe(3)
})

it('keeps the beginning of large bodies, and nothing of the rest in memory', () => {
  const journal = new Journal(() => 0, 2)
  const entry = record(journal, '/', new Uint8Array(3 * mebibyte), 'a'.repeat(3 * mebibyte))
  expect(entry.body).toMatchObject({ size: 3 * mebibyte })
  expect([entry.body!.bytes.length, entry.body!.bytes.buffer.byteLength]).toEqual([bodyCap, bodyCap])
  const { body } = entry.response!
  expect([entry.responseSize, body.length, typeof body]).toEqual([3 * mebibyte, bodyCap, 'object'])
})

it('keeps 64 MiB of bodies together: those of the oldest requests are cut', () => {
  const journal = new Journal(() => 0, 100)
  const entries = Array.from({ length: 40 }, () =>
    record(journal, '/', new Uint8Array(mebibyte), 'a'.repeat(mebibyte)),
  )
  const sizes = (entry: JournalEntry) => [
    entry.body!.bytes.length,
    entry.response!.body.length,
    entry.responseSize,
  ]
  expect(sizes(entries[7]!)).toEqual([shortCap, shortCap, mebibyte])
  expect(sizes(entries[8]!)).toEqual([mebibyte, mebibyte, mebibyte])
})

it('keeps 500 requests, unless it is told otherwise', () => {
  const journal = new Journal(() => 0)
  for (let count = 0; count < 502; count++) record(journal)
  expect(idsAfter(journal, 0)).toEqual(Array.from({ length: 500 }, (_, index) => index + 3))
})

it('tells of each request when it is recorded and when it is answered', () => {
  const journal = new Journal(() => 0)
  const told: [id: number, status: number | undefined][] = []
  journal.listen(({ id, status }) => told.push([id, status]))
  const slow = journal.add(0, 'GET', '/slow', {})
  journal.wait(slow)
  record(journal)
  journal.end(slow, 204)
  expect(told).toEqual([
    [1, undefined],
    [2, 200],
    [1, 204],
  ])
})

it('leaves the entry of a request alone whose answer has not ended', () => {
  let time = 5
  const journal = new Journal(() => time, 2)
  const slow = journal.add(5, 'GET', '/slow', {})
  journal.wait(slow)
  for (let count = 0; count < 5; count++) record(journal, '/quick')
  time = 12
  journal.end(slow, 204)
  expect(slow).toMatchObject({ id: 1, url: '/slow', status: 204, duration: 7 })
  expect([...journal.after(0)].map(({ id, url }) => [id, url])).toEqual([
    [5, '/quick'],
    [6, '/quick'],
  ])
})

it('cuts the names of operations, which clients choose', () => {
  const journal = new Journal(() => 0)
  const entry = journal.add(0, 'POST', '/graphql', {})
  const response = prepareResponse({ body: {} })
  const request = { graphql: {}, operationName: 'x'.repeat(mebibyte) }
  const raw = { method: 'POST', url: '/', path: '/', search: '', headers: {} }
  journal.decide(entry, { by: 'route', raw, response, request, wait: 0 } as unknown as Decision)
  expect(entry.operationName).toBe(`${'x'.repeat(200)}…`)
})

it('counts the requests of a route by its source, which a route of an unchanged file keeps', () => {
  const journal = new Journal(() => 0)
  const table = (routes: Route[]) => compileRoutes(routes, { graphql: defaultGraphQL }).table
  const saved = () => routesOf([{ path: '/a' }])
  const first = saved()
  const [route] = table(first).endpoints[0]!.routes
  const decision = { by: 'route', route, raw: { body: undefined }, response: prepareResponse({}), wait: 0 }
  journal.decide(journal.add(0, 'GET', '/a', {}), decision as unknown as Decision)
  const hits = (routes: Route[]) => journal.hitsOf(table(routes).endpoints[0]!.routes[0]!)
  expect([hits([...first, ...routesOf([{ path: '/b' }])]), hits(saved())]).toEqual([1, 0])
})

it('keeps the frames of streams, and none of one that is no longer listed', () => {
  const journal = new Journal(() => 0, 2)
  const open = () => {
    const entry = journal.add(0, 'GET', '/', {})
    journal.openStream(entry, prepareResponse({}))
    return entry
  }
  const [old, one, two] = [open(), open(), open()]
  for (const entry of [old, one, two]) journal.addFrame(entry, 'sent', `${'é'.repeat(1000)}.`, 'tick')
  const frame = { direction: 'sent', time: 0, size: 2001, event: 'tick', text: `${'é'.repeat(1000)}…` }
  expect([old, one, two].map(({ stream }) => [stream!.count, stream!.frames])).toEqual([
    [1, []],
    [1, [frame]],
    [1, [frame]],
  ])
})
