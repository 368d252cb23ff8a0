import { createApiClient } from '../../inspector/client/api-client.ts'
import { createClient } from '../../client.ts'
import { describeUnmatched, type TestLayer, type TestOptions } from '../test-layer.ts'
import { originals, tapPage } from './tap-page.ts'

/**
 * The plugin in Vitest's own dev server answers; here requests only get the name of their test.
 * A browser can't tell tests of one file apart that run at the same time.
 */
export function createBrowserLayer(optionsOf: () => TestOptions): TestLayer {
  const { origin } = location
  const { fetch: send } = originals()
  let current = ''

  return {
    origin,
    ask: send,
    failsUnmatched: () => optionsOf().unmatched === 'fail',
    takeMisses: (test) => describeUnmatched({ ask: send, origin }, test),
    async start() {
      const api = createApiClient({ base: `${origin}/__mock-api/api/`, fetch: send })
      await api.call('GET /scenario').catch((cause: unknown) => {
        throw new Error(noPlugin, { cause })
      })
      tapPage(() => (current === '' ? undefined : { headers: { 'x-mock-client': current } }))
    },
    async within(test, run) {
      current = test
      await createClient(origin, { fetch: send, client: test }).reset()
      try {
        return await run()
      } finally {
        if (current === test) current = ''
      }
    },
    test: () => current,
  }
}

const noPlugin = `In browser mode, the dev server of Vitest answers. Add the plugin to the config of Vitest:
  import mockApi from 'unplugin-mock-api/vite'
  plugins: [mockApi()]`
