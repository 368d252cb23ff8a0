/*
 * The packed package in other test runners and environments than those of test/intercept/runners.test.ts, installed from the
 * registry. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtures, testOf, unmatchedTest } from '../intercept/runner-tests.ts'
import { npm, pack } from './install.ts'

const run = promisify(execFile)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'test-runners-')))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

let tarball: string
beforeAll(async () => {
  tarball = await pack(folder)
})

/** For environments with a page: without Node's `fetch`, and with axios. */
const pageTest = `
const axios = require('axios')
const { mockApi } = require('unplugin-mock-api/jest')
const ask = (url) =>
  new Promise((resolve, reject) => {
    const request = Object.assign(new XMLHttpRequest(), { onload: () => resolve(request), onerror: reject })
    request.open('GET', url)
    request.send()
  })
for (const name of ['one', 'two'])
  test('XMLHttpRequest: ' + name, async () => {
    expect((await ask('/turns')).responseText).toBe('1')
    expect(await mockApi.requests()).toHaveLength(1)
  })
test('axios', async () => {
  const { status } = await axios.post('/orders', { total: 3 })
  expect(status).toBe(201)
})
test('a delay ends while timers are replaced', async () => {
  jest.useFakeTimers()
  try {
    expect((await ask('/slow')).responseText).toBe('slow')
  } finally {
    jest.useRealTimers()
  }
})
`
/** A component whose text is an answer, without a page. */
const nativeTest = `
const { createElement, useEffect, useState } = require('react')
const { Text } = require('react-native')
const { act, create } = require('react-test-renderer')
const axios = require('axios')
const Turn = () => {
  const [text, setText] = useState('')
  useEffect(() => void fetch('/turns').then((answer) => answer.text()).then(setText), [])
  return createElement(Text, null, text)
}
test('a component', async () => {
  let shown
  await act(() => (shown = create(createElement(Turn))))
  while (shown.toJSON().children?.[0] !== '1') await act(() => new Promise(setImmediate))
})
test('axios', async () => {
  const { status } = await axios.post('http://localhost:8081/orders', { total: 3 })
  expect(status).toBe(201)
})
`
const noFetchTest = `
test('says how to get fetch', () => expect(fetch('/turns')).rejects.toThrow('npm install -D jest-fixed-jsdom'))
`

async function createProject(name: string, packages: readonly string[], files: Record<string, string>) {
  const project = join(folder, name)
  const all = { 'package.json': '{ "private": true }', 'fixtures/orders.yaml': fixtures, ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  await npm.add(project, tarball, ...packages)
  return async (command: string, ...args: string[]): Promise<string> => {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, NODE_ENV: 'test' }
    const shell = process.platform === 'win32'
    const work = run(join(project, command), args, { cwd: project, env, shell })
    const { stdout, stderr } = await work.catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    )
    return stdout + stderr
  }
}

const typed = `import { defineFixture } from 'unplugin-mock-api/fixture'
export default defineFixture([{ path: '/typed/:id', response: ({ params }) => ({ body: { id: params['id'] } }) }])`
const config = (environment: string) =>
  `module.exports = { testTimeout: 120_000, setupFilesAfterEnv: ['unplugin-mock-api/jest'], testEnvironment: '${environment}' }`

describe.each<
  [name: string, packages: string[], files: Record<string, string>, passed: number, failed: number]
>([
  [
    'Jest 27 as create-react-app sets it up, which knows no "exports"',
    ['jest@27', 'axios', 'babel-preset-react-app'],
    {
      'jest.config.js': `module.exports = {
  testTimeout: 120_000,
  setupFilesAfterEnv: ['<rootDir>/src/setupTests.js'],
  testEnvironment: 'jsdom',
  moduleFileExtensions: ['web.js', 'js', 'web.ts', 'ts', 'json', 'jsx', 'node'],
  moduleNameMapper: { '^axios$': 'axios/dist/browser/axios.cjs' },
  resetMocks: true,
}`,
      'babel.config.js': `module.exports = { presets: ['babel-preset-react-app'] }`,
      'src/setupTests.js': `import 'unplugin-mock-api/jest'`,
      'src/page.test.js': pageTest,
      'src/fetch.test.js': noFetchTest,
    },
    5,
    0,
  ],
  [
    'Jest with jsdom',
    ['jest', 'jest-environment-jsdom', 'axios'],
    { 'jest.config.js': config('jsdom'), 'page.test.js': pageTest, 'fetch.test.js': noFetchTest },
    5,
    0,
  ],
  [
    "Jest with jsdom and Node's fetch",
    ['jest', 'jest-environment-jsdom', 'jest-fixed-jsdom', 'axios'],
    {
      'jest.config.js': config('jest-fixed-jsdom'),
      'page.test.js': pageTest,
      'all.test.js': testOf('jest'),
      'unmatched.test.js': unmatchedTest('jest'),
      'fixtures/typed.ts': typed,
    },
    12,
    4,
  ],
  [
    'Jest with happy-dom',
    ['jest', '@happy-dom/jest-environment', 'axios'],
    {
      'jest.config.js': config('@happy-dom/jest-environment'),
      'page.test.js': pageTest,
      'all.test.js': testOf('jest'),
      'unmatched.test.js': unmatchedTest('jest'),
      'fixtures/typed.ts': typed,
    },
    12,
    4,
  ],
  [
    'Jest with the preset of React Native, which hides "exports"',
    [
      ...['react-native', '@react-native/jest-preset', '@react-native/babel-preset'].map(
        (name) => `${name}@0.87`,
      ),
      ...['jest@29', 'react@19', 'react-test-renderer@19', 'axios'],
    ],
    {
      'jest.config.js': `module.exports = { preset: '@react-native/jest-preset', testTimeout: 120_000, setupFilesAfterEnv: ['unplugin-mock-api/jest'] }`,
      'babel.config.js': `module.exports = { presets: ['module:@react-native/babel-preset'] }`,
      'native.test.js': nativeTest,
      'all.test.js': testOf('jest'),
      'unmatched.test.js': unmatchedTest('jest'),
      'fixtures/typed.ts': typed,
    },
    10,
    4,
  ],
])('%s', (name, packages, files, passed, failed) => {
  it(`has ${passed} tests that pass, and ${failed} that fail`, async () => {
    const start = await createProject(name.replaceAll(/\W+/g, '-'), packages, files)
    const output = await start('node_modules/.bin/jest')
    const failures = failed > 0 ? `${failed} failed, ` : ''
    expect(output).toContain(`Tests:       ${failures}${passed} passed`)
    if (failed > 0)
      expect(output).toContain(
        'No route answers GET /order. Did you mean POST /orders (fixtures/orders.yaml:1:3)?',
      )
  })
})

it('every other entry loads in Jest', async () => {
  const entries = [
    '',
    '/connect',
    '/fetch',
    '/load',
    '/fixture',
    '/client',
    '/storybook',
    '/cypress',
    '/vite',
    '/webpack',
    '/rspack',
    '/rsbuild',
  ]
  const start = await createProject('entries', ['jest'], {
    'entries.test.js': `
test.each(${JSON.stringify(entries)})('%s', (entry) => {
  expect(Object.keys(require('unplugin-mock-api' + entry))).not.toEqual([])
})
test('a middleware', async () => {
  const { createMiddleware } = require('unplugin-mock-api/connect')
  const server = require('node:http').createServer(createMiddleware()).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  expect(await (await fetch('http://localhost:' + server.address().port + '/turns')).text()).toBe('1')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})`,
  })
  expect(await start('node_modules/.bin/jest')).toContain(`Tests:       ${entries.length + 1} passed`)
})

it('Bun', async () => {
  const start = await createProject('bun', ['bun'], {
    'all.test.js': testOf('jest').replace(/test\('a delay[^]*?\n\}\)\n/, ''), // Bun replaces the timers of the whole process
    'unmatched.test.js': unmatchedTest('jest'),
    'fixtures/typed.ts': typed,
  })
  const executable = 'node_modules/bun/bin/bun.exe' // its install script puts it there, also on Linux
  await run('node', ['install.js'], { cwd: join(folder, 'bun/node_modules/bun') })
  const output = await start(executable, 'test', '--preload', 'unplugin-mock-api/jest')
  expect(output).toMatch(/\b7 pass\n\s*4 fail/)
  expect(output).toContain('Did you mean POST /orders (fixtures/orders.yaml:1:3)?')
})
