/*
 * The examples of docs/testing.md, run as a user runs them: Playwright with two workers against one dev server, Vitest,
 * and, of docs/hosts/fetch.md, Node without a bundler.
 * Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runCommand } from '../hosts/command.ts'
import { freePort } from '../hosts/serve.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { filesOf } from './pages.ts'

const run = promisify(execFile)
const files = filesOf('docs/testing.md')

const app = `<!doctype html>
<title>Shop</title>
<button>Buy</button>
<p></p>
<script type="module">
  document.querySelector('button').onclick = async () => {
    const response = await fetch('/orders', { method: 'POST', body: '{ "total": 20 }' })
    document.querySelector('p').textContent = response.ok ? 'Thank you' : 'Try again later'
  }
</script>
`

let project: TestProject
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  const port = await freePort()
  const config = files['playwright.config.ts']!.replaceAll('5173', port).replace(
    'npx vite',
    `npx vite --port ${port}`,
  )
  const executablePath = process.env['CHROME_PATH']
  project = createProjectInPackage({
    ...files,
    'index.html': app,
    'vite.config.ts': `import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi()] }\n`,
    'documented.config.ts': config,
    'playwright.config.ts': `import documented from './documented.config'
const launchOptions = ${JSON.stringify({ executablePath, args: ['--no-sandbox'] })}
export default { ...documented, workers: 2, repeatEach: 3, outputDir: 'results', use: { ...documented.use, launchOptions } }
`,
  })
  env = { ...process.env, CI: '1', NO_COLOR: '1', FORCE_COLOR: undefined }
})
afterAll(() => project.close())

const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))

it('Playwright, two workers at once', async () => {
  const { stdout } = await run(bin('playwright'), ['test', '--reporter=line'], { cwd: project.root, env })
  expect(stdout).toContain('using 2 workers')
  expect(stdout).toContain('9 passed')
})

it('Playwright fails a test whose page asks another machine, or a path that no route has', async () => {
  project.write(
    'e2e/sealed.spec.ts',
    `
import { expect, test } from 'unplugin-mock-api/playwright'
test.use({ mockUnmatched: 'fail' })
test('elsewhere', async ({ page }) => {
  await page.goto('/')
  expect(await page.evaluate(() => fetch('https://api.elsewhere.example/x').catch(() => 'failed'))).toBe('failed')
})
test('unmatched', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => fetch('/orders', { method: 'POST', body: '{}' }))
})
test('of a known origin', async ({ page }) => {
  await page.goto('/')
  expect(await page.evaluate(async () => (await fetch('https://pay.example/known')).json())).toEqual({ known: true })
  await page.evaluate(() => fetch('https://pay.example/other').catch(() => {}))
})
test('answered', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => fetch('https://pay.example/known'))
})
`,
  )
  project.write(
    'fixtures/pay.yaml',
    '- { url: https://pay.example/known, response: { body: { known: true } } }',
  )
  const parameters = ['test', 'sealed', '--reporter=line', '--repeat-each=1']
  const { stdout } = (await run(bin('playwright'), parameters, { cwd: project.root, env }).catch(
    (error: unknown) => error,
  )) as { stdout: string }
  project.remove('e2e/sealed.spec.ts')
  project.remove('fixtures/pay.yaml')
  expect(stdout).toContain('GET https://api.elsewhere.example/x was not sent: no route answers it.')
  expect(stdout).toContain('No route matched POST /orders')
  expect(stdout).toContain("No route answers GET https://pay.example/other, and with unmatched: 'fail'")
  expect(stdout).toMatch(/3 failed[^]*1 passed/)
})

it('Vitest and MSW', async () => {
  const parameters = [
    'run',
    '--testTimeout=120000',
    '--root',
    project.root,
    'src/checkout.test.ts',
    'src/msw.test.ts',
  ]
  const { stdout } = await run(bin('vitest'), parameters, { cwd: project.root, env })
  expect(stdout).toMatch(/Tests\s+3 passed/)
})

it('Jest', async () => {
  for (const [path, text] of Object.entries(filesOf('docs/testing/jest.md'))) project.write(path, text)
  const script = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url))
  const { stderr } = await run(
    process.execPath,
    [script, '--testTimeout=120000', '--config', 'jest.config.cjs', 'checkout.test.js'],
    {
      cwd: project.root,
      env: { ...env, NODE_OPTIONS: '--experimental-vm-modules' },
    },
  )
  expect(stderr).toContain('Tests:       2 passed')
})

it('node:test', async () => {
  for (const [path, text] of Object.entries(filesOf('docs/testing/node-test.md'))) project.write(path, text)
  for (const setup of ['unplugin-mock-api/node-test', './test/setup.mjs']) {
    const args = ['--import', setup, '--test', '--test-reporter=tap', 'test/checkout.test.mjs']
    const { stdout } = await run(process.execPath, args, { cwd: project.root, env })
    expect(stdout).toContain('# pass 2')
  }
})

it('Vitest with a setup file: a request that matches no route fails its test', async () => {
  project.write(
    'src/unmatched.test.ts',
    `
import { it } from 'vitest'
it('is caught', () => fetch('/orders', { method: 'POST', body: '{}' }))
`,
  )
  project.write('own.config.ts', `export default { test: { setupFiles: ['./vitest.setup.ts'] } }`)
  const parameters = [
    'run',
    '--testTimeout=120000',
    '--root',
    project.root,
    '--config',
    'own.config.ts',
    'src/unmatched.test.ts',
  ]
  const failed = (await run(bin('vitest'), parameters, { cwd: project.root, env }).catch(
    (error: unknown) => error,
  )) as { stdout: string; stderr: string }
  expect(failed.stdout).toMatch(/Tests\s+1 failed/)
  expect(failed.stderr).toContain('Error: No route matched POST /orders')
})

it('Vitest in watch mode: an edit of a fixture file runs the tests again', async () => {
  project.write(
    'watched.test.ts',
    `
import { it } from 'vitest'
it('asks', async () => console.log('answer: ' + (await (await fetch('/watched')).text())))
`,
  )
  const answer = (text: string) => `- { path: /watched, response: { body: ${text} } }\n`
  project.write('fixtures/watched.yaml', answer('first'))
  project.write(
    'watch.config.ts',
    `import mockApi from 'unplugin-mock-api/vite'
export default { plugins: [mockApi()], test: { setupFiles: ['unplugin-mock-api/vitest'] } }
`,
  )
  const script = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  vi.stubEnv('CI', undefined) // where Vitest would not watch
  const options = ['--root', project.root, '--config', 'watch.config.ts', 'watched.test.ts']
  const child = runCommand(project.root, script, 'watch', ...options)
  vi.unstubAllEnvs()
  try {
    await child.seen(/answer: first[^]*Waiting for file changes/)
    project.write('fixtures/watched.yaml', answer('second'))
    await child.seen(/RERUN[^]*answer: second[^]*Waiting for file changes/)
    project.remove('fixtures/watched.yaml')
    project.write('fixtures/added.yaml', answer('third'))
    await child.seen(/answer: third/)
  } finally {
    await child.stop()
  }
})

it('Node: server.ts answers, and its watched routes let the process end', async () => {
  project.write('server.ts', filesOf('docs/hosts/fetch.md')['server.ts']!)
  project.write(
    'ask.ts',
    `
import { mockApi } from './server.ts'
const response = await mockApi(new Request('http://localhost/orders', { method: 'POST', body: '{ "total": 20 }' }))
console.log(response?.status)
`,
  )
  const jiti = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [jiti, 'ask.ts'], { cwd: project.root, env })
  expect(stdout).toBe('201\n')
})
