import { afterAll, beforeAll, expect, it } from 'vitest'
import { sadPaths } from '../../src/explore/sad-path-tests.ts'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'
import { useBrowser } from './use-browser.ts'

/** It shows the friends, or what is wrong, and does not expect one to be null. */
const page = `<!doctype html><html lang="en"><title>Friends</title><h1>Friends</h1><p>Loading…</p><script type="module">
const show = (text) => (document.querySelector('p').textContent = text)
const response = await fetch('/friends')
if (response.ok) show((await response.json()).friends?.map(({ name }) => name ?? 'nobody').join() || 'no friends')
else show('The friends could not be loaded.')
await fetch('/news')
</script>`

const browser = useBrowser()
let server: ApiServer
beforeAll(async () => {
  const fixture = '- { path: /friends, response: { body: { friends: [{ name: Luke }, { name: Han }] } } }'
  server = await startApiServer({ 'fixtures/a.yaml': fixture }, {}, ({ url }, res) => {
    if (url === '/news') return res.writeHead(200, { 'content-type': 'application/json' }).end('["a", "b"]')
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
})
afterAll(() => server.close())

it('yields a test for each sad path, which fails unless the page handles it', async () => {
  const context = await browser().newContext({ baseURL: server.origin })
  const seen: [title: string, failure: string | undefined][] = []
  const chosen = { requests: ['GET /friends'], kinds: ['null', 'status', 'list'] as const, max: 3 }
  for await (const { title, run } of sadPaths(await context.newPage(), '/', chosen))
    seen.push([
      title,
      await run().then(
        () => undefined,
        (error: Error) => error.message,
      ),
    ])
  await context.close()
  expect(seen.map(([title]) => title)).toEqual([
    'the answer is 500 Internal Server Error',
    'friends is null',
    'friends[0] is null',
  ])
  const failures = seen.flatMap(([, failure]) => failure ?? [])
  expect(failures).toEqual([
    expect.stringMatching(/^GET \/friends: friends\[0\] is null: crashed\. TypeError/),
  ])
  expect(await (await server.send('/friends')).json()).toHaveProperty('friends')
})

it('has sad paths of what a backend has answered', async () => {
  const context = await browser().newContext({ baseURL: server.origin })
  const seen: string[] = []
  for await (const { id, run } of sadPaths(await context.newPage(), '/', {
    requests: ['/news'],
    kinds: ['list'],
  })) {
    await run()
    seen.push(id)
  }
  await context.close()
  expect(seen).toEqual(['GET /news #list empty', 'GET /news #list one'])
})
