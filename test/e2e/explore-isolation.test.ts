/* Pages are used again, and a sad path never sees what another has left. */
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { explore } from '../../src/explore/explore.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { apiServer } from '../inspector/server/api-server.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()

/** It says what it finds, leaves something everywhere, and once more when it is left. */
const script = `
const channel = new BroadcastChannel('pages')
const found = []
channel.onmessage = () => found.push('BroadcastChannel')
channel.postMessage('anyone?')
if (localStorage.length) found.push('localStorage')
if (sessionStorage.length) found.push('sessionStorage')
if (/left/.test(document.cookie)) found.push('cookie')
if (window.name) found.push('name')
if ((await indexedDB.databases()).length) found.push('IndexedDB')
if ((await caches.keys()).length) found.push('caches')
const leave = () => {
  for (const storage of [localStorage, sessionStorage]) storage.setItem('left', 'behind')
  document.cookie = 'left=behind'
  window.name = 'left'
}
leave()
addEventListener('pagehide', leave)
channel.onmessage = ({ data }) => data === 'anyone?' && channel.postMessage('me')
indexedDB.open('left').onupgradeneeded = () => {}
await (await caches.open('left')).put('/left', new Response('behind'))
const { length } = history
history.pushState({}, '', '#left')
history.replaceState({}, '', '#')
await fetch('/seen', { method: 'POST', body: JSON.stringify([...found, length]) })
const response = await fetch('/orders').catch(() => undefined)
document.body.append(response?.ok ? await response.text() : 'They are not available')
`

it('a page finds nothing of the one before', async () => {
  const seen: string[] = []
  const { origin } = await apiServer({ 'fixtures/a.yaml': '- { path: /orders, response: { body: [{ id: 7, name: Seven }] } }' }, {}, (req, res) => {
    if (req.url !== '/seen')
      return res.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,"><h1>Orders</h1><script type="module">${script}</script>`)
    req.on('data', (chunk: Buffer) => seen.push(chunk.toString())).on('end', () => res.end())
    return undefined
  }) // prettier-ignore
  let count = 0
  // One page at a time, so that each is used again.
  await explore(browser(), origin, { only: ['status 4'], max: 3, pages: 1, patience: { quiet: 100 }, onFinding: () => void count++ }) // prettier-ignore
  expect(count).toBe(3)
  expect(seen).toHaveLength(5)
  expect(new Set(seen.slice(1))).toEqual(new Set([seen[1]]))
  expect(JSON.parse(seen[1]!)).toEqual([expect.any(Number)])
})

it('a page with answers that its browser keeps is opened anew', async () => {
  const verdicts: string[] = []
  const { origin } = await apiServer({ 'fixtures/a.yaml': '- { path: /orders, response: { headers: { cache-control: max-age=60 }, body: [{ id: 7, name: Seven }] } }' }, {}, (_, res) => {
    res.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,"><h1>Orders</h1><script type="module">const r = await fetch('/orders'); document.body.append(r.ok ? await r.text() : 'They are not available')</script>`)
  }) // prettier-ignore
  await explore(browser(), origin, { only: ['status 500', 'list empty'], pages: 1, patience: { quiet: 100 }, onFinding: ({ verdict }) => void verdicts.push(verdict) }) // prettier-ignore
  expect(verdicts).toHaveLength(2)
  expect(verdicts).not.toContain('unreached')
})

it('the place to which a page leads may be another server', async () => {
  const elsewhere = createServer((_, res) =>
    res.setHeader('content-type', 'text/html').end('<h1>Single sign-on</h1>'),
  )
  const other = await listen(elsewhere)
  onTestFinished(() => closeServer(elsewhere))
  const found: string[] = []
  const { origin } = await apiServer({ 'fixtures/a.yaml': '- { path: /orders, response: { body: [{ id: 7, name: Seven }] } }' }, {}, (_, res) => {
    res.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,"><h1>Orders</h1><script type="module">const r = await fetch('/orders'); if (r.ok) document.body.append(await r.text()); else location = '${other}/sign-in'</script>`)
  }) // prettier-ignore
  await explore(browser(), origin, { only: ['status 401', 'status 403'], pages: 1, patience: { quiet: 100 }, onFinding: ({ verdict, reason }) => void found.push(`${verdict}: ${reason}`) }) // prettier-ignore
  expect(found).toEqual(['handled: It goes to /sign-in', 'handled: It goes to /sign-in'])
})
