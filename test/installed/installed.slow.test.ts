/*
 * The packed package, installed from the registry as a project does it: that every file that it imports is there, and that every
 * way into the same fixture files answers as Vite's dev server does: entries, previews, workers, MSW, test runners, Storybook.
 * Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../contract.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { startStaticServer } from '../service-worker/static-server.ts'
import { createPnpm, folderOf, npm, pack } from './install.ts'
import { askRows, byRow, fixtures, picture, rows, type WayAnswer } from './rows.ts'

const run = promisify(execFile)
// Outside this repository, whose node_modules would stand in for what is not installed.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'installed-')))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

let tarball: string
beforeAll(async () => {
  tarball = await pack(folder)
})

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}
const answersIn = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as WayAnswer[]

/** A project with the fixture files, and with `ask.js`, which asks for the rows. */
function writeProject(name: string): void {
  write(`${name}/package.json`, '{ "private": true, "type": "module" }')
  for (const [path, text] of Object.entries(fixtures)) write(`${name}/${path}`, text)
  write(`${name}/fixtures/picture.png`, picture)
  write(
    `${name}/ask.js`,
    `export const requests = ${JSON.stringify(requests)}\nexport ${askRows.toString()}\n`,
  )
}
const requests = rows.map(({ request }) => request)

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  name: string
  bin: string
  exports: Record<string, string | Record<string, Record<'types' | 'default', string>>>
  main: string
  module: string
  types: string
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** Entries for tests, which need the package that they are for: the ways below load them. */
const needPeers = ['./msw', './vitest', './jest', './node-test', './playwright']
const loadedPaths = Object.keys(manifest.exports).filter(
  (path) => !needPeers.includes(path) && !String(manifest.exports[path]).endsWith('.d.ts'),
)
/** For what knows no `exports`, such as Jest 27. */
const foldersOfEntries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  path !== '.' && typeof target === 'object' ? `${path.slice(2)}/package.json` : [],
)
const loadedNames = loadedPaths.map((path) => `unplugin-mock-api${path.slice(1)}`)

/** Loads every entry, and asks the middleware for the rows. */
const startEntries = (load: string) => `
${load}
const main = async () => {
  const entries = {}
  for (const name of ${JSON.stringify(loadedNames)})
    entries[name] = Object.keys(name.endsWith('.json') ? require(name) : await load(name))
  const { createMiddleware } = await load('unplugin-mock-api/connect')
  const { askRows, requests } = await import('./ask.js')
  const server = require('node:http').createServer(createMiddleware({ watch: false, logLevel: 'silent' }))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = 'http://127.0.0.1:' + server.address().port
  const answers = await askRows(requests, (url, init) => fetch(origin + url, init))
  require('node:fs').writeFileSync('answers.json', JSON.stringify(answers))
  console.log(JSON.stringify(entries))
  process.exit()
}
main()`
const systems = {
  mjs: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nconst load = (name) => import(name)",
  cjs: 'const load = (name) => require(name)',
}

describe.each([npm, createPnpm(join(folder, 'pnpm'))])('installed with $name', (installer) => {
  const project = join(folder, `with-${installer.name}`)

  beforeAll(async () => {
    writeProject(`with-${installer.name}`)
    await installer.add(project, tarball)
  })

  it('is at most 12 packages and 10.4 MB', () => {
    expect(installer.installed(project).length).toBeLessThanOrEqual(12)
    expect(sizeOf(join(project, 'node_modules'))).toBeLessThanOrEqual(10_400_000) // 2.6 are CommonJS, jiti has 2.1, 1.3 are declarations; `check --against`, imports of fixtures and `explore` 0.2
  })

  it('tells a project without a bundler what to install', async () => {
    const command = join(project, 'node_modules/.bin/unplugin-mock-api')
    const shell = process.platform === 'win32'
    const failed = run(command, ['bundle'], { cwd: project, shell })
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm install --save-dev vite') as string,
    })
  })

  it('has every file that another imports, and no file that none imports', () => {
    const root = folderOf(project)
    const { reached, outside } = importedFrom(root, [...entries, manifest.bin, ...loadedByPath])
    const fixed = [
      ...page.map((name) => `dist/inspector/${name}`),
      'LICENSE',
      'dist/third-party-licenses.md',
      ...loadedByName,
      ...foldersOfEntries,
      'fixtures/graphql.yaml',
      'fixtures/items.yaml',
    ]
    const isText = (name: string) => /^(?:docs|examples|skills)\/|^[\w.]+\.(?:md|txt)$/.test(name)
    const packed = filesIn(root).filter((name) => !name.startsWith('node_modules/') && !isText(name)) // pnpm's link to jiti
    expect(packed).toEqual([...new Set([...reached, ...fixed])].sort())
    const peers = { ...manifest.dependencies, ...manifest.peerDependencies }
    const known = [manifest.name, '@jest/globals', ...Object.keys(peers)] // Jest makes that one itself
    expect([...outside].filter((name) => !known.includes(name))).toEqual([])
  })

  it.each(Object.entries(systems))(
    'every entry can be loaded as .%s, and answers',
    async (extension, load) => {
      write(`with-${installer.name}/start.${extension}`, startEntries(load))
      const { stdout } = await run(process.execPath, [`start.${extension}`], { cwd: project })
      const entries = JSON.parse(stdout) as Record<string, string[]>
      expect(Object.keys(entries)).toEqual(loadedNames)
      expect(Object.entries(entries).filter(([, names]) => names.length === 0)).toEqual([])
      const answers = byRow(answersIn(`with-${installer.name}/answers.json`))
      for (const { name, json } of contract) expect(JSON.parse(answers[name]!.body)).toEqual(json)
      const cached = rows.filter(({ name }) => answers[name]!.headers['cache-control'] !== 'no-store')
      // What has an etag is asked for again.
      expect(cached.map(({ name }) => name)).toEqual(['the items afterwards'])
    },
  )

  it('has a command that finds its own version', async () => {
    const { version } = JSON.parse(readFileSync(join(folderOf(project), 'package.json'), 'utf8')) as {
      version: string
    }
    const command = join(project, 'node_modules/.bin/unplugin-mock-api')
    const { stdout } = await run(command, ['--version'], { shell: process.platform === 'win32' })
    expect(stdout).toBe(`${version}\n`)
  })
})

/** What is loaded by its name: by the entries for test runners, and by dev servers and demo builds, as text. */
const loadedByName = [
  'dist/test-node.js',
  'dist/badge/badge.js',
  'dist/origins/origins.js',
  'dist/service-worker-page/start.js',
]

/** The files that are imported, not run as a command. */
const entries = [
  ...Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? entry : Object.values(entry).flatMap(Object.values<string>),
  ),
  ...[manifest.main, manifest.module, manifest.types],
]

/** The files that others import, directly or not, and the packages that they import. */
function importedFrom(root: string, paths: readonly string[]) {
  const reached = new Set(paths.map((path) => posix.normalize(path)))
  const outside = new Set<string>()
  for (const file of reached) {
    for (const specifier of importsOf(join(root, file))) {
      if (specifier.startsWith('.')) reached.add(target(file, specifier))
      else if (!isBuiltin(specifier)) outside.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0])
    }
  }
  return { reached, outside }
}

/** What bundlers load, and what the modules that they get import. */
const loadedByPath = [
  'dist/bundle/entry.js',
  'dist/bundle/module-loader.js',
  'dist/bundle/routes-loader.js',
  'dist/bundle/worker-state.js',
  'dist/routes-runtime.js',
  'dist/plugin/badge/badge-loader.js',
  'dist/plugin/overlay/note-loader.js',
]

/** The files of the inspector's page, which are served. */
const page = ['index.html', 'inspector.css', 'inspector.js']

/* The ways into the fixture files, in one project with Vite, Vitest, MSW and Storybook. */

const project = join(folder, 'ways')

/** An example of the documentation, by the path in its first line. */
function documented(path: string): string {
  const page = readFileSync(new URL('../../docs/testing/storybook.md', import.meta.url), 'utf8')
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
export const Own = { parameters: { mockApi: { routes: [{ method: 'POST', path: '/orders', response: { status: 418 } }] } } }
export const Mistaken = { parameters: { mockApi: { scenarios: ['payment-down'] } } }
`,
}

const plugin = "import mockApi from 'unplugin-mock-api/vite'\n"
/** Test suites for each environment of Vitest, and a config of each kind. */
const suites: Record<string, string> = {
  'vitest.config.js': `${plugin}export default {
  plugins: [mockApi({ base: '/api', fixtures: 'suites' })],
  test: { testTimeout: 120_000, setupFiles: ['unplugin-mock-api/vitest'] },
}
`,
  'plain.config.js': `export default { test: { testTimeout: 120_000, setupFiles: ['unplugin-mock-api/vitest'] } }\n`,
  'suites/orders.yaml': `
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
  plugins: process.env.WITHOUT_PLUGIN ? [] : [mockApi({ fixtures: 'suites' })],
  test: {
    include: ['in-browser.js'],
    testTimeout: 120_000, setupFiles: ['unplugin-mock-api/vitest'],
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
}

const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, VITEST: undefined }
const scriptOfVitest = 'node_modules/vitest/vitest.mjs'

async function testIn(environment: string, cwd: string, node = process.execPath): Promise<string> {
  const args = [scriptOfVitest, 'run', 'own.test.js', '--environment', environment]
  return (await run(node, args, { cwd, env })).stdout
}

function testInBrowser(variables: NodeJS.ProcessEnv = {}) {
  const args = [scriptOfVitest, 'run', '--config', 'browser.config.js']
  return run(process.execPath, args, { cwd: project, env: { ...env, ...variables } })
}

/** Runs a module in the project. It has `requests` and `askRows`, and gives its answers to `print`. `project` has its packages. */
async function runScript(code: string, node = process.execPath, project = 'ways'): Promise<WayAnswer[]> {
  const source = `import { writeFileSync } from 'node:fs'
import { askRows, requests } from './ask.js'
const print = (answers) => writeFileSync('answers.json', JSON.stringify(answers))
${code}`
  write(`${project}/script.js`, source)
  const env = { ...process.env, NODE_ENV: undefined }
  await run(node, ['script.js'], { cwd: join(folder, project), env })
  return answersIn(`${project}/answers.json`)
}

const viteServer = (start: string) => `
import * as vite from 'vite'
const server = await ${start}
const { port } = server.httpServer.address()
print(await askRows(requests, (url, init) => fetch(\`http://127.0.0.1:\${port}\${url}\`, init)))
await server.close()
process.exit()`
const host = `server: { host: '127.0.0.1', port: 0 }, preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error'`

const throughMsw = (onUnhandled: 'onUnhandledRequest' | 'onUnhandledFrame') => `
import { setupServer } from 'msw/node'
import { toHandlers } from 'unplugin-mock-api/msw'
import { loadRoutes } from 'unplugin-mock-api/load'
const server = setupServer(...toHandlers(await loadRoutes('fixtures')))
server.listen({ ${onUnhandled}: 'error' })
print(await askRows(requests, (url, init) => fetch(new URL(url, 'http://localhost'), init)))
const answered = await fetch('http://localhost/without-a-route').catch(() => undefined)
if (answered) throw new Error('a request without a route was answered')
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
  const server = await startStaticServer(join(project, built), '/', anyPolicy)
  const browser = await connectBrowser()
  try {
    return await use(await browser.newPage(), server.origin)
  } finally {
    await browser.close()
    await server.close()
  }
}

const bin = (name: string) => join(project, 'node_modules', bins[name]!)
const bins: Record<string, string> = {
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  storybook: 'storybook/dist/bin/dispatcher.js',
}
const demoEnv = { ...process.env, NODE_ENV: undefined, VITEST: undefined, DEMO: '1' }

let builtStorybook: Promise<unknown> | undefined
const buildStorybook = () =>
  (builtStorybook ??= run(
    process.execPath,
    [bin('storybook'), 'build', '-o', 'book', '--disable-telemetry'],
    {
      cwd: project,
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
  'MSW 2': () => runScript(throughMsw('onUnhandledRequest')),
  Vitest: async () => {
    write('ways/src/ways.test.js', vitestFile)
    const args = ['run', 'src/ways.test.js', '--config', 'plain.config.js']
    await run(process.execPath, [bin('vitest'), ...args], { cwd: project, env: demoEnv })
    return answersIn('ways/answers.json')
  },
  'demo build': async () => {
    await run(process.execPath, [bin('vite'), 'build', '--outDir', 'demo'], { cwd: project, env: demoEnv })
    return askInPage('demo', '/')
  },
  Storybook: async () => {
    await buildStorybook()
    return askInPage('book', storyUrl('plain'))
  },
}

describe('the ways', () => {
  beforeAll(async () => {
    writeProject('ways')
    const page = '<!doctype html><title>Ways</title><script type="module" src="/src/main.js"></script>'
    const config = `${plugin}export default { plugins: [mockApi(process.env.DEMO ? { build: 'service-worker' } : {})] }\n`
    const files = {
      'index.html': page,
      'src/main.js': 'document.body.append("ready")\n',
      'vite.config.js': config,
    }
    for (const [path, text] of Object.entries({ ...files, ...storybook, ...suites }))
      write(`ways/${path}`, text)
    const frameworks = ['vite@8', 'vitest@4', 'msw@2', 'storybook@10', '@storybook/html-vite@10']
    const browser = ['@vitest/browser-playwright@4', 'playwright@1']
    const environments = ['jsdom@26', 'happy-dom@20', 'axios@1']
    await npm.add(project, '--legacy-peer-deps', tarball, ...frameworks, ...browser, ...environments)
  }, 600_000) // it installs frameworks

  describe('answer as the dev server of Vite', () => {
    let expected: WayAnswer[]
    beforeAll(async () => {
      expected = await runScript(
        `const { createServer } = await import('vite')${viteServer(
          `createServer({ ${host} }).then((server) => server.listen())`,
        )}`,
      )
    })

    it.each(Object.keys(ways))('%s', async (way) => {
      expect(byRow(await ways[way]!())).toEqual(byRow(expected))
    })

    // There is one for Linux only.
    it.runIf(process.platform === 'linux')('MSW 3 and Vitest 5, under Node 22', async () => {
      writeProject('node-22')
      for (const [path, text] of Object.entries(suites)) write(`node-22/${path}`, text)
      const cwd = join(folder, 'node-22')
      const packages = ['vitest@5', 'vite@8', 'jsdom@31', 'happy-dom@21', 'axios@1', 'msw@3']
      await npm.add(cwd, '--legacy-peer-deps', tarball, ...packages, `node-linux-${process.arch}@22`)
      const node = join(cwd, `node_modules/node-linux-${process.arch}/bin/node`)
      expect(byRow(await runScript(throughMsw('onUnhandledFrame'), node, 'node-22'))).toEqual(byRow(expected))
      for (const environment of ['node', 'jsdom', 'happy-dom'])
        expect(await testIn(environment, cwd, node)).toMatch(/Tests\s+7 passed/)
    })
  })

  describe('Vitest 4', () => {
    it.each(['node', 'jsdom', 'happy-dom'])('%s', async (environment) => {
      expect(await testIn(environment, project)).toMatch(/Tests\s+7 passed/)
    })

    it('browser mode', async () => {
      expect((await testInBrowser()).stdout).toMatch(/Tests\s+5 passed/)
    })

    it('browser mode without the plugin says which lines are missing', async () => {
      const failed = testInBrowser({ WITHOUT_PLUGIN: '1' })
      const { stderr } = (await failed.catch((error: unknown) => error)) as { stderr: string }
      expect(stderr).toMatch(/import mockApi from 'unplugin-mock-api\/vite'[^]*plugins: \[mockApi\(\)\]/)
    })
  })

  it('Storybook shows each story in its scenario, and with sequences from the start', async () => {
    await buildStorybook()
    const shown = await withPage('book', async (page, origin) => {
      const texts: string[] = []
      for (const story of ['paid', 'payment-down', 'own', 'paid']) {
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
      '418, turn 1, ready',
      '201, turn 1, ready',
      expect.stringContaining('The parameter "mockApi" of a story is { scenario: \'name\' }'),
    ])
  })
})

function filesIn(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}

function sizeOf(root: string): number {
  // Node 22 and later follow links, which pnpm makes many of: each file counts once.
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = new Set(files.map(({ parentPath, name }) => realpathSync(join(parentPath, name))))
  return [...paths].reduce((sum, path) => sum + statSync(path).size, 0)
}

/** What a file imports in any way, its types included. */
function importsOf(path: string): string[] {
  if (!/\.c?[jt]s$/.test(path)) return []
  const specifiers: string[] = []
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier && ts.isStringLiteralLike(specifier)) specifiers.push(specifier.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest))
  return specifiers
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  const isImport =
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(node.expression) && node.expression.text === 'require'))
  return isImport ? node.arguments[0] : undefined
}

/** The file that a relative import means: in types, `./a.js` is `./a.d.ts`. */
function target(file: string, specifier: string): string {
  const path = posix.join(posix.dirname(file), specifier)
  return /\.d\.c?ts$/.test(file) ? path.replace(/\.(c?)js$/, '.d.$1ts') : path
}
