/* The code for WebSockets can be missing when the package was installed anew below a running dev server. */
import { expect, it, onTestFinished, vi } from 'vitest'
import * as sockets from '../../../src/server/sockets/sockets.ts'
import { serve } from '../../hosts/of-test.ts'
import { talk } from '../../websocket.ts'

it('says why a WebSocket does not open, and goes on', async () => {
  const missing = vi.spyOn(sockets, 'openSocket').mockImplementation(() => {
    throw new Error('Cannot find module')
  })
  onTestFinished(() => missing.mockRestore())
  const { origin, log, project, send } = await serve(
    { 'fixtures/news.yaml': '- { path: /news, websocket: { open: { send: hello } } }' },
    { watch: true },
  )
  expect(await talk(origin, '/news', {}, 1)).toEqual(['close 1006'])
  expect(log.join('\n')).toMatch(/Cannot find module[^]*\[internal-error\]/)
  project.write('fixtures/orders.yaml', '- { path: /orders, response: { body: [] } }')
  // An unhandled rejection would fail this run, as it ends a dev server.
  await expect.poll(async () => (await send({ url: '/orders' })).text).toBe('[]')
})
