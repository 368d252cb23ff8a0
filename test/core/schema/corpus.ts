import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { allBlocks } from '../../docs/pages.ts'

/* Fixture files that are right and wrong, for the three that judge them: JSON Schema, validator and types. */

/** Every fixture file in YAML of the README and the docs, apart from those that are wrong on purpose. */
const documented = allBlocks
  .filter(
    ({ language, file, markers }) =>
      language === 'yaml' && file?.startsWith('fixtures/') && !markers.has('wrong'),
  )
  .map(({ text }) => parse(text) as unknown)

const templates = ['graphql', 'items'].map(
  (name) =>
    parse(readFileSync(new URL(`../../../fixtures/${name}.yaml`, import.meta.url), 'utf8')) as unknown,
)

const route = (parts: object) => [{ path: '/a', ...parts }]
const when = (selector: object) => route({ when: selector })
const respond = (response: object) => route({ response })
const list = (paginate: object) => route({ paginate: { items: [1, 2], ...paginate } })

export const right: unknown[] = [
  ...documented,
  ...templates,
  [],
  route({}),
  route({ name: 'n', method: 'M-SEARCH', shape: true, rateLimit: { requests: 1, per: 1000 } }),
  route({ scenario: 'payment-down' }),
  route({ scenario: ['payment down', 'ausverkauft: ä'] }),
  when({}),
  when({ query: { a: 'x', b: 1, c: true, d: { $in: [1, 'x'] }, e: { $not: { $regex: '^a', $options: 'i' } } } }),
  when({ query: { $or: [{ a: 1 }, { b: 2 }] }, headers: { 'X-A': 1 }, cookies: { s: 'a' } }),
  when({ body: [null, { a: { $elemMatch: { b: 1 } } }], variables: { a: { $size: 2 } }, extensions: {} }),
  when({ body: null, operationName: 'A', operationType: 'mutation' }),
  when({ operationName: { $in: ['A', 'B'] }, operationType: { $ne: 'query' } }),
  when({ query: '{ a }' }),
  respond({ status: 599, delay: 2_147_483_647, file: './a.json' }),
  respond({ headers: { 'x-a': 'a', b: 1, c: false, 'set-cookie': ['a', 'b'] }, body: null }),
  respond({ headers: { "x-!#$%&'*+.^_`|~": 'a\tb é', d: '' }, delay: { median: 0 } }),
  respond({ delay: { min: 0, max: 1 }, fault: 'reset' }),
  ...['empty', 'truncated', 'malformed', 'stalled', 'silent'].map((fault) => respond({ fault })),
  route({ response: [{ status: 503 }, {}, { file: 'a.json' }], repeat: true }),
  respond({ delay: { median: 300, sigma: 0.8 }, fault: { dribble: 0 } }),
  list({}),
  list({ items: { file: 'people.json' } }),
  list({ style: 'offset', perPage: 1, maxPerPage: 2, parameters: { offset: 'o' }, envelope: { data: 'd', total: false } }),
  list({ style: 'relay', field: 'a.b', malformed: 'default' }),
  list({ outOfRange: 'error' }),
] // prettier-ignore

export const wrong: unknown[] = [
  {},
  [1],
  [{}],
  [{ path: 7 }],
  [{ path: 'a' }],
  route({ methd: 'GET' }),
  route({ method: 1 }),
  route({ shape: 'yes' }),
  route({ rateLimit: { requests: 0, per: 1 } }),
  route({ scenario: 500 }),
  route({ scenario: '' }),
  route({ scenario: 'a,b' }),
  route({ scenario: [] }),
  route({ scenario: ['a', ''] }),
  route({ response: [] }),
  route({ response: [{ status: 503 }, 'x'] }),
  route({ response: [{ status: 503 }, { satus: 200 }] }),
  route({ response: [{}], repeat: 2 }),
  when({ querry: {} }),
  when({ query: { a: null } }),
  when({ query: { a: { $gtt: 1 } } }),
  when({ query: { a: { $in: 1 } } }),
  when({ operationType: 'read' }),
  when({ variables: 7 }),
  respond({ status: 199 }),
  respond({ status: '200' }),
  respond({ stauts: 200 }),
  respond({ headers: { 'x-a': {} } }),
  respond({ file: '' }),
  respond({ delay: '1s' }),
  respond({ delay: { min: 1 } }),
  respond({ fault: 'broken' }),
  list({ items: { file: 1 } }),
  list({ items: { path: 'people.json' } }),
  list({ items: 'people.json' }),
  list({ style: 'pages' }),
  list({ perPage: 0 }),
  list({ parameters: { p: 'page' } }),
  list({ envelope: { data: true } }),
  list({ outOfRange: 'first' }),
]
