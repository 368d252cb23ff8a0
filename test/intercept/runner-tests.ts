/* Tests that the runners run, in the words that Jest and node:test share. */

export const fixtures = `- method: POST
  path: /orders
  when: { body: { total: { $gt: 0 } } }
  response: { status: 201, body: { id: 8 } }
- { method: POST, path: /orders, scenario: payment-down, response: { status: 503 } }
- { path: /slow, response: { body: slow, delay: 300 } }
- { path: /turns, response: [{ body: '1' }, { body: '2' }] }
`

const runnerOf = {
  jest: '', // a global variable
  'node-test': `const { mock, test } = require('node:test')`,
}
const withFakeTimers = {
  jest: `
  for (const legacyFakeTimers of [true, false]) {
    jest.useFakeTimers({ legacyFakeTimers })
    await run().finally(() => jest.useRealTimers())
  }`,
  'node-test': `
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] })
  await run().finally(() => mock.timers.reset())`,
}

export function testOf(entry: keyof typeof runnerOf): string {
  return `
${runnerOf[entry]}
const assert = require('node:assert')
const http = require('node:http')
const { forEachSadPath, mockApi } = require('unplugin-mock-api/${entry}')

const text = async (path) => (await fetch(path)).text()
const buy = () => fetch('/orders', { method: 'POST', body: '{ "total": 20 }' })
for (const name of ['one', 'two'])
  test('each test begins anew: ' + name, async () => {
    assert.equal(await text('/turns'), '1')
    assert.equal((await buy()).status, 201)
    assert.equal((await mockApi.requests()).length, 2)
  })
test('a scenario is of its test', async () => {
  await mockApi.setScenario('payment-down')
  assert.equal((await buy()).status, 503)
})
test('a fixture file in TypeScript', async () => assert.equal(await text('/typed/7'), '{"id":"7"}'))
test('node:http', async () => {
  const status = await new Promise((resolve) => http.get('http://localhost:3000/turns', (res) => resolve(res.statusCode)))
  assert.equal(status, 200)
})
test('a delay ends while timers are replaced', async () => {
  const run = async () => assert.equal(await text('/slow'), 'slow')
  ${withFakeTimers[entry]}
})
test('every sad path', () => {
  const load = async () => {
    const response = await fetch('/turns')
    if (!response.ok) throw new TypeError('a sad path')
  }
  return forEachSadPath(load, { errors: [TypeError], kinds: ['status'] })
})
`
}

export function unmatchedTest(entry: keyof typeof runnerOf): string {
  return `
${runnerOf[entry]}
const { setupMockApi } = require('unplugin-mock-api/${entry}')

setupMockApi({ unmatched: 'fail' })
${entry === 'jest' ? 'beforeAll' : "require('node:test').before"}(() => fetch('/orders', { method: 'POST', body: '{ "total": 0 }' }))
test('a request before the tests', () => fetch('/turns'))
test('a relative URL that nobody answers', () => fetch('/nothing'))
test('a request that no route matches', () => fetch('/orders', { method: 'POST', body: '{}' }))
test('a request for a similar path', () => fetch('/order').catch(() => {}))
test('an answer is no miss', () => fetch('/turns'))
`
}
