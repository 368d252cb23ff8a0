/*
 * Demo builds and `bundle` in docs/without-dev-server.md: their configs are built, and their commands are run. Needs `npm run build`, and
 * installs a PWA plugin.
 */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { runIn } from '../cli/test-terminal.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { createProjectInPackage, type TestProject } from '../hosts/test-project.ts'
import { npm, pack } from '../installed/install.ts'
import { blocksOf, sectionOf } from './pages.ts'
import { startStaticServer } from '../service-worker/static-server.ts'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'

const page = 'docs/without-dev-server.md'
const blocks = (section: string, language: string) =>
  blocksOf(page, section).flatMap((block) => (block.language === language ? block.text : []))

const orders = '- { path: /orders, response: { body: ordinary } }'
const files = { 'fixtures/orders.yaml': orders, 'dist/index.html': '<title>the app</title>' }

let project: TestProject
beforeAll(() => {
  project = createProjectInPackage(files)
})
afterAll(() => project.close())

describe('bundle', () => {
  const section = sectionOf(page, '## `bundle`')
  const [command] = blocks(section, 'sh')
  const words = (line: string) => line.trim().split(/\s+/).slice(2)

  it('its command writes the files that it names', async () => {
    const { exitCode, stdout } = await runIn(project.root, words(command!))
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('edge/worker.mjs')])
    for (const file of ['edge/worker.mjs', 'edge/wrangler.jsonc'])
      expect(existsSync(join(project.root, file))).toBe(true)
  })

  it('its table has the options of the command', async () => {
    const { stdout } = await runIn(project.root, ['bundle', '--help'])
    const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!)
    const listed = [...section.matchAll(/^\| `(--[\w-]+)`/gm)].map(([, name]) => name!)
    const inText = ['--target', '--out', '--base', '--scenario', '--cors', '--root', '--help']
    expect([...listed, ...inText].sort()).toEqual(options.sort())
  })

  it('its workflow is valid YAML, and its command runs', async () => {
    const workflow = parse(blocks(section, 'yaml')[0]!) as {
      jobs: { deploy: { steps: { run?: string }[] } }
    }
    const run = workflow.jobs.deploy.steps.find((step) => step.run?.includes('bundle'))!.run!
    rmSync(join(project.root, 'edge'), { recursive: true })
    expect(await runIn(project.root, words(run))).toMatchObject({ exitCode: 0 })
    const config = readFileSync(join(project.root, 'edge/wrangler.jsonc'), 'utf8')
    expect(JSON.parse(config)).toMatchObject({ assets: { directory: '../dist' } })
  })
})

describe('demo builds', () => {
  const [config, pwaConfig, ownWorker] = blocks(sectionOf(page, '## Demo builds'), 'ts')
  afterAll(() => vi.unstubAllEnvs())

  it.each(['1', ''])('its config, with DEMO=%s', async (demo) => {
    vi.stubEnv('DEMO', demo)
    project.write('vite.config.ts', config!)
    const outDir = `demo-${demo}`
    await build({ root: project.root, logLevel: 'silent', build: { outDir } })
    expect(existsSync(join(project.root, outDir, 'mock-api-worker.js'))).toBe(demo === '1')
  })

  it('its own worker can be bundled', async () => {
    project.write('sw.ts', ownWorker!)
    await build({
      root: project.root,
      logLevel: 'silent',
      build: { outDir: 'own', rolldownOptions: { input: 'sw.ts' } },
    })
    expect(existsSync(join(project.root, 'own'))).toBe(true)
  })

  it('beside the worker of a PWA, pages are answered, and load without a network', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pwa-')))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    mkdirSync(join(folder, 'fixtures'))
    write('package.json', '{ "type": "module" }')
    await npm.add(folder, await pack(folder), 'vite@8', 'vite-plugin-pwa@2')
    write('vite.config.ts', pwaConfig!)
    write('fixtures/orders.yaml', orders)
    write(
      'index.html',
      '<!doctype html><html lang="en"><head><title>the app</title></head><script type="module" src="/main.js"></script></html>',
    )
    write(
      'main.js',
      "import { registerSW } from 'virtual:pwa-register'\nregisterSW()\nglobalThis.first = fetch('/orders').then((response) => response.text())\n",
    )
    await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const server = await startStaticServer(join(folder, 'dist'))
    const browser = await connectBrowser()
    const context = await browser.newContext()
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.text().includes('[mock-api]') && problems.push(message.text()))
    const first = () => page.evaluate(() => (globalThis as unknown as { first: Promise<string> }).first)
    await page.goto(server.origin)
    expect(await first()).toBe('ordinary')
    // The worker controls the page, so Workbox has all files of the application.
    await page.reload()
    expect(await first()).toBe('ordinary')
    await server.close()
    await context.setOffline(true)
    await page.reload()
    expect([await page.title(), await first()]).toEqual(['the app', 'ordinary'])
    const workers = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
    )
    expect(workers).toEqual([`${server.origin}/sw.js`])
    expect(problems).toEqual([])
    await browser.close()
    rmSync(folder, { recursive: true, maxRetries: 3 })
  })
})
