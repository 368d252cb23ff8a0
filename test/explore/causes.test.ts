import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { causesOf, isOfCause } from '../../src/explore/judge/causes.ts'
import type { Verdict } from '../../src/explore/judge/judge.ts'
import { createPlaceFinder } from '../../src/explore/source-place.ts'
import { closeServer, listen } from '../hosts/serve.ts'

const found = (id: string, verdict: Verdict, reason: string, place?: string) => {
  return { id, request: id.split(' #')[0]!, verdict, reason, ...(place !== undefined && { place }) }
}
const crash = "TypeError: Cannot read properties of null (reading 'name')"

it('findings with the same error, place and request have one cause, the worst first', () => {
  const causes = causesOf([
    found('GET /orders #null a', 'silent', 'It still shows "Ada", which is missing.'),
    found('GET /orders #null b', 'silent', 'It still shows "Bob", which is missing.'),
    found('GET /orders #null c', 'crashed', crash, 'src/Orders.tsx:41'),
    found('GET /orders #null d', 'crashed', crash, 'src/Orders.tsx:41'),
    found('GET /orders #null e', 'crashed', crash, 'src/Orders.tsx:50'),
    found('GET /user #null d', 'crashed', crash, 'src/Orders.tsx:41'),
  ])
  expect(causes.map(({ number, title }) => `${number}. ${title}`)).toEqual([
    '1. src/Orders.tsx:41 reads "name" of null: 2 sad paths of GET /orders',
    '2. src/Orders.tsx:50 reads "name" of null: 1 sad path of GET /orders',
    '3. src/Orders.tsx:41 reads "name" of null: 1 sad path of GET /user',
    '4. silent: It still shows "Ada", which is missing: 2 sad paths of GET /orders',
  ])
  expect(causes[0]!.findings).toEqual([{ id: 'GET /orders #null c' }, { id: 'GET /orders #null d' }])
})

it('of several pages, a cause names the page of each finding', () => {
  const [one, two] = ['http://localhost:5173/', 'http://localhost:5173/orders']
  const onPage = (page: string) => ({
    ...found('GET /user #null a', 'crashed', crash, 'src/User.tsx:4'),
    page,
  })
  const [cause] = causesOf([onPage(one), onPage(two)])
  expect(cause!.findings).toEqual([one, two].map((page) => ({ id: 'GET /user #null a', page })))
  expect(isOfCause(cause!, onPage(two))).toBe(true)
  expect(isOfCause(cause!, onPage('http://localhost:5173/cart'))).toBe(false)
})

it('the place is the top frame of the application, through its source map', async () => {
  const map = { version: 3, sources: ['Orders.tsx'], names: [], mappings: ';;AAwCA' } // line 3 is line 41
  const inline = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
  const server = createServer(({ url = '' }, res) => {
    if (url.startsWith('/src/Orders.tsx')) return res.end(`\n\ncode\n//# sourceMappingURL=${inline}`)
    if (url === '/assets/app.js') return res.end('\n\ncode\n//# sourceMappingURL=app.js.map')
    if (url === '/assets/app.js.map')
      return res.end(JSON.stringify({ ...map, sources: ['webpack://shop/./src/App.jsx'] }))
    return res.writeHead(404).end()
  })
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  const placeIn = createPlaceFinder('/home/me/shop')
  const dependency = `    at react (${origin}/node_modules/.vite/deps/react.js?v=1:9:1)`
  const stacks: [frame: string, place: string | undefined][] = [
    [`    at Orders (${origin}/src/Orders.tsx?t=17:3:1)`, 'src/Orders.tsx:41'],
    [`    at ${origin}/src/Gone.tsx:3:1`, 'src/Gone.tsx:3'],
    [`    at App (${origin}/assets/app.js:3:1)`, 'src/App.jsx:41'],
    [`    at Far (${origin}/@fs/home/me/shop/lib/Far.tsx:5:1)`, 'lib/Far.tsx:5'],
    ['    at Own (webpack-internal:///./src/Own.jsx:7:1)', 'src/Own.jsx:7'],
    [`    at hot (${origin}/@vite/client:7:1)`, undefined],
  ]
  for (const [frame, place] of stacks)
    expect(await placeIn(`Error: no\n${dependency}\n${frame}`), frame).toBe(place)
  expect(await placeIn(undefined)).toBeUndefined()
})
