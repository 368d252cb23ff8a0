/* What modules of an application import, in Vitest and in demo builds. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectBrowser } from '../e2e/browser.ts'
import { builders } from '../service-worker/builders.ts'
import { startStaticServer } from '../service-worker/static-server.ts'
import { files, fixture, routeFiles, rows, tsconfig } from './module-world-rows.ts'
import { projectOfTest } from './of-test.ts'
import { createProjectInPackage } from './test-project.ts'

const { 'package.json': manifest, ...sources } = files
// Vite leaves decorators as they are unless TypeScript's config says which ones they are.
const decorators =
  '{ "extends": "../tsconfig.app.json", "compilerOptions": { "experimentalDecorators": true } }'
const asked = rows.map(([row], index) => [row, `/value/${index}`])
const expected = rows.map(([row, , , value]) => [row, { value }])

function projectWith(more: Record<string, string>) {
  const all = { ...sources, ...tsconfig, 'src/tsconfig.json': decorators, ...routeFiles, ...more }
  const project = projectOfTest(all, createProjectInPackage)
  project.write('package.json', manifest)
  return project
}

const vitestConfig = (plugins: string) => `
import { mockApi } from '../../dist/vite.js'
export default {
  plugins: [${plugins}],
  define: { __VERSION__: '"1.2"', 'process.env.API_URL': '"/api"', 'process.env.API_KEY': '"key"' },
  test: { testTimeout: 120_000, setupFiles: ['../../dist/vitest.js'], reporters: ['json'], include: ['*.test.js'] },
}`

it.each([
  ['with the plugin', 'mockApi()', 'test'],
  ['with the plugin, in another mode', 'mockApi()', 'staging'],
  ['without the plugin', '', 'test'],
  ['without the plugin, in another mode', '', 'staging'],
])('Vitest %s', async (_, plugins, mode) => {
  const config = ['1.2', 'string', '/api', 'key', mode, 'import.meta.url']
  const project = projectWith({
    'vitest.config.js': vitestConfig(plugins),
    'fixtures/config.ts': fixture("import { config } from '../src/config'", 'config'),
    'rows.test.js': `
import { expect, it } from 'vitest'
const get = async (path) => (await fetch(new URL(path, 'http://localhost'))).json()
it('rows', async () => {
  const found = []
  for (const [row, path] of ${JSON.stringify(asked)}) found.push([row, await get(path)])
  expect(found).toEqual(${JSON.stringify(expected)})
  expect((await get('/value')).value).toEqual(${JSON.stringify(config)})
})`,
  })
  const script = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const env = { ...process.env, VITEST: undefined, NODE_ENV: undefined, MODE: undefined }
  const parameters = [script, 'run', ...(mode === 'test' ? [] : ['--mode', mode])]
  const ran = promisify(execFile)(process.execPath, parameters, { cwd: project.root, env })
  const { stdout } = await ran.catch((error: { stdout: string }) => error)
  const { testResults } = JSON.parse(stdout) as { testResults: { assertionResults: unknown[] }[] }
  expect(testResults[0]!.assertionResults).toMatchObject([{ failureMessages: [], status: 'passed' }])
})

describe('A demo build', () => {
  // Its worker starts at once, and so has no asynchronous lists.
  const isAsync = ([row]: unknown[]) => row === 'import()'
  const asyncFiles = rows.flatMap((row, index) => (isAsync(row) ? `fixtures/row${index}.ts` : []))
  const listed = Object.entries(routeFiles).map(([name, text]) => [name, text.replace('async ()', '()')])

  it.each(builders)('with $name', async ({ build }) => {
    const project = projectWith({
      ...(Object.fromEntries(listed) as Record<string, string>),
      'template.html': '<!doctype html><title>the app</title><body></body>',
      'main.js': `globalThis.asked = (async () => {
        const found = []
        for (const [row, path] of ${JSON.stringify(asked.filter((one) => !isAsync(one)))})
          found.push([row, await (await fetch(path)).json()])
        return found
      })()`,
    })
    asyncFiles.forEach(project.remove)
    await build(project, { base: '/', outDir: 'dist', options: { build: 'service-worker' } })
    const server = await startStaticServer(join(project.root, 'dist'), '/')
    const browser = await connectBrowser()
    onTestFinished(async () => {
      await browser.close()
      await server.close()
    })
    const page = await browser.newPage()
    await page.goto(server.origin)
    await page.waitForFunction(() => 'asked' in globalThis)
    const found = await page.evaluate(() => (globalThis as unknown as { asked: Promise<unknown> }).asked)
    expect(found).toEqual(expected.filter((one) => !isAsync(one)))
  })
})
