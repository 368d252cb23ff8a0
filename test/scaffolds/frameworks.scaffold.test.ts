/* Frameworks on Vite, and what they themselves answer beside the plugin. Needs `npm run build`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testScaffold } from './checks.ts'
import { frameworks } from './scaffold.ts'

describe.each(frameworks)('$name', (scaffold) => {
  const started = testScaffold(scaffold)
  const ask = (path: string, init?: RequestInit) => fetch(started().server.origin + path, init)

  it('a page that is rendered on the server has asked for a route', async () => {
    expect(await (await ask('/rendered')).text()).toContain('The last is Item 8')
  })

  // Nuxt runs it in a thread of its own.
  it.runIf(!scaffold.name.startsWith('Nuxt'))(
    'server code that asks another origin is answered',
    async () => {
      const { cwd } = started().project
      const route =
        '- { url: https://pay.example/charges/:id, response: { body: { id: { $from: params.id } } } }\n'
      writeFileSync(join(cwd, 'fixtures/pay.yaml'), route)
      const asked = async () => (await ask('/third')).text()
      await expect.poll(asked, { timeout: 60_000 }).toBe('{"id":"7"}')
    },
  )

  it("the framework's own endpoint gets the body of a request", async () => {
    const headers = { origin: started().server.origin } // Astro and SvelteKit refuse those of other pages
    const response = await ask('/own', { method: 'POST', body: 'a body', headers })
    expect([response.status, await response.text()]).toEqual([200, 'got a body'])
  })

  it("a page that does not exist has the framework's own 404", async () => {
    const response = await ask('/no-such-page', { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('x-mock-route')]).toEqual([404, null])
  })

  // Nuxt has a Vite server for the client and one for itself, with one instance of the plugin (see nuxt-served/modules).
  it.runIf(scaffold.name.startsWith('Nuxt'))('each of the two servers has the middleware once', () => {
    const counts = started()
      .server.output()
      .match(/(?:client|server): \d+ mockApiMiddleware/g)
    expect(counts?.sort()).toEqual(['client: 1 mockApiMiddleware', 'server: 1 mockApiMiddleware'])
  })
})
