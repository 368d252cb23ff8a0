/*
 * How much the heap grows while a server answers distinct requests, by kind: what is kept of them must be bounded. Reads
 * the built package. Run with `node --expose-gc`.
 *
 *   --dist dist        which build
 *   --requests 2000    of each kind
 *   --only text        kinds whose name holds this text
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type * as Fetch from '../../src/fetch.ts'
import { repeat, servers, type ServerName } from './requests.ts'

const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: 'dist' },
    requests: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
  },
})
const send = (path: string, value: unknown) =>
  new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
const post = (query: string, operationName?: string, variables?: object) =>
  send('/graphql', { query, operationName, variables })

/** Requests by their number. */
const kinds: readonly [on: ServerName, what: string, request: (n: number) => Request][] = [
  ['templates', 'documents as large as can be', (n) => post(`query Q${n}{${'a '.repeat(9990)}}`)],
  ['templates', 'documents as large as are kept', (n) => post(`query Q${n}{${'a '.repeat(1500)}}`)],
  ['templates', 'small documents', (n) => post(`{a${n}}`)],
  ['templates', 'long texts', (n) => post(`{a}#${n} ${'x'.repeat(100_000)}`)],
  ['templates', 'syntax errors', (n) => post(`{a${n} ${'x'.repeat(50_000)} !`)],
  ['templates', 'failing fields', (n) => post(`{${'a '.repeat(500)} b${n}}`, 'FailingQuery')],
  [
    'selecting',
    'documents compared with a selector',
    (n) =>
      post(
        `{${repeat(20, (i) => `a${i}:u{...F}`)}} fragment F on Query{${repeat(300, (i) => `b${n}_${i}:n`)}}`,
      ),
  ],
  [
    'selecting',
    'operations of one document',
    (n) => {
      const operations = repeat(20, (i) => `query Q${i}{${repeat(10, (j) => `a${j}:u{...F}`)}}`)
      const fields = repeat(300, (i) => `b${Math.floor(n / 20)}_${i}:n`)
      return post(`${operations} fragment F on Query{${fields}}`, `Q${n % 20}`)
    },
  ],
  ['shape', 'shapes', (n) => post(`query Q${n}{${repeat(300, (i) => `a${i}:u{n}`)}}`)],
  [
    'shape',
    'shapes under conditions',
    (n) => {
      const declared = repeat(5, (i) => `$v${i}:Boolean!`)
      const parts = repeat(5, (i) => `... @include(if:$v${i}){${repeat(60, (j) => `a${i}_${j}:u{n}`)}}`)
      const variables = Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`v${i}`, Boolean((n >> i) & 1)]))
      return post(`query Q${n >> 5}(${declared}){${parts}}`, undefined, variables)
    },
  ],
  ['schema', 'answers by a schema', (n) => post(`query Q${n}{${repeat(200, (i) => `a${i}:u{n}`)}}`)],
  [
    'schema',
    'invalid documents',
    (n) => post(`query Q${n}{${repeat(100, (i) => `x${i}${'y'.repeat(1000)}`)}}`),
  ],
  [
    'filled',
    'variables',
    (n) => post('query($json:JSON){find(json:$json)}', undefined, { json: `${n}`.repeat(2000) }),
  ],
  ['list', 'pages of a list', (n) => new Request(`http://localhost/items?page=1&per_page=1000&x=${n}`)],
  ['rest', 'unmatched requests', (n) => send('/orders', { a: `${n}${'x'.repeat(10_000)}` })],
]

const { createFetchHandler } = (await import(
  pathToFileURL(resolve(values.dist, 'fetch.js')).href
)) as typeof Fetch
const logger = { info() {}, warn() {}, error() {} }

for (const [on, what, request] of kinds) {
  if (!what.includes(values.only)) continue
  const { routes, options } = servers[on]
  const handler = createFetchHandler(routes, { ...options, logger })
  const ask = async (n: number) => (await handler(request(n)))!.arrayBuffer()
  for (let n = 0; n < 5; n++) await ask(n)
  const before = heapUsed()
  const requests = Number(values.requests)
  for (let n = 5; n < requests; n++) await ask(n)
  const growth = (heapUsed() - before) / 1_048_576
  process.stdout.write(`${growth.toFixed(1).padStart(7)} MiB  ${what} (${on})\n`)
}

function heapUsed(): number {
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
