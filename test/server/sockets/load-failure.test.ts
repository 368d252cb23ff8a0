/* The code for WebSockets can be missing when the package was installed anew below a running dev server. */
import { expect, it, vi } from 'vitest'
import { serve } from '../../hosts/of-test.ts'
import { talk } from '../../websocket.ts'

vi.mock('../../../src/server/sockets/sockets.ts', () => ({
  get Sockets() {
    throw new Error('Cannot find module')
  },
}))

it('says why a WebSocket does not open, and goes on', async () => {
  const { origin, log, project, send } = await serve(
    { 'fixtures/news.yaml': '- { path: /news, websocket: { open: { send: hello } } }' },
    { watch: true },
  )
  expect(await talk(origin, '/news', {}, 1)).toEqual(['close 1006'])
  expect(log.join('\n')).toContain('[internal-error]')
  project.write('fixtures/orders.yaml', '- { path: /orders, response: { body: [] } }')
  // An unhandled rejection would fail this run, as it ends a dev server.
  await expect.poll(async () => (await send({ url: '/orders' })).text).toBe('[]')
})
