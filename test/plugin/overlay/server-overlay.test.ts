/* What no page shows: which messages a server sends, and when. How it looks in a page is in test/e2e/overlay.test.ts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import webpack, { type Compiler, type Stats } from 'webpack'
import { showInOverlay } from '../../../src/plugin/overlay/server-overlay.ts'
import type { PluginInstance } from '../../../src/plugin/plugin-instance.ts'
import { fakeMockServer } from '../../hosts/fake-mock-server.ts'

let compiler: Compiler
/** The messages that pages get, in order. */
let sent: unknown[]
let connect: (client: string) => void
let fixtures: ReturnType<typeof fakeMockServer>
beforeEach(() => {
  compiler = webpack({})
  sent = []
  fixtures = fakeMockServer()
})

const texts = (errors: unknown) =>
  (errors as (string | { message: string })[]).map((error) =>
    /reason \w/.exec(typeof error === 'string' ? error : error.message)!.join(),
  )
const legacyServer = () => ({
  compiler,
  webSocketServer: {
    clients: ['all'],
    implementation: { on: (_: 'connection', listener: typeof connect) => (connect = listener) },
  },
  sendMessage: (clients: string[], type: string, errors?: unknown) =>
    sent.push([...clients, type, ...(errors ? texts(errors) : [])]),
})
const publishingServer = () => {
  const message = ({ action, errors }: { action: string; errors: string[] }) => [action, ...texts(errors)]
  return {
    compiler,
    middleware: {
      publish: (payload: never) => sent.push(['all', ...message(payload)]),
      publishTo: (client: string, payload: never) => sent.push([client, ...message(payload)]),
      onConnect: (listener: typeof connect) => (connect = listener),
    },
  }
}
const instance = () => ({ start: () => Promise.resolve(fixtures.mockServer) }) as unknown as PluginInstance

async function build(hasErrors = false): Promise<void> {
  compiler.hooks.invalid.call(null, 0)
  await compiler.hooks.done.promise({ hash: 'h', hasErrors: () => hasErrors } as unknown as Stats)
  await nextTurn()
}
const sentSince = () => sent.splice(0)

it.each([
  [
    'webpack-dev-server 5 and Rspack',
    legacyServer,
    (client: string, errors: string[]) =>
      errors.length > 0
        ? [
            [client, 'still-ok'],
            [client, 'errors', ...errors],
          ]
        : [[client, 'still-ok']],
  ],
  [
    'webpack-dev-server 6',
    publishingServer,
    (client: string, errors: string[]) => [[client, 'sync', ...errors]],
  ],
])('%s', async (_, createServer, messages) => {
  const server = createServer()
  showInOverlay(server as never, [instance()])
  await nextTurn()
  fixtures.reload('reason x')
  expect(sentSince()).toEqual([]) // nothing is built yet

  await build()
  expect(sentSince()).toEqual(messages('all', ['reason x']))
  fixtures.reload('reason x', 'reason y')
  expect(sentSince()).toEqual(messages('all', ['reason x', 'reason y']))

  connect('late')
  await nextTurn()
  expect(sentSince()).toEqual(messages('late', ['reason x', 'reason y']))

  // Errors of the build come first.
  await build(true)
  fixtures.reload()
  fixtures.reload('reason z')
  connect('late')
  await nextTurn()
  expect(sentSince()).toEqual([])

  await build()
  expect(sentSince()).toEqual(messages('all', ['reason z']))
  fixtures.reload()
  expect(sentSince()).toEqual(messages('all', []))
  fixtures.reload()
  expect(sentSince()).toEqual([])

  // The server is started again.
  showInOverlay(server as never, [instance()])
  await nextTurn()
  await build()
  expect(sentSince()).toEqual([])
})

it('does nothing for a server without a connection to its pages', async () => {
  showInOverlay({ compiler, webSocketServer: null }, [instance()])
  await build()
  fixtures.reload('reason x')
  expect(sentSince()).toEqual([])
})
