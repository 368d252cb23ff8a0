/* The examples of docs/any-origin.md, started as they are written. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runCommand } from '../hosts/command.ts'
import { freePort } from '../hosts/serve.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { sendTo } from '../http.ts'
import { filesOf, packageRoot } from './pages.ts'

const files = filesOf('docs/any-origin.md')

/** A backend whose base URL can be set, and a test of it. */
const app = {
  'src/payments.js': `
    const payments = process.env.PAYMENTS_URL ?? 'https://api.payments.example'
    export async function charge(amount) {
      const body = JSON.stringify({ amount })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(payments + '/v1/charges', { method: 'POST', headers, body })
      if (!response.ok) throw new Error('The payment failed: ' + response.status)
      return response.json()
    }`,
  'server.mjs': `
    import express from 'express'
    import { charge } from './src/payments.js'
    const app = express()
    app.post('/orders', express.json(), (request, response) =>
      charge(request.body.total).then(
        (charge) => response.status(201).json({ id: 8, charge }),
        (error) => response.status(502).json({ message: String(error) }),
      ),
    )
    app.listen(3000)`,
  'vitest.config.ts': "export default { test: { setupFiles: ['./vitest.setup.ts'] } }",
  'src/payments.test.js': `
    import { mockApi } from 'unplugin-mock-api/vitest'
    import { expect, it } from 'vitest'
    import { charge } from './payments.js'
    it('charges the amount', async () => {
      expect(await charge(20)).toMatchObject({ amount: 20, state: 'succeeded' })
    })
    it('the service is down', async () => {
      await mockApi.setScenario('payments-down')
      await expect(charge(20)).rejects.toThrow('503')
    })`,
}

let project: TestProject
beforeAll(
  () => void (project = createProjectInPackage({ ...files, ...app, 'package.json': '{ "type": "module" }' })),
)
afterAll(() => project.close())

const charged = { id: 'ch_1', amount: 20, state: 'succeeded' }

it('Express asks the stub on a second port', async () => {
  const [port, stub] = [await freePort(), await freePort()]
  project.write('mocks.mjs', files['mocks.mjs']!.replace('4000', stub))
  project.write('server.mjs', app['server.mjs'].replace('3000', port))
  vi.stubEnv('PAYMENTS_URL', `http://localhost:${stub}`)
  const running = ['mocks.mjs', 'server.mjs'].map((script) => runCommand(project.root, script))
  try {
    const body = '{ "total": 20 }'
    const headers = { 'content-type': 'application/json' }
    const ask = () => sendTo(`http://127.0.0.1:${port}`)({ method: 'POST', url: '/orders', body, headers })
    await vi.waitFor(async () => expect((await ask()).status).toBe(201), 30_000)
    expect(JSON.parse((await ask()).text)).toEqual({ id: 8, charge: charged })
    const scenario = {
      method: 'PUT',
      url: '/__mock-api/api/scenario',
      body: '{ "scenario": ["payments-down"] }',
    }
    await sendTo(`http://127.0.0.1:${stub}`)({ ...scenario, headers: { ...headers, 'x-mock-api': '1' } })
    expect((await ask()).status).toBe(502)
  } finally {
    vi.unstubAllEnvs()
    for (const one of running) await one.stop()
  }
})

it('the route handler answers below its folder, as Next.js calls it', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(project.root)
  const name = 'app/mocks/[...path]/route.ts'
  const { POST } = (await import(join(project.root, name))) as {
    POST: (request: Request) => Promise<Response>
  }
  const ask = (path: string) =>
    POST(new Request(`http://localhost:3000${path}`, { method: 'POST', body: '{ "amount": 20 }' }))
  expect(await (await ask('/mocks/v1/charges')).json()).toEqual(charged)
  expect((await ask('/v1/charges')).status).toBe(404)
  vi.restoreAllMocks()
})

it('Vitest', async () => {
  const vitest = join(packageRoot, 'node_modules/.bin/vitest')
  const env = { ...process.env, CI: '1', NO_COLOR: '1', FORCE_COLOR: undefined }
  const { stdout } = await promisify(execFile)(
    vitest,
    ['run', '--testTimeout=120000', '--root', project.root],
    {
      cwd: project.root,
      env,
    },
  )
  expect(stdout).toMatch(/Tests\s+2 passed/)
})
