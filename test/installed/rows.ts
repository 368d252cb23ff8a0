/*
 * One table of requests for every way into the same fixture files: dev server, preview, `./fetch`, an edge worker, a service
 * worker, MSW, Vitest, Storybook. All answer alike, byte for byte.
 */
import { readFileSync } from 'node:fs'
import { contract, type ContractRequest } from '../contract.ts'

export interface Row {
  name: string
  request: ContractRequest
}

const starter = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}.yaml`, import.meta.url), 'utf8')

/** Fixture files of every kind, besides the starter templates. */
export const fixtures = {
  'fixtures/graphql.yaml': starter('graphql'),
  'fixtures/items.yaml': starter('items'),
  'fixtures/orders.yaml': `
- path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, body: { code: not_found } }
- path: /orders/:id
  response:
    headers: { x-total: 1, etag: '"7"' }
    body: { id: 7, note: "ö – ✓" }
- name: an order is made
  method: POST
  path: /orders
  when: { body: { total: { $gt: 0 } } }
  response: { status: 201, headers: { location: /orders/8 }, body: { id: 8 } }
- method: POST
  path: /orders
  scenario: payment-down
  response: { status: 503, body: { code: payment_down } }
- path: /state
  response: [{ body: { turn: 1 } }, { status: 202, body: { turn: 2 } }]
- path: /price
  rateLimit: { requests: 1, per: 3600 }
  response: { body: { price: 12.50 } }
- path: /empty
  response: { status: 204 }
- path: /picture
  response: { file: picture.png }
- path: /report
  response: { file: report.txt }
- path: /late
  response: { delay: 20, body: { late: true } }
- path: /pattern
  when: { query: { text: { $regex: '^a+b' } } }
  response: { body: fits }
- path: /tickets
  collection: { items: { file: tickets.json }, relations: { replies: { many: tickets, by: of } } }
`,
  'fixtures/tickets.json': '[{ "id": 1, "open": true }, { "id": 2, "open": false, "of": 1 }]',
  // Large enough to be a file of its own beside a bundle.
  'fixtures/report.txt': 'one line\nand – ✓\n'.repeat(600),
  'fixtures/code.ts': `import { defineFixture } from 'unplugin-mock-api/fixture'
import { greet } from '../src/greet'

export default defineFixture([
  { path: '/greet/:name', response: ({ params, query }) => ({ body: { text: greet(params.name!), query } }) },
  { path: '/fails', response: () => { throw new Error('not today') } },
  { path: '/search', when: ({ query }) => query.q === 'a', response: { body: ['a'] } },
])
`,
  'src/greet.ts': 'export const greet = (name: string): string => `Hello ${name}`\n',
}

export const picture = Buffer.from('89504e470d0a1a0a00ff00fe', 'hex')

const json = { 'content-type': 'application/json' }
const order = (total: unknown, headers: Record<string, string> = {}): ContractRequest => ({
  method: 'POST',
  url: '/orders',
  headers: { ...json, ...headers },
  body: JSON.stringify({ total }),
})
const scenario = { 'x-mock-scenario': 'payment-down' }

const own: Row[] = [
  { name: 'a parameter', request: { url: '/orders/7' } },
  { name: 'a selected parameter', request: { url: '/orders/404' } },
  { name: 'HEAD', request: { method: 'HEAD', url: '/orders/7' } },
  { name: 'a body', request: order(20) },
  { name: 'a near miss', request: order(0) },
  { name: 'a scenario', request: order(20, scenario) },
  { name: 'malformed JSON', request: { method: 'POST', url: '/orders', headers: json, body: '{ "total": ' } },
  { name: 'the first turn of a sequence', request: { url: '/state' } },
  { name: 'the second turn of a sequence', request: { url: '/state' } },
  { name: 'the last turn again', request: { url: '/state' } },
  {
    name: 'an item is added',
    request: { method: 'POST', url: '/tickets', headers: json, body: '{"open":true}' },
  },
  {
    name: 'an item is changed',
    request: { method: 'PATCH', url: '/tickets/1', headers: json, body: '{"of":3}' },
  },
  { name: 'an item is deleted', request: { method: 'DELETE', url: '/tickets/2' } },
  { name: 'the items afterwards', request: { url: '/tickets?_sort=id&_order=desc&_embed=replies&_limit=2' } },
  {
    name: 'an item of another client',
    request: { url: '/tickets/9', headers: { 'x-mock-client': 'other' } },
  },
  { name: 'within a rate limit', request: { url: '/price' } },
  { name: 'beyond a rate limit', request: { url: '/price' } },
  { name: 'no body', request: { url: '/empty' } },
  { name: 'a file of bytes', request: { url: '/picture' } },
  { name: 'a range of a file', request: { url: '/picture', headers: { range: 'bytes=0-3' } } },
  { name: 'a file of text', request: { url: '/report' } },
  { name: 'a delay', request: { url: '/late' } },
  { name: 'a pattern', request: { url: '/pattern?text=aab' } },
  { name: 'a response function', request: { url: '/greet/Ada%20L?x=1' } },
  { name: 'a function that throws', request: { url: '/fails' } },
  { name: 'a predicate', request: { url: '/search?q=a' } },
  { name: 'a predicate that does not hold', request: { url: '/search?q=b' } },
]

/** Where the inspector shows a miss, which not every way has. */
const inspectorLink = /,"inspector":"[^"]+"/

/** The answers by the names of their rows, as text where they are text, so that a difference can be read. */
export function byRow(answers: readonly WayAnswer[]) {
  return Object.fromEntries(
    rows.map(({ name }, index) => {
      const { headers, body, status } = answers[index]!
      const isText = /json|text/.test(headers['content-type'] ?? '')
      return [name, { status, headers, body: isText ? textOf(body) : body }]
    }),
  )
}

function textOf(hex: string): string {
  return Buffer.from(hex, 'hex').toString().replace(inspectorLink, '')
}

export const rows: Row[] = [...contract.map(({ name, request }) => ({ name, request })), ...own]

/** What a way has answered, with the body in hexadecimal. */
export interface WayAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Asks all rows, one after the other. Runs wherever there is a `fetch`, so it uses nothing from outside: pages and other
 * processes get its source.
 */
export async function askRows(
  requests: ContractRequest[],
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<WayAnswer[]> {
  const kept = ['content-type', 'cache-control', 'x-mock-route', 'x-total', 'location', 'content-range']
  const answers: WayAnswer[] = []
  for (const { method = 'GET', url, headers = {}, body } of requests) {
    // As bytes: fetch gives a text body a content type.
    const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) }
    const response = await fetch(url, { method, headers, ...bytes })
    const found = kept.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    const hex = [...new Uint8Array(await response.arrayBuffer())].map((byte) =>
      byte.toString(16).padStart(2, '0'),
    )
    answers.push({
      status: response.status,
      headers: Object.fromEntries(found) as Record<string, string>,
      body: hex.join(''),
    })
  }
  return answers
}
