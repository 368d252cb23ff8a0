/*
 * The examples of docs/testing.md, run as a user runs them: Playwright with two workers against one dev server, and Vitest.
 * Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBrowser } from './e2e/browser.ts'
import { closeServer, listen } from './hosts/serve.ts'
import { createProjectInPackage, type TestProject } from './hosts/test-project.ts'

const run = promisify(execFile)
const page = readFileSync(new URL('../docs/testing.md', import.meta.url), 'utf8')
/** The examples by the file that their first line names. */
const files = Object.fromEntries(
  [...page.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (\S+\.\w+)\n([^]*?)^```$/gm)].map(([, path, text]) => [
    path!,
    text!,
  ]),
)

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
  const config = files['playwright.config.ts']!.replaceAll('5173', String(port)).replace(
    'npx vite',
    `npx vite --port ${port}`,
  )
  const executablePath = await findBrowser()
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

async function freePort(): Promise<number> {
  const server = createServer()
  const origin = await listen(server)
  await closeServer(server)
  return Number(new URL(origin).port)
}

const bin = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))

it('Playwright, two workers at once', async () => {
  const { stdout } = await run(bin('playwright'), ['test', '--reporter=line'], { cwd: project.root, env })
  expect(stdout).toContain('using 2 workers')
  expect(stdout).toContain('9 passed')
})

it('Vitest and MSW', async () => {
  const parameters = ['run', '--root', project.root, 'src/checkout.test.ts', 'src/msw.test.ts']
  const { stdout } = await run(bin('vitest'), parameters, { cwd: project.root, env })
  expect(stdout).toMatch(/Tests\s+3 passed/)
})

it('Vitest with a setup file: a request that no route fits fails its test', async () => {
  project.write(
    'src/unmatched.test.ts',
    `
import { it } from 'vitest'
it('is caught', () => fetch('/orders', { method: 'POST', body: '{}' }))
`,
  )
  project.write('own.config.ts', `export default { test: { setupFiles: ['./vitest.setup.ts'] } }`)
  const parameters = ['run', '--root', project.root, '--config', 'own.config.ts', 'src/unmatched.test.ts']
  const failed = (await run(bin('vitest'), parameters, { cwd: project.root, env }).catch(
    (error: unknown) => error,
  )) as { stdout: string; stderr: string }
  expect(failed.stdout).toMatch(/Tests\s+1 failed/)
  expect(failed.stderr).toContain('Error: No route fits POST /orders')
})
