import { createApiClient } from '../../inspector/client/api-client.ts'
import { createClient } from '../../client.ts'
import type { TestLayer, TestOptions } from '../test-layer.ts'

interface Originals {
  fetch: typeof fetch
  open: (this: XMLHttpRequest, ...parameters: unknown[]) => void
}
const originalsKey = Symbol.for('unplugin-mock-api.originals')

/** Vite serves a setup file and the import of a test as two modules: each replaces what the page had at first. */
function originals(): Originals {
  const page = globalThis as { [originalsKey]?: Originals }
  return (page[originalsKey] ??= {
    fetch: globalThis.fetch.bind(globalThis),
    open: Reflect.get(XMLHttpRequest.prototype, 'open') as Originals['open'],
  })
}

/**
 * The plugin in Vitest's own dev server answers; here requests only get the name of their test.
 * A browser can't tell tests of one file apart that run at the same time.
 */
export function createBrowserLayer(optionsOf: () => TestOptions): TestLayer {
  const { origin } = location
  const { fetch: send, open } = originals()
  let current = ''
  const nameFor = (url: string | URL) =>
    new URL(url, location.href).origin === origin && current !== '' ? current : undefined

  function tapFetch(): void {
    globalThis.fetch = (input, init) => {
      const name = nameFor(input instanceof Request ? input.url : input)
      if (name === undefined) return send(input, init)
      const request = new Request(input, init)
      if (!request.headers.has('x-mock-client')) request.headers.set('x-mock-client', name)
      return send(request)
    }
  }

  function tapXhr(): void {
    const { prototype } = XMLHttpRequest
    prototype.open = function (method: string, url: string | URL, ...rest: unknown[]) {
      open.call(this, method, url, ...rest)
      const name = nameFor(url)
      if (name !== undefined) this.setRequestHeader('x-mock-client', name)
    }
  }

  return {
    origin,
    ask: send,
    failsUnmatched: () => optionsOf().unmatched === 'fail',
    nearMisses: () => [],
    async start() {
      const api = createApiClient({ base: `${origin}/__mock-api/api/`, fetch: send })
      await api.call('GET /scenario').catch((cause: unknown) => {
        throw new Error(noPlugin, { cause })
      })
      tapFetch()
      tapXhr()
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
