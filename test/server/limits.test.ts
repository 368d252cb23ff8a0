import { expect, it } from 'vitest'
import { routesOf, send } from '../core/send.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { MockState } from '../../src/core/state/mock-state.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'
import { createLimits } from '../../src/server/limits.ts'

it('a rate limit begins again when its file is read again and on a reset, not when another file is read', async () => {
  const state = new MockState()
  const limits = createLimits(0, state)
  const saved = () => routesOf([{ path: '/a', rateLimit: { requests: 2, per: 1e9 } }])
  const other = (id: number) => routesOf([{ path: '/a', when: { query: { id } } }])
  const statusOf = async (routes: ReturnType<typeof routesOf>) =>
    (await send(compileRoutes(routes, { graphql: defaultGraphQL }).table, 'GET /a', { limits })).status
  const first = saved()
  expect(await statusOf([...first, ...other(1)])).toBe(200)
  expect(await statusOf([...first, ...other(2)])).toBe(200)
  expect(await statusOf([...first, ...other(3)])).toBe(429)
  expect(await statusOf(saved())).toBe(200)

  expect([await statusOf(first), await statusOf(first)]).toEqual([429, 429])
  state.reset()
  expect(await statusOf(first)).toBe(200)
})
