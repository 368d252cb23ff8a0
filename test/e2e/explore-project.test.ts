/* `explore` in a project: it finds the dev server, tries several pages, and then only what has changed or one cause again. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { resolveConfig } from 'vite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import mockApi from '../../src/vite.ts'
import type { ExploreReport } from '../../src/explore/report/former-report.ts'
import { runIn } from '../cli/test-terminal.ts'
import { hostsNamed, type RunningHost } from '../hosts/hosts.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { connectBrowser } from './browser.ts'
import { useBrowser } from './use-browser.ts'

useBrowser()
const page = (path: string) =>
  `<!doctype html><link rel="icon" href="data:,"><h1>${path}</h1><script type="module" src="/${path}.js"></script>`
const fragile = `const user = await fetch('/user').then((r) => r.json())
document.body.append('For ' + user.name.toUpperCase())
`
const project = createTestProject({
  'node_modules/.keep': '',
  'fixtures/a.yaml': '- { path: /user, response: { body: { name: Ada Lovelace } } }\n- { path: /orders, response: { body: [{ id: 7, title: Oranges }] } }\n',
  'index.html': page('user'),
  'orders.html': page('orders'),
  'user.js': fragile,
  'orders.js': `const r = await fetch('/orders')\ndocument.body.append(r.ok ? (await r.json()).map(({ title }) => title).join() || 'No orders yet' : 'The orders are unavailable')\n`,
}) // prettier-ignore
let running: RunningHost
beforeAll(async () => {
  running = await hostsNamed('Vite 8 dev')[0]!.start(project)
  const launch = vi.spyOn(chromium, 'launch').mockImplementation(connectBrowser)
  return () => launch.mockRestore()
})
afterAll(async () => {
  await running.close()
  project.close()
})

/** Few pages, since each that is open takes longer than a visit. */
const explore = (...args: string[]) =>
  runIn(project.root, ['explore', '--quiet', '200', '--limit', '2000', '--pages', '2', ...args])
const readReport = () =>
  JSON.parse(readFileSync(join(project.root, 'mock-api-report/report.json'), 'utf8')) as ExploreReport

it('reports causes of several pages, and tries sad paths again after a change', async () => {
  const only = ['--only', 'null name', 'missing name', 'GET /orders #status 500', 'GET /orders #list empty']
  const first = await explore('/', '/orders.html', ...only)
  expect(first.stdout, first.stderr).toContain(`4 sad paths: 2 crashed, 0 looping, 0 stuck, 0 blank, 0 silent, 0 unreached, 2 handled
2 causes, 2 sad paths:
  1. user.js:2 reads "toUpperCase" of null: 1 sad path of GET /user
  2. user.js:2 reads "toUpperCase" of undefined: 1 sad path of GET /user
`) // prettier-ignore
  expect(first.stderr).not.toContain('It continues')
  const report = readReport()
  expect(report.pages).toEqual(['/', '/orders.html'].map((path) => running.origin + path))
  const user = `${running.origin}/`
  expect(report.causes.map(({ findings }) => findings)).toEqual([[{ id: 'GET /user #null name', page: user }], [{ id: 'GET /user #missing name', page: user }]]) // prettier-ignore
  expect(readFileSync(join(project.root, 'mock-api-report/report.html'), 'utf8')).toContain(
    '2 causes, 2 sad paths',
  )
  expect(readFileSync(join(project.root, 'mock-api-report/junit.xml'), 'utf8')).toContain('Cause 1 of 2: user.js:2 reads') // prettier-ignore

  const nothing = await explore('/', '/orders.html', '--changed', ...only)
  expect(nothing.stderr).not.toContain('crashed')
  expect(nothing.stdout).toContain('2 causes, 2 sad paths')

  project.write('user.js', fragile.replace('user.name.', '(user.name ?? "nobody").'))
  const again = await explore('--again', '1')
  expect(again.stdout, again.stderr).toMatch(/^Now passing: 1 of 1 sad paths with this cause\n4 sad paths: 1 crashed, .* 3 handled\n1 cause, 1 sad path:/) // prettier-ignore

  const changed = await explore('/', '/orders.html', '--changed', ...only)
  expect(changed.stdout, changed.stderr).toMatch(/^4 sad paths: 0 crashed, /)
  expect(readReport().findings.filter(({ page: at }) => at === `${running.origin}/orders.html`)).toHaveLength(
    2,
  )
})

it.each<[given: null | { ignored: string } | undefined, ignored: string[] | undefined]>([
  [undefined, ['**/mock-api-report/**']],
  [{ ignored: '**/mine/**' }, ['**/mine/**', '**/mock-api-report/**']],
  [null, undefined],
])('with the option watch of %o, Vite ignores %o: pages that are written make others reload', async (watch, ignored) => {
  const options = { root: project.root, configFile: false, logLevel: 'silent' } as const
  const { server } = await resolveConfig({ ...options, plugins: [mockApi()], server: watch === undefined ? {} : { watch } }, 'serve')
  expect(server.watch?.ignored).toEqual(ignored)
}) // prettier-ignore
