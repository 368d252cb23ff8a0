/* Frameworks on Vite, and what they themselves answer beside the plugin. Needs `npm run build`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { freePort } from '../hosts/serve.ts'
import { testScaffold } from './checks.ts'
import { run } from './command.ts'
import { createProject, serve, type Project, type Served } from './project.ts'
import { edit, frameworks, nextJs } from './scaffold.ts'

/** A route of another origin, which the server's own code asks, is added, changed and removed. */
async function expectOutgoing(cwd: string, origin: string, inspector: string): Promise<void> {
  const path = join(cwd, 'fixtures/pay.yaml')
  const ask = () => fetch(`${origin}/third`)
  for (const id of ['added', 'changed']) {
    writeFileSync(path, `- { url: https://pay.example/charges/:id, response: { body: { id: ${id} } } }\n`)
    await expect.poll(async () => (await ask()).text()).toMatch(new RegExp(`"id": ?"${id}"`))
  }
  const { requests } = (await (await fetch(`${inspector}/__mock-api/api/requests`)).json()) as {
    requests: object[]
  }
  const expected = { url: 'https://pay.example/charges/7', answeredBy: 'route', isServer: true, status: 200 }
  expect(requests).toContainEqual(expect.objectContaining(expected))
  rmSync(path)
  await expect.poll(async () => (await ask()).status).toBe(500)
}

describe.each(frameworks)('$name', (scaffold) => {
  const started = testScaffold(scaffold)
  const ask = (path: string, init?: RequestInit) => fetch(started().server.origin + path, init)

  it('a page that is rendered on the server has asked for a route', async () => {
    expect(await (await ask('/rendered')).text()).toContain('The last is Item 8')
  })

  it('server code that asks another origin is answered', () =>
    expectOutgoing(started().project.cwd, started().server.origin, started().server.origin))

  // Nitro 3.0.0 beside TanStack Start answers it with a 500, also without the plugin.
  it.skipIf(scaffold.name.endsWith('Nitro'))(
    "the framework's own endpoint gets the body of a request",
    async () => {
      const headers = { origin: started().server.origin } // Astro and SvelteKit refuse those of other pages
      const response = await ask('/own', { method: 'POST', body: 'a body', headers })
      expect([response.status, await response.text()]).toEqual([200, 'got a body'])
    },
  )

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

describe(nextJs.name, () => {
  let project: Project | undefined
  let server: Served | undefined
  afterAll(async () => {
    await server?.stop()
    project?.remove()
  })

  it('server code that asks another origin is answered, and the build has nothing of it', async () => {
    project = await createProject(nextJs, inject('tarball'))
    const port = await freePort()
    edit(join(project.cwd, nextJs.config), '4000', String(port))
    server = await serve(project)
    await expect.poll(() => fetch(server!.origin).then(({ ok }) => ok, () => false)).toBe(true) // prettier-ignore
    mkdirSync(join(project.cwd, 'fixtures'))
    await expectOutgoing(project.cwd, server.origin, `http://127.0.0.1:${port}`)
    await server.stop()
    await run(['npx', 'next', 'build'], project)
    const built = readdirSync(join(project.cwd, '.next/server'), { recursive: true, withFileTypes: true })
    const texts = built.filter((file) => file.isFile() && !file.name.endsWith('.map')).map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')) // prettier-ignore
    expect(texts.length).toBeGreaterThan(10)
    expect(texts.filter((text) => text.includes('unplugin-mock-api'))).toEqual([])
  })
})
