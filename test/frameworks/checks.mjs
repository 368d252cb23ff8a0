/* What every dev server with the plugin in it answers, asked over HTTP. */
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { until } from './process.mjs'

const MINUTE = 60_000

/** Waits for the framework's own page, whatever it shows before. */
export async function ownPage({ url, page, server }) {
  const ask = async () => {
    const response = await fetch(url(page.path)).catch(() => undefined)
    const text = await response?.text()
    return text?.includes(page.text) ? response : undefined
  }
  const response = await until(`"${page.text}" on ${page.path}`, ask, server, 3 * MINUTE)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('x-mock-route'), null)
}

/** A page that the framework renders on its side has asked us too. */
export async function rendered({ url }) {
  const response = await fetch(url('/rendered'))
  assert.match(await response.text(), /The last is Item 8/)
}

/** What the framework answers where nothing is: its own 404, not ours. */
export async function ownNotFound({ url }) {
  const response = await fetch(url('/no-such-page'), { headers: { accept: 'text/html' } })
  assert.equal(response.status, 404)
  assert.equal(response.headers.get('x-mock-route'), null)
}

/** A request to an endpoint that the framework itself answers arrives there with its body. */
export async function ownEndpoint({ url, endpoint }) {
  const response = await fetch(url(endpoint.path), { method: 'POST', body: 'a body' })
  assert.deepEqual([response.status, await response.text()], [200, endpoint.text])
}

export async function lastPage({ url }) {
  const response = await fetch(url('/items?page=3'))
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('x-mock-route'), 'items, page 3')
  assert.equal((await response.json()).has_more, false)
}

export async function failingQuery({ url }) {
  const query = 'query FailingQuery { hero { name heroFriends { id name } } }'
  const response = await fetch(url('/graphql'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationName: 'FailingQuery', query }),
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('x-mock-route'), 'failing query')
  const { errors, data } = await response.json()
  assert.deepEqual(errors[0].path, ['hero', 'heroFriends', 1, 'name'])
  assert.deepEqual(errors[0].locations, [{ line: 1, column: query.lastIndexOf('name') + 1 }])
  assert.deepEqual([data.hero.name, data.hero.heroFriends[1].name], ['R2-D2', null])
}

/** A fixture file that is saved while the server runs is loaded, by one watcher: each save is told once. */
export async function reload({ app, url, server }) {
  const told = (routes) => server.output().match(new RegExp(`reloaded: ${routes} routes? from`, 'g'))?.length
  mkdirSync(join(app, 'fixtures'), { recursive: true })
  for (const routes of [1, 2, 3]) {
    const lines = Array.from({ length: routes }, (_, i) => `- { path: /saved-${i}, response: { body: a } }\n`)
    // Renamed into its place, the file is never seen half written.
    writeFileSync(join(app, 'saved.yaml'), lines.join(''))
    renameSync(join(app, 'saved.yaml'), join(app, 'fixtures', 'saved.yaml'))
    await until(`the reload of ${routes} routes`, () => told(routes), server, MINUTE)
    const response = await fetch(url(`/saved-${routes - 1}`))
    assert.match(response.headers.get('x-mock-route') ?? '', /^GET \/saved-/)
  }
  // The first save made the folder too, and that counts as a change of its own.
  assert.deepEqual([told(2), told(3)], [1, 1], 'reloads told for the second and the third save')
}

/** It is in each server once, and says which routes it has as often as the framework lets it. */
export function once({ server, announced }) {
  const output = server.output()
  assert.equal(output.match(/Mock API: /g)?.length ?? 0, announced, 'how often it says which routes it has')
  assert.doesNotMatch(output, /plugin-duplicate/)
}

/** Nuxt has two servers, with one instance of the plugin: each has its middleware once. */
export function oneMiddleware({ server }) {
  const counts = server.output().match(/(client|server): \d+ mockApiMiddleware/g)
  assert.deepEqual(counts?.toSorted(), ['client: 1 mockApiMiddleware', 'server: 1 mockApiMiddleware'])
}

/** Tests that run in a page ask the same: see mocks.test.js. */
export async function testsInPage({ server }) {
  const code = await Promise.race([server.ended, after(3 * MINUTE, 'it takes too long', { ref: false })])
  assert.equal(code, 0)
  assert.match(server.output(), /chromium\W+mocks\.test\.js \(3 tests\)/)
  assert.doesNotMatch(server.output(), /plugin-duplicate/)
}
