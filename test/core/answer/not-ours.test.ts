/* A dev server serves hundreds of modules for each page load. Those that are not ours leave next to nothing to collect. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { findRequest } from '../../../src/core/answer/receive.ts'
import { rulesOf, tableOf } from '../send.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const table = tableOf([
  { path: '/items', response: { body: [] } },
  { path: '/orders/:id', when: { query: { page: 2 } }, response: { body: {} } },
  { path: '/graphql', response: { body: { data: {} } } },
])
const rules = rulesOf({ bases: ['/app', ''], graphiql: true })
const source = { headers: { host: 'localhost:5173', accept: '*/*', cookie: 'theme=dark' } }
const times = 20_000

/** The least of several: what the engine itself makes meanwhile, such as compiled code, is not of the requests. */
function bytesOf(method: string, url: string): number {
  const measured = Array.from({ length: 5 }, () => {
    collect()
    const before = process.memoryUsage().heapUsed
    for (let at = 0; at < times; at++) findRequest(rules, table, method, url, source)
    return (process.memoryUsage().heapUsed - before) / times
  })
  return Math.min(...measured)
}

it.each([
  ['GET', '/src/main.tsx?t=1700000000000'],
  ['GET', '/@fs/home/ada/app/node_modules/react/index.js'],
  ['GET', '/app/assets/logo.svg'],
  ['POST', '/rpc'],
  ['HEAD', '/'],
  ['OPTIONS', '/orders'],
])('%s %s', (method, url) => {
  expect(findRequest(rules, table, method, url, source)).toBeUndefined()
  // Parts of the URL, such as its path without the query, and no object: Node's own of a request have some 2,500 bytes.
  expect(bytesOf(method, url)).toBeLessThan(250)
})
