/* The command `explore`, as docs/explore.md shows it: every sad path of a small page, judged, shown and accepted. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest'
import { explore as explorePage } from '../../src/explore/explore.ts'
import { verdicts } from '../../src/explore/judge/judge.ts'
import type { ExploreReport } from '../../src/explore/report/former-report.ts'
import { ReportFolder } from '../../src/explore/report/report.ts'
import { runIn } from '../cli/test-terminal.ts'
import { hostsNamed, startOnce } from '../hosts/hosts.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { inThisRun } from '../hosts/this-run.ts'
import { isThorough } from '../sampling.ts'
import { tlsHosts } from '../hosts/tls-hosts.ts'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'
import { blocksOf } from '../docs/pages.ts'
import { accessibilityProblems } from './accessibility.ts'
import { connectBrowser } from './browser.ts'
import { restlessFiles, shopFiles } from './shop-page.ts'
import { useBrowser } from './use-browser.ts'

const wanted: [id: string, verdict: string, error?: RegExp][] = [
  ['GET /offers #status 500', 'looping'],
  ['GET /offers #null text', 'handled'],
  ['GET /orders #null [].title last', 'silent'],
  ['GET /orders #status 500', 'handled'],
  ['GET /orders #list empty', 'handled'],
  ['GET /orders #connection silent', 'stuck'],
  ['GET /theme #status 500', 'blank'],
  ['GET /theme #null colour', 'handled'],
  ['GET /user #null name', 'crashed', /^TypeError: .*toUpperCase/],
  ['GET /user #status 500', 'handled'],
  ['GET /user #null email', 'handled'],
]
/** In `npm test` one of each verdict. */
const tried = wanted.filter(
  ([, verdict], at) => isThorough || wanted.findIndex((one) => one[1] === verdict) === at,
)
const only = tried.map(([id]) => id)

const hosts = inThisRun({
  quick: hostsNamed('Vite 8 dev'),
  slow: hostsNamed(
    'webpack-dev-server 6, Node API',
    'Rspack dev',
    'Rsbuild dev',
    'Rsbuild preview',
    'Vite 8 preview',
  ),
})
const browser = useBrowser()
const launch = chromium.launch.bind(chromium)
/** The command has the browser of all tests, but for one that launches its own. */
let launched: MockInstance<typeof launch>
beforeAll(() => {
  launched = vi.spyOn(chromium, 'launch').mockImplementation(connectBrowser)
  return () => launched.mockRestore()
})

describe.each(hosts)('$name', ({ start }) => {
  const running = startOnce({ start }, shopFiles, { options: { inspector: { preview: true } } })

  // In `npm test` few pages, since each that is open takes longer than a visit.
  const usual = ['--limit', '3000', '--quiet', '300', ...(isThorough ? [] : ['--pages', '3'])]
  const explore = (...args: string[]) =>
    runIn(running.project.root, ['explore', `${running.origin}/`, ...usual, ...args])
  const readReport = () =>
    JSON.parse(
      readFileSync(join(running.project.root, 'mock-api-report/report.json'), 'utf8'),
    ) as ExploreReport

  it('judges each sad path, and reports it as a page, JSON and JUnit', async () => {
    const { exitCode, stdout, stderr } = await explore('--only', ...only)
    expect(exitCode, stderr).toBe(1)
    const shown = blocksOf('docs/explore.md').find(({ language }) => language === 'text')!
    const lines = shown.text.trim().split('\n')
    // Each host names its scripts in its own way, or runs them by eval.
    const plain = (text: string) =>
      text
        .replace(/\d+ times/g, 'many times')
        .replace(/\S+:\d+ (?=TypeError)/, '')
        .replace(/(?<=1\. )\S+ (?=reads)/, '')
    const written = plain(stderr + stdout).split('\n')
    if (isThorough) expect(written).toEqual(expect.arrayContaining(lines.map(plain)))
    const report = readReport()
    expect(report).toMatchObject({
      url: `${running.origin}/`,
      isComplete: true,
      counts: { crashed: 1, blank: 1, looping: 1, stuck: 1, silent: 1, handled: isThorough ? 6 : 1 },
    })
    const found = report.findings.map(({ id, verdict }) => [id, verdict])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(tried.map(([id, verdict]) => [id, verdict])))
    for (const { id, verdict, error, screenshot, answer } of report.findings) {
      const pattern = wanted.find((one) => one[0] === id)?.[2]
      if (pattern) expect(error).toMatch(pattern)
      else expect(error).toBeUndefined()
      expect(answer).toBeDefined()
      // The first of a request has one, and each that is to be looked at.
      if (screenshot === undefined) expect(verdict).toBe('handled')
      else expect(existsSync(join(running.project.root, 'mock-api-report', screenshot))).toBe(true)
    }
    expect(report.findings.find(({ id }) => id === 'GET /user #null name')).toMatchObject({
      request: 'GET /user',
      title: 'name is null',
      kind: 'null',
      asked: { method: 'GET', url: '/user' },
      answer: { status: 200, text: '{"name":null,"email":"ada@example.com"}' },
    })
    const junit = readFileSync(join(running.project.root, 'mock-api-report/junit.xml'), 'utf8')
    const ofUser = isThorough ? 3 : 1
    expect(junit).toContain(`<testsuite name="GET /user" tests="${ofUser}" failures="1" skipped="0">`)
    expect(junit).toContain('<testcase classname="GET /offers" name="text is null"/>')
  })

  it.runIf(isThorough)(
    'goes on where it was stopped, with the steps of a script before and on the page, and takes what is accepted',
    async () => {
      const report = readReport()
      const left = report.findings.pop()!
      // Of a run with another --only, which counts no more.
      const findings = [...report.findings, { ...left, id: 'GET /gone #null name' }]
      running.project.write(
        'mock-api-report/report.json',
        JSON.stringify({ ...report, findings, isComplete: false }),
      )
      running.project.write(
        'mock-api-accepted.yaml',
        `
- { request: GET /offers, verdict: looping, reason: The service never fails }
- { id: 'GET /theme #status 500', verdict: blank, reason: It is old }
- { kind: connection, verdict: stuck, reason: Nobody waits so long }
- { id: 'GET /orders #null [].title last', verdict: silent, reason: Titles are never null }
- { id: 'GET /user #null name', verdict: crashed, reason: Names are never null }
- { request: GET /account, verdict: silent, reason: The page does not look at the answer }
`,
      )
      running.project.write(
        'steps.ts',
        `export default async (page, url) => { await page.goto(url + '?login') }
export const after = async (page) => { await page.evaluate(() => fetch('/account')) }`,
      )
      const more = 'GET /account #status 500'
      const { exitCode, stdout, stderr } = await explore('--script', 'steps.ts', '--only', ...only, more)
      expect(stderr).toMatch(/It continues the run that was stopped: 10 of 12 done, 2 left: /)
      expect(stdout).toMatch(
        /^12 sad paths: 1 crashed, .*, 6 handled, 6 of them accepted\nThe report: mock-api-report.report\.html\n$/,
      )
      expect(exitCode).toBe(0)
      const found = readReport().findings.map(({ id, verdict }) => [id, verdict])
      expect(found).toContainEqual([left.id, left.verdict])
      expect(found).toContainEqual([more, 'silent'])
      running.project.remove('mock-api-accepted.yaml')
    },
  )

  it('the report needs no other file, and is accessible', async () => {
    const context = await browser().newContext({ viewport: { width: 400, height: 800 } })
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(running.project.root, 'mock-api-report/report.html')).href)
    expect(await page.getByRole('heading', { level: 3 }).first().textContent()).toMatch(/^crashed/)
    const listed = await page.getByRole('listitem').count()
    expect(listed).toBeGreaterThanOrEqual(only.length)
    const count = readReport().counts.handled
    const handled = page.getByRole('checkbox', { name: `${count} handled` })
    await handled.uncheck()
    expect(await page.getByRole('listitem').count()).toBe(listed - count)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityProblems(page)).toEqual([])
    }
    await page.getByRole('button', { name: 'Larger' }).first().press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')

    await handled.check()
    await page.locator('a[href*="GET+%2Foffers+%23null+text"]').click()
    await page.getByRole('button', { name: 'Open the page like this' }).click()
    await page.getByText('No offer today').waitFor()
    await page.evaluate(() =>
      fetch('/__mock-api/api/reset', { method: 'POST', headers: { 'x-mock-api': '1' }, body: '{}' }),
    )
    await context.close()
  })
})

// For a quarter of a minute: the slow run has the time.
it.each(inThisRun({ quick: [], slow: ['Vite 8 dev'] }))('a page that never rests, on %s', async (name) => {
  const project = createTestProject(restlessFiles)
  const [vite] = hostsNamed(name)
  const running = await vite!.start(project)
  const args = ['--limit', '1000', '--quiet', '200', '--json', '--only']
  args.push('#list empty', '#null [].title last', '#body malformed')
  const { stdout, stderr, exitCode } = await runIn(project.root, ['explore', running.origin, ...args])
  await running.close()
  project.close()
  expect(exitCode, stderr).toBe(0)
  const { findings } = JSON.parse(stdout) as ExploreReport
  expect(Object.fromEntries(findings.map(({ id, reason }) => [id, reason]))).toEqual({
    'GET /orders #list empty': 'It says "No orders yet"',
    'GET /orders #body malformed': 'It says "The orders could not be loaded"',
    'GET /orders #null [].title last': 'It shows the rest: 1 of 2 fields of the answer are on the page.',
  })
})

it('a report runs nothing of the texts in it, opened as a file', async () => {
  const project = createTestProject({})
  const attack = `'"><script>pwned()</script><img src=x onerror=pwned()></title></style></pre></textarea><svg onload=pwned()>\u2028javascript:pwned() --> ]]>`
  const pixel = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')
  const folder = new ReportFolder(
    join(project.root, 'out'),
    `http://localhost:1/${encodeURI(attack)}#${attack}`,
    [{ request: attack, verdict: 'silent', reason: attack }],
  )
  folder.addUsual(pixel, attack)
  const texts = { request: attack, title: attack, reason: attack }
  for (const [index, verdict] of verdicts.entries())
    folder.add(
      {
        ...{ ...texts, id: `${attack}${index}`, kind: 'null', verdict },
        error: { message: attack, stack: `Error: ${attack}\n at ${attack}` },
        asked: { method: attack, url: attack, body: attack },
        answer: { status: 200, text: attack, fault: attack },
      },
      pixel,
    )
  folder.plan(folder.report.findings.map(({ id }) => id))
  folder.finish(true)
  const context = await browser().newContext()
  const page = await context.newPage()
  const events: string[] = []
  await page.exposeFunction('pwned', () => events.push('ran'))
  page.on('pageerror', ({ message }) => events.push(message))
  page.on('console', (message) => events.push(message.text()))
  page.on('request', (request) => events.push(request.url().slice(0, 60)))
  const file = pathToFileURL(join(project.root, 'out/report.html')).href
  await page.goto(file)
  expect(await page.getByRole('listitem').count()).toBe(verdicts.length)
  expect(
    await page.locator('script, iframe, object, svg, link[rel=stylesheet], [onerror], [onload]').count(),
  ).toBe(1)
  expect(await page.getByRole('heading', { level: 3 }).first().textContent()).toContain(attack)
  await page.getByText('Request and answer').first().click()
  await page.getByRole('button', { name: 'Larger' }).first().click()
  await page.getByRole('dialog').click()
  expect(events.filter((event) => !event.startsWith('data:'))).toEqual([file.slice(0, 60)])
  const junit = readFileSync(join(project.root, 'out/junit.xml'), 'utf8')
  const failures = (xml: string) => {
    const read = new DOMParser().parseFromString(xml, 'application/xml')
    return [...read.querySelectorAll('failure, parsererror')].map(({ localName }) => localName)
  }
  // All but those that are no problem, and that is accepted: silent, and what is worse is not.
  expect(await page.evaluate(failures, junit)).toEqual(['failure', 'failure', 'failure', 'failure'])
  await context.close()
  project.close()
})

/** Listens for the tests of a `describe`. */
function listening(server: Server): { origin: string } {
  const at = { origin: '' }
  beforeAll(async () => void (at.origin = await listen(server)))
  afterAll(() => closeServer(server))
  return at
}
/** A mock server with one order, for the tests of a `describe`. */
function ordersServer(): { api: ApiServer } {
  const served = {} as { api: ApiServer }
  const files = { 'fixtures/a.yaml': '- { path: /orders, response: { body: [{ id: 7 }] } }' }
  beforeAll(async () => void (served.api = await startApiServer(files)))
  afterAll(() => served.api.close())
  return served
}

describe('what is no page of ours', () => {
  const serving = (type: string, text: string) =>
    listening(createServer((_, res) => res.setHeader('content-type', type).end(text)))
  const strange = serving('text/html', '<h1>Hello</h1>')
  const talkative = serving('application/json', '{ "text": 1 }')

  const project = createTestProject({
    'accepted.yaml': '- { kind: status, verdict: silent }',
    'steps.ts': 'export const steps = 1',
    mocks: 'a file',
  })
  afterAll(() => project.close())

  it.each<[what: string, args: () => string[], exitCode: number, stderr: RegExp]>([
    ['another server', () => [strange.origin], 1, /^error: The server at http:\S+ has no mock API: /],
    ['no address', () => ['orders'], 2, /^error: orders is not an address\./],
    ['a path, without a dev server', () => ['/orders'], 2, /^error: No dev server with the mock API is running for /],
    ['a cause, without a report', () => ['--again', '1'], 2, /^error: There is no report .*report\.json\. Run explore first\./],
    ['a finding without a reason', () => [strange.origin, '--accepted', 'accepted.yaml'], 1, /^error: accepted\.yaml:1:3 is not an accepted finding: reason: /],
    ['a script without steps', () => [strange.origin, '--script', 'steps.ts'], 2, /^error: \S+steps\.ts has no steps\. /],
    ['a number', () => [strange.origin, '--max', 'none'], 2, /^error: option '--max <count>' argument 'none' is invalid\. It must be a number above 0\./],
  ])('%s', async (_, args, exitCode, stderr) => {
    const ran = await runIn(project.root, ['explore', ...args()])
    expect(ran).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(stderr) as string })
  }) // prettier-ignore

  it.each<[what: string, url: () => string, error: RegExp]>([
    ['a server with JSON at every address', () => talkative.origin, /^The server at http:\S+ has no mock API: it answers every address/],
    ['no server', () => 'http://127.0.0.1:1/', /^No server answers at http:\/\/127\.0\.0\.1:1\. /],
  ])('%s', (_, url, error) => expect(explorePage(browser(), url(), {})).rejects.toThrow(error)) // prettier-ignore
})

describe('a page that is not on the server of the mock API', () => {
  const script = 'fetch(API).then(async (r) => (document.body.append(r.ok ? await r.text() : "No orders")))'
  const pages = createServer(({ url }, res) => {
    res.setHeader('content-type', 'text/html')
    if (url === '/private') return res.writeHead(302, { location: '/login' }).end()
    res.end(
      url === '/login'
        ? '<h1>Log in</h1>'
        : `<h1>Orders</h1><script>const API = '${served.api.origin}/orders'; ${script}</script>`,
    )
  })
  const served = ordersServer()
  const at = listening(pages)

  it('is explored as a client of its own', async () => {
    const { project, origin: api } = served.api
    const args = ['--server', api, '--only', '#status 500', '--json', '--quiet', '200']
    launched.mockImplementationOnce(launch)
    const { stdout, stderr } = await runIn(project.root, ['explore', `${at.origin}/`, ...args])
    expect(stderr).toBe('1 sad path of 1 request\n')
    expect((JSON.parse(stdout) as ExploreReport).findings).toMatchObject([
      { id: 'GET /orders #status 500', verdict: 'handled', answer: { status: 500 } },
    ])
    expect((await fetch(`${api}/orders`)).status).toBe(200)
  })

  it.each([
    ['before.ts', 'export default async () => {', 'The default export'],
    ['after.ts', 'export const after = async () => {', '"after"'],
  ])('a failure in %s names its place', async (file, step, name) => {
    const { project, origin: api } = served.api
    project.write(file, `// Opens the menu\n${step}\n  throw new Error('No menu')\n}\n`)
    const ran = await runIn(project.root, ['explore', `${at.origin}/`, '--server', api, '--script', file])
    expect(ran).toMatchObject({ exitCode: 1, stderr: `error: ${file}:3: ${name} failed: No menu\n` })
  })

  it.each<[what: string, path: string, only: string[], error: (pages: string) => string | RegExp]>([
    ['has no sad path that fits a mistyped --only', '/', ['nosuch'], () => /^No sad path fits --only nosuch: .*"GET \/orders #/],
    ['may lead to another that asks for nothing', '/private', [], (pages) => `${pages}/private leads to ${pages}/login, which has sent no request`],
  ])('%s', async (_, path, only, error) => {
    const options = { server: served.api.origin, only, patience: { quiet: 100 } }
    await expect(explorePage(browser(), at.origin + path, options)).rejects.toThrow(error(at.origin))
  }) // prettier-ignore
})

it('a page whose load event never comes is judged, on a dev server with a certificate of its own', async () => {
  const project = createTestProject({
    'fixtures/a.yaml': '- { path: /picture.svg, response: { body: { file: dot.svg } } }',
    'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>',
    'index.html': '<!doctype html><h1>A picture</h1><img src="/picture.svg">',
  })
  const running = await tlsHosts[0]!.start(project)
  const found: [id: string, verdict: string][] = []
  await explorePage(browser(), `${running.origin}/`, {
    only: ['#connection silent'],
    patience: { quiet: 100, limit: 500, load: 3000 }, // a busy machine loads the page as it is in that time
    onFinding: ({ id, verdict }) => found.push([id, verdict]),
  })
  await running.close()
  project.close()
  expect(found).toEqual([['GET /picture.svg #connection silent', 'stuck']])
})

describe('a server that asks for a password', () => {
  const login = Buffer.from("us@er:zq'z/9").toString('base64')
  const served = ordersServer()
  const guarded = createServer((req, res) => {
    if (req.headers.authorization !== `Basic ${login}`)
      return res.writeHead(401, { 'www-authenticate': 'Basic realm="dev"' }).end()
    if (req.url === '/private')
      return res
        .setHeader('content-type', 'text/html')
        .end(
          '<h1>Orders</h1><script>fetch("/orders").then((r) => r.json()).then(([{ id }]) => document.body.append(id))</script>',
        )
    const { method, url, headers } = req
    req.pipe(
      request(`${served.api.origin}${url}`, { method, headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(res)
      }),
    )
  })
  const at = listening(guarded)

  it.runIf(isThorough)(
    'gets it from the address, which no report, no page and no message repeats',
    async () => {
      const { root } = served.api.project
      const address = `${at.origin.replace('//', "//us%40er:zq'z%2F9@")}/private`
      const args = [
        '--only',
        'GET /orders #status 500',
        'GET /orders #list empty',
        '--quiet',
        '200',
        '--json',
      ]
      const { stdout, stderr, exitCode } = await runIn(root, ['explore', address, ...args])
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('2 sad paths of 1 request\n')])
      const report = JSON.parse(stdout) as ExploreReport
      expect(report.url).toBe(`${at.origin}/private`)
      expect(report.findings.map(({ verdict, error }) => [verdict, typeof error])).toEqual([
        ['crashed', 'string'],
        ['crashed', 'string'],
      ])
      const files = ['report.json', 'report.html', 'junit.xml'].map((name) =>
        readFileSync(join(root, 'mock-api-report', name), 'utf8'),
      )
      for (const text of [stdout, stderr, ...files])
        expect(text).not.toMatch(/zq(?:'|%27|&#39;)z|us(?:@|%40)er/)
    },
  )

  it('and a wrong one is not repeated, either', async () => {
    const address = at.origin.replace('//', '//us:zqz@')
    const { stdout, stderr } = await runIn(served.api.project.root, ['explore', address])
    expect(stderr).toMatch(
      /^error: The server at http:\/\/127.0.0.1:\d+ has no mock API: .* answers with 401\./,
    )
    expect(stdout + stderr).not.toContain('zqz')
  })
})
