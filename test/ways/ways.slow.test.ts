/*
 * The table of `rows.ts`, asked in every way into the same fixture files, with the packed package as a project has it
 * installed. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Miniflare } from 'miniflare'
import type { Page } from 'playwright-core'
import { connectBrowser } from '../e2e/browser.ts'
import { npm, pack } from '../installed/install.ts'
import { startStaticServer } from '../service-worker/static-server.ts'
import { askRows, fixtures, picture, rows, type WayAnswer } from './rows.ts'

const run = promisify(execFile)
// Outside this repository, whose node_modules would stand in for what is not installed.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ways-')))
let tarball: string
const requests = rows.map(({ request }) => request)

const viteConfig = `import mockApi from 'unplugin-mock-api/vite'
export default { plugins: [mockApi(process.env.DEMO ? { build: 'service-worker' } : {})] }
`

/** An example of the documentation, by the path in its first line. */
function documented(path: string): string {
  const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8')
  return page.split(`\`\`\`ts\n// ${path}\n`)[1]!.split('```')[0]!
}

/** A Storybook whose story shows what a request gets. */
const storybook = {
  '.storybook/main.js': `export default { framework: '@storybook/html-vite', stories: ['../src/*.stories.js'] }\n`,
  '.storybook/preview.ts': documented('.storybook/preview.ts'),
  'src/page.stories.js': `
const ask = async (output) => {
  const paid = await fetch('/orders', { method: 'POST', body: '{ "total": 20 }' })
  const { turn } = await (await fetch('/state')).json()
  output.textContent = paid.status + ', turn ' + turn + ', ready'
}
const asking = () => {
  const output = document.createElement('output')
  ask(output)
  return output
}
export default { title: 'Page', render: asking }
export const Plain = { render: () => 'ready' }
export const Paid = {}
export const PaymentDown = { parameters: { mockApi: { scenario: 'payment-down' } } }
export const Mistaken = { parameters: { mockApi: { scenarios: ['payment-down'] } } }
`,
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

beforeAll(async () => {
  write('package.json', '{ "private": true, "type": "module" }')
  write('index.html', '<!doctype html><title>Ways</title><script type="module" src="/src/main.js"></script>')
  write('src/main.js', 'document.body.append("ready")\n')
  write('vite.config.js', viteConfig)
  write('vitest.config.js', `export default { test: { setupFiles: ['unplugin-mock-api/vitest'] } }\n`)
  for (const [path, text] of Object.entries(storybook)) write(path, text)
  for (const [path, text] of Object.entries(fixtures)) write(path, text)
  write('fixtures/picture.png', picture)
  write('ask.js', `export const requests = ${JSON.stringify(requests)}\nexport ${askRows.toString()}\n`)
  tarball = await pack(folder)
  await npm.add(folder, tarball, 'vite@8', 'vitest@4', 'msw@2', 'storybook@10', '@storybook/html-vite@10')
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Runs a module in the project. It has `requests` and `askRows`, and gives its answers to `print`. `from` has its packages. */
async function runScript(code: string, node = process.execPath, from = '.'): Promise<WayAnswer[]> {
  const source = `import { writeFileSync } from 'node:fs'
import { askRows, requests } from '${pathToFileURL(join(folder, 'ask.js')).href}'
const print = (answers) => writeFileSync('answers.json', JSON.stringify(answers))
${code}`
  const script = `${from}/script.js`
  write(script, source)
  await run(node, [script], { cwd: folder, env: { ...process.env, NODE_ENV: undefined } })
  return answersIn('answers.json')
}

function answersIn(path: string): WayAnswer[] {
  return JSON.parse(readFileSync(join(folder, path), 'utf8')) as WayAnswer[]
}

const viteServer = (start: string) => `
import * as vite from 'vite'
const server = await ${start}
const { port } = server.httpServer.address()
print(await askRows(requests, (url, init) => fetch(\`http://127.0.0.1:\${port}\${url}\`, init)))
await server.close()
process.exit()`
const host = `server: { host: '127.0.0.1', port: 0 }, preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error'`

const throughMsw = `
import { setupServer } from 'msw/node'
import { toHandlers } from 'unplugin-mock-api/msw'
import { loadRoutes } from 'unplugin-mock-api/load'
const server = setupServer(...toHandlers(await loadRoutes('fixtures')))
server.listen({ onUnhandledRequest: 'error' })
print(await askRows(requests, (url, init) => fetch(new URL(url, 'http://localhost'), init)))
server.close()`

const vitestFile = `import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { askRows, requests } from '../ask.js'
it('asks', async () => writeFileSync('answers.json', JSON.stringify(await askRows(requests, fetch))))
`

/** Serves built pages as static files, and asks in one of them. */
async function askInPage(built: string, url: string): Promise<WayAnswer[]> {
  return withPage(built, async (page, origin) => {
    await page.goto(`${origin}${url}`)
    await page.getByText('ready').waitFor()
    const ask = `(${askRows.toString()})(${JSON.stringify(requests)}, (url, init) => fetch(url, init))`
    return page.evaluate<WayAnswer[]>(ask)
  })
}

async function withPage<T>(built: string, use: (page: Page, origin: string) => Promise<T>): Promise<T> {
  const anyPolicy = "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:"
  const server = await startStaticServer(join(folder, built), '/', anyPolicy)
  const browser = await connectBrowser()
  try {
    return await use(await browser.newPage(), server.origin)
  } finally {
    await browser.close()
    await server.close()
  }
}

const bin = (name: string) => join(folder, 'node_modules', bins[name]!)
const bins: Record<string, string> = {
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  storybook: 'storybook/dist/bin/dispatcher.js',
}
const demoEnv = { ...process.env, NODE_ENV: undefined, DEMO: '1' }

let builtStorybook: Promise<unknown> | undefined
const buildStorybook = () =>
  (builtStorybook ??= run(
    process.execPath,
    [bin('storybook'), 'build', '-o', 'book', '--disable-telemetry'],
    {
      cwd: folder,
      env: demoEnv,
    },
  ))
const storyUrl = (story: string) => `/iframe.html?id=page--${story}&viewMode=story`

const ways: Record<string, () => Promise<WayAnswer[]>> = {
  'Vite preview': () =>
    runScript(
      `import { build } from 'vite'\nawait build({ logLevel: 'error' })\n${viteServer(`vite.preview({ ${host} })`)}`,
    ),
  './fetch in Node': () =>
    runScript(`
import { createFetchHandler } from 'unplugin-mock-api/fetch'
import { loadRoutes } from 'unplugin-mock-api/load'
const handler = createFetchHandler(await loadRoutes('fixtures'))
print(await askRows(requests, (url, init) => handler(new Request(new URL(url, 'http://localhost'), init))))`),
  'MSW 2': () => runScript(throughMsw),
  async 'MSW 3'() {
    const node22 = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    write('msw-3/package.json', '{ "private": true, "type": "module" }')
    await npm.add(join(folder, 'msw-3'), tarball, 'msw@3', `${node22}@22`)
    return runScript(throughMsw, join(folder, `msw-3/node_modules/${node22}/bin/node`), 'msw-3')
  },
  Vitest: async () => {
    write('src/ways.test.js', vitestFile)
    const args = ['run', 'src/ways.test.js', '--config', 'vitest.config.js']
    await run(process.execPath, [bin('vitest'), ...args], { cwd: folder })
    return answersIn('answers.json')
  },
  workerd: async () => {
    const command = join(folder, 'node_modules/unplugin-mock-api/dist/cli.js')
    await run(process.execPath, [command, 'bundle', '--target', 'worker', '--out', 'worker.mjs'], {
      cwd: folder,
    })
    const worker = new Miniflare({
      modules: true,
      script: readFileSync(join(folder, 'worker.mjs'), 'utf8'),
      compatibilityDate: '2026-03-01',
      port: 0,
    })
    try {
      const { origin } = await worker.ready
      return await askRows(requests, (url, init) => fetch(`${origin}${url}`, init))
    } finally {
      await worker.dispose()
    }
  },
  'demo build': async () => {
    await run(process.execPath, [bin('vite'), 'build', '--outDir', 'demo'], { cwd: folder, env: demoEnv })
    return askInPage('demo', '/')
  },
  Storybook: async () => {
    await buildStorybook()
    return askInPage('book', storyUrl('plain'))
  },
}

/** The answers by the names of their rows, as text where they are text, so that a difference can be read. */
function byRow(answers: readonly WayAnswer[]) {
  return Object.fromEntries(rows.map(({ name }, index) => [name, readable(answers[index])]))
}

function readable(answer: WayAnswer | undefined) {
  if (!answer) return undefined
  const isText = /json|text/.test(answer.headers['content-type'] ?? '')
  return { ...answer, body: isText ? Buffer.from(answer.body, 'hex').toString() : answer.body }
}

describe('every way answers as the dev server of Vite', () => {
  let expected: WayAnswer[]
  beforeAll(async () => {
    expected = await runScript(
      `const { createServer } = await import('vite')${viteServer(
        `createServer({ ${host} }).then((server) => server.listen())`,
      )}`,
    )
  })

  it('which answers every row with a response of ours', () => {
    expect(rows.filter((_, index) => expected[index]!.headers['cache-control'] !== 'no-store')).toEqual([])
  })

  it.each(Object.keys(ways))('%s', async (way) => {
    expect(byRow(await ways[way]!())).toEqual(byRow(expected))
  })
})

it('Storybook shows each story in its scenario, and with sequences from the start', async () => {
  await buildStorybook()
  const shown = await withPage('book', async (page, origin) => {
    const texts: string[] = []
    for (const story of ['paid', 'payment-down', 'paid']) {
      await page.goto(`${origin}${storyUrl(story)}`)
      await page.getByText('ready').waitFor()
      texts.push((await page.textContent('output'))!)
    }
    await page.goto(`${origin}${storyUrl('mistaken')}`)
    await page.locator('#error-message:visible').waitFor()
    return [...texts, (await page.textContent('#error-message'))!]
  })
  expect(shown).toEqual([
    '201, turn 1, ready',
    '503, turn 1, ready',
    '201, turn 1, ready',
    expect.stringContaining('The parameter "mockApi" of a story is { scenario: \'name\' }'),
  ])
})
