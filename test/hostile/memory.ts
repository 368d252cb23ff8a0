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
import { servers, type ServerName } from './requests.ts'

const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: 'dist' },
    requests: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
  },
})
const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')
const post = (query: string, operationName?: string) => ({ body: JSON.stringify({ query, operationName }) })

interface Kind {
  what: string
  on: ServerName
  request: (n: number) => { path?: string; body?: string }
}

const kinds: readonly Kind[] = [
  {
    what: 'documents as large as can be',
    on: 'templates',
    request: (n) => post(`query Q${n}{${'a '.repeat(9990)}}`),
  },
  {
    what: 'documents as large as are kept',
    on: 'templates',
    request: (n) => post(`query Q${n}{${'a '.repeat(1500)}}`),
  },
  { what: 'small documents', on: 'templates', request: (n) => post(`{a${n}}`) },
  { what: 'long texts', on: 'templates', request: (n) => post(`{a}#${n} ${'x'.repeat(100_000)}`) },
  { what: 'syntax errors', on: 'templates', request: (n) => post(`{a${n} ${'x'.repeat(50_000)} !`) },
  {
    what: 'failing fields',
    on: 'templates',
    request: (n) => ({
      body: JSON.stringify({ query: `{${'a '.repeat(500)} b${n}}`, operationName: 'FailingQuery' }),
    }),
  },
  {
    what: 'documents compared with a selector',
    on: 'selecting',
    request: (n) =>
      post(
        `{${repeat(20, (i) => `a${i}:u{...F}`)}} fragment F on Query{${repeat(300, (i) => `b${n}_${i}:n`)}}`,
      ),
  },
  {
    what: 'operations of one document',
    on: 'selecting',
    request: (n) =>
      post(
        `${repeat(20, (i) => `query Q${i}{${repeat(10, (j) => `a${j}:u{...F}`)}}`)} fragment F on Query{${repeat(300, (i) => `b${Math.floor(n / 20)}_${i}:n`)}}`,
        `Q${n % 20}`,
      ),
  },
  { what: 'shapes', on: 'shape', request: (n) => post(`query Q${n}{${repeat(300, (i) => `a${i}:u{n}`)}}`) },
  {
    what: 'shapes under conditions',
    on: 'shape',
    request: (n) => ({
      body: JSON.stringify({
        query: `query Q${n >> 5}(${repeat(5, (i) => `$v${i}:Boolean!`)}){${repeat(5, (i) => `... @include(if:$v${i}){${repeat(60, (j) => `a${i}_${j}:u{n}`)}}`)}}`,
        variables: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`v${i}`, Boolean((n >> i) & 1)])),
      }),
    }),
  },
  {
    what: 'answers by a schema',
    on: 'schema',
    request: (n) => post(`query Q${n}{${repeat(200, (i) => `a${i}:u{n}`)}}`),
  },
  {
    what: 'invalid documents',
    on: 'schema',
    request: (n) => post(`query Q${n}{${repeat(100, (i) => `x${i}${'y'.repeat(1000)}`)}}`),
  },
  {
    what: 'variables',
    on: 'filled',
    request: (n) => ({
      body: JSON.stringify({
        query: 'query($json:JSON){find(json:$json)}',
        variables: { json: `${n}`.repeat(2000) },
      }),
    }),
  },
  { what: 'pages of a list', on: 'list', request: (n) => ({ path: `/items?page=1&per_page=1000&x=${n}` }) },
  {
    what: 'unmatched requests',
    on: 'rest',
    request: (n) => ({ path: '/orders', body: JSON.stringify({ a: `${n}${'x'.repeat(10_000)}` }) }),
  },
]

const { createFetchHandler } = (await import(
  pathToFileURL(resolve(values.dist, 'fetch.js')).href
)) as typeof Fetch
const logger = { info() {}, warn() {}, error() {} }

for (const { what, on, request } of kinds) {
  if (!what.includes(values.only)) continue
  const { routes, options } = servers[on]
  const handler = createFetchHandler(routes, { ...options, logger })
  const send = async (n: number) => {
    const { path = '/graphql', body } = request(n)
    const init =
      body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const response = await handler(new Request(`http://localhost${path}`, init))
    await response!.arrayBuffer()
  }
  for (let n = 0; n < 5; n++) await send(n)
  const before = heapUsed()
  const requests = Number(values.requests)
  for (let n = 5; n < requests; n++) await send(n)
  const growth = (heapUsed() - before) / 1_048_576
  process.stdout.write(`${growth.toFixed(1).padStart(7)} MiB  ${what} (${on})\n`)
}

function heapUsed(): number {
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
