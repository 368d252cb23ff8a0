/* Updates docs/diagnostics.md: every code with an example of its text. A test fails when the page is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogue, type DiagnosticCode } from '../src/core/diagnostics/diagnostic.ts'
import type { Text } from '../src/core/diagnostics/text.ts'
import { wrap } from './wrap.ts'

const request = 'POST /orders/search'
const reason = 'Unexpected end of JSON input'

type Details = { [C in DiagnosticCode]: Parameters<(typeof catalogue)[C]> }

/** What the examples are about. Missing details are a type error; codes without any are not here. */
const details: { [C in DiagnosticCode as Details[C] extends [] ? never : C]: Details[C][0] } = {
  'plugin-duplicate': { base: '' },
  'start-failed': { reason: "Cannot find module 'mock-server.js'" },
  'outgoing-off': { origin: 'https://pay.example' },
  'persist-failed': {
    file: 'node_modules/.cache/unplugin-mock-api/collections.jsonl',
    reason: 'EROFS: read-only file system',
  },
  'persist-damaged': { file: 'node_modules/.cache/unplugin-mock-api/collections.jsonl', lines: [3] },
  'server-unreachable': {},
  'option-not-data': { option: 'graphql.scalars.Date', what: 'a function' },
  'worker-elsewhere': { base: 'https://cdn.example.com/' },
  'option-unknown': { option: 'fixture', known: ['fixtures', 'base'] },
  'option-invalid': {
    key: 'bodyLimit',
    expected: 'a whole number of bytes, 0 or more',
    received: 'the string "1 MB"',
  },
  'templates-replaced': {
    routes: ['POST /graphql', 'GET /items'],
    files: 'fixtures/orders.yaml',
    fixtures: ['fixtures'],
  },
  'fixtures-not-found': { fixtures: 'mock', meant: 'mocks' },
  'fixtures-entry-missing': { entry: 'mock', meant: 'mocks' },
  'fixture-name-unknown': { files: ['fixtures/orders.yaml.txt'], meant: 'orders.yaml' },
  'fixture-unreadable': { reason: 'EACCES: permission denied' },
  'fixture-syntax': { reason: 'Missing closing quote' },
  'fixture-import-failed': { reason: "Cannot find module './orders'" },
  'fixture-timeout': { part: 'import', seconds: 10 },
  'fixture-too-complex': { reason: 'it nests deeper than 1000 levels' },
  'watch-limit': { code: 'ENOSPC' },
  'fixture-too-large': { limit: 20_000_000 },
  'fixture-without-routes': {
    files: ['fixtures/users.json', 'fixtures/factory.ts'],
    folder: 'fixtures',
    isCode: true,
  },
  'header-name-invalid': {
    name: 'x total',
    reason: 'its name may only have letters, digits and characters such as "-".',
  },
  'fixture-invalid': { what: '"status"', expected: 'a whole number', received: 'the string "200"' },
  'fixture-unknown-key': { key: 'respnse', known: ['response', 'path'] },
  'fixture-missing-key': { key: 'path', example: '"/orders"' },
  'fixture-conflicting-keys': { keys: ['body', 'file'], place: 'A response' },
  'body-not-sent': { key: 'body', status: 204 },
  'method-not-one': { method: 'ALL' },
  'method-unknown': { method: 'GTE', known: ['GET', 'PURGE'] },
  'paginate-key-unused': {
    key: 'outOfRange',
    style: 'relay',
    reason: 'a connection without more edges is empty',
  },
  'paginate-max-below-default': { perPage: 20, maxPerPage: 10 },
  'paginate-name-taken': { name: 'data', keys: ['total', 'data'] },
  'path-invalid': {
    path: '/items?page=2',
    reason: 'a path has no query.',
    fix: 'Write "path: /items" and "when: { query: { page: 2 } }".',
  },
  'path-parameter-conflict': {
    path: '/orders/:key',
    other: '/orders/:id',
    place: 'fixtures/orders.yaml:1:3',
  },
  'body-file-unreadable': { path: 'invoice.txt', reason: 'there is no file fixtures/invoice.txt' },
  'body-file-too-large': { path: 'film.mp4', megabytes: 512, limit: 100 },
  'body-file-outside-root': { path: '../../secret.txt' },
  'fixture-needs-node': { chain: ['fixtures/orders.ts', './db.ts', 'node:fs'] },
  'body-file-unsupported': { path: 'invoice.txt' },
  'body-not-json': { reason: 'a Map is not a JSON value' },
  'default-route-duplicate': { endpoint: 'GET /orders', place: 'fixtures/orders.yaml:1:3' },
  'url-invalid': {
    path: 'api.example.com/orders',
    reason: 'it has no scheme.',
    fix: 'Write url: https://api.example.com/orders.',
  },
  'origin-unmatched': { request: 'GET https://api.example.com/orders' },
  'origin-unknown': { origin: 'https://api.example.com' },
  'origin-own': { origin: 'http://localhost:5173' },
  'origin-proxied': { origin: 'https://api.example.com' },
  'origin-twice': { origin: 'https://api.example.com' },
  'items-failed': { reason: 'it does not contain a list' },
  'number-inexact': { written: '.inf', sent: 'Infinity' },
  'value-unknown-name': { name: 'params.idd', known: ['params.id'] },
  'value-invalid': { key: '$text', reason: '{ stands alone; write \\{ for a brace in the text' },
  'value-misspelled': { key: '$form', meant: '$from' },
  'value-file-missing': { request: 'GET /orders/8', name: 'an order', file: 'orders/8.json' },
  'value-too-large': { request, name: 'echo' },
  'selector-unknown-parameter': { name: 'id', path: '/orders' },
  'selector-unknown-operator': { operator: '$inn', known: ['$in', '$nin'] },
  'selector-invalid-operand': { operator: '$in', expected: 'a list', received: 'the string "a"' },
  'selector-invalid-pattern': { pattern: '(?=a)', reason: 'invalid perl operator: `(?=`' },
  'selector-invalid-text': { received: 'a list' },
  'selector-regex-text': { text: '/^a/', meant: "{ $regex: '^a' }" },
  'selector-unquoted-number': { written: '01234', value: 1234 },
  'selector-too-deep': { limit: 100 },
  'selector-invalid-document': { reason: 'it must have one operation' },
  'selector-body-of-get': { path: '/orders' },
  'selector-duplicate': { name: 'page 2', place: 'fixtures/orders.yaml:5:3' },
  'selector-shadowed': { name: 'all of page 2', place: 'fixtures/orders.yaml:1:3' },
  'request-body-malformed': { request, reason },
  'request-body-too-large': { request, limit: 1_048_576 },
  'request-encoding-unknown': { request, encoding: 'compress', accepted: ['gzip', 'br', 'deflate'] },
  'request-encoding-corrupt': { request, encoding: 'gzip', reason: 'incorrect header check' },
  'request-charset-unknown': { request, charset: 'klingon' },
  'request-body-used': { request },
  'origin-refused': { origin: 'https://example.com' },
  'host-refused': { host: 'rebound.example.com' },
  'function-failed': {
    request: 'GET /orders/7',
    name: 'order',
    part: 'response',
    reason: 'TypeError: it returned nothing, not a response',
  },
  'function-timeout': { request: 'GET /orders/7', name: 'order', limit: 10_000 },
  'rate-limited': { request: 'GET /quota', name: 'quota', requests: 2, per: 60_000, seconds: 42 },
  'route-unmatched': {
    request,
    nearest:
      '"open orders" (fixtures/orders.yaml:9:3) wants headers.x-tenant to be the string "a", not nothing',
  },
  'host-not-own': { request: 'GET /items', host: 'api.example.com' },
  'layers-overlap': { layers: ['handlers of MSW (toHandlers)', 'unplugin-mock-api/vitest'] },
  'route-not-found': { request: 'GET /unknown' },
  'upgrade-refused': { path: '/items' },
  'socket-failed': { name: 'the chat', reason: 'its message takes too much of a request' },
  'internal-error': { request, reason },
  'scenario-unknown': {
    name: 'paymnt-down',
    by: 'header "x-mock-scenario"',
    known: ['payment-down', 'logged-out'],
  },
  'scenario-inactive': { request: 'POST /payment', scenarios: ['payment-down'] },
  'override-failed': { request: 'GET /orders/7', failure: '503' },
  'socket-io': { why: 'no-route', path: '/socket.io/' },
  'fail-sent': { request: 'GET /orders', name: 'orders', call: 3, seed: '0' },
  'fault-sent': { name: 'checkout', fault: 'truncated' },
  'route-similar': { request: 'GET /order', similar: 'GET /orders' },
  'request-unanswered': {
    request: 'GET /api/invoices',
    method: 'GET',
    path: '/api/invoices',
    isPage: true,
  },
  'request-path-malformed': {
    request: 'GET /vouchers/100%',
    endpoint: 'GET /vouchers/:code (fixtures/vouchers.yaml:1:3)',
  },
  'navigation-answered': { name: 'GET /items #1' },
  'fault-not-exact': { fault: 'reset' },
  'collection-item-unknown': { request: 'GET /orders/8', name: 'orders', id: '8' },
  'collection-write-refused': { request: 'POST /orders', reason: '"orders" has an item "8" already' },
  'collection-item-changed': { request: 'PUT /orders/8', name: 'orders', id: '8' },
  'collection-operation-left-out': { request: 'DELETE /orders/8', operation: 'delete', name: 'orders' },
  'collection-query-unknown': {
    request: 'GET /orders',
    parameter: '_sort',
    name: 'creatd',
    known: ['id', 'created'],
  },
  'page-not-selected': { name: 'items', parameter: 'page', value: '9' },
  'page-out-of-range': { parameter: 'page', value: '9' },
  'page-malformed': { parameter: 'page', value: 'two', expected: 'a whole number, 1 or more' },
  'graphql-refused': { request: 'POST /graphql', reason: 'Unknown fragment "F".' },
  'graphql-query-wrong': {
    request: 'POST /graphql',
    name: 'heroes',
    reason: 'Syntax Error: Expected Name, found <EOF> (line 1, column 11).',
  },
  'graphql-unparsed': {
    request: 'POST /graphql',
    reason: 'Syntax Error: Expected Name, found <EOF> (line 1, column 11).',
    nearest: '"heroes" (fixtures/heroes.yaml:1:3) wants operationName to be the string "Heroes", not nothing',
  },
  'graphql-field-missing': { name: 'heroes', fields: ['heroes.nmae (did you mean "name"?)'] },
  'graphql-path-other': { path: '/api/graphql', keys: ['when.operationName', 'shape'], paths: ['/graphql'] },
  'graphql-other-data': { name: 'hero', operation: 'the query Books', fields: ['books'] },
  'graphql-data-missing': { name: 'heroes', keys: ['hero'] },
  'graphql-errors-unreadable': { name: 'heroes' },
  'graphql-batch-differs': { dropped: ['the status 200 or 503', 'the header "x-request-id"'] },
  'graphql-value-rejected': {
    name: 'heroes',
    values: ['hero.height: Float cannot represent non numeric value: "tall"'],
  },
  'scalar-unknown': { name: 'Datetime', known: ['String', 'DateTime'] },
  'graphiql-not-installed': { packageName: '@graphql-yoga/render-graphiql' },
  'graphiql-failed': { packageName: '@graphql-yoga/render-graphiql', reason },
  'schema-not-found': { place: 'schema.graphql' },
  'schema-unreadable': { reason: 'EACCES: permission denied' },
  'schema-invalid': { reason: 'Syntax Error: Expected Name, found "}".' },
  'schema-flawed': { reason: 'Field "Hero.name" can only be defined once.' },
  'bundler-missing': { root: '/home/me/shop' },
  'bundle-failed': { bundler: 'Vite 8.3.8', reason: 'Could not resolve "./orders" in fixtures/shop.ts' },
  'collection-item-invalid': { name: 'orders', item: 3, reason: 'it has no "id"' },
  'collection-name-taken': { name: 'orders', place: 'fixtures/orders.yaml:1' },
  'collection-unknown': { name: 'order', known: ['orders', 'customers'] },
  'collection-field-unknown': { name: 'stat', collection: 'orders', known: ['id', 'state', 'total'] },
  'write-invalid': { reason: 'it has no "id"' },
  'overlay-without-backend': { keys: ['patch'] },
  'trigger-unknown': { by: 'mutation', name: 'RenameOrdr', known: ['RenameOrder'] },
  'stream-line-unknown': {
    key: 'thinkin',
    known: ['text', 'thinking', 'tool', 'refusal', 'error', 'finish'],
  },
  'then-scenario-unknown': { name: 'signed-inn', known: ['signed-in'] },
  'stream-missing': { key: 'on' },
  'patch-invalid': { path: 'data..name', reason: 'a part between two dots is empty' },
  'patch-path-missing': {
    name: 'hero without a name',
    request: 'POST /graphql',
    written: 'data.hreo.name',
    missing: 'data.hreo',
    near: 'hero',
    more: 0,
  },
  'backend-unknown': { name: 'hero without a name', request: 'POST /graphql', instead: 'nothing' },
  'record-headers-withheld': { address: '192.168.0.7' },
  'backend-unreachable': {
    name: 'hero without a name',
    request: 'POST /graphql',
    target: 'http://localhost:4000',
    reason: 'connect ECONNREFUSED 127.0.0.1:4000',
  },
  'origin-unreachable': {
    request: 'GET https://api.stripe.com/v1/charge/7',
    origin: 'https://api.stripe.com',
    reason: 'getaddrinfo ENOTFOUND api.stripe.com',
    known: ['GET https://api.stripe.com/v1/charges/:id', 'POST https://api.stripe.com/v1/refunds'],
  },
  'outgoing-unreachable': {
    request: 'GET https://api.stripe.com/v1/charges/7',
    target: 'http://localhost:3000',
    reason: 'connect ECONNREFUSED 127.0.0.1:3000',
  },
  'outgoing-elsewhere': { request: 'GET https://api.stripe.com/v1/charges/7' },
  'backend-answer-unreadable': {
    name: 'hero without a name',
    request: 'POST /graphql',
    reason: 'it is larger than 32 MiB',
  },
  'backend-answer-not-json': {
    name: 'hero without a name',
    request: 'POST /graphql',
    status: 200,
    reason: 'its body of the type text/html begins with "<!doctype html>"',
  },
}

const page = new URL('../docs/diagnostics.md', import.meta.url)
if (process.argv[1]?.endsWith('diagnostics-page.ts')) writeFileSync(page, diagnosticsPage())

/** The page with the current texts. Its headings, and when each code is reported, are its own. */
export function diagnosticsPage(): string {
  const write = catalogue as Record<string, (given: unknown) => Text>
  const given = details as Record<string, unknown>
  const entry = /^## `(.+)`\n\n((?:.+\n)+)(?:\n```txt\n[^]*?\n```\n)?/gm
  return currentPage().replace(entry, (_, code: string, paragraph: string) => {
    const { severity = 'error', message, fix } = write[code]!(given[code])
    const when = paragraph.trim().replace(/\s\((?:error|warning)\)$/, '')
    const text = `${message}\n  Fix: ${fix} [${code}]`
    return `## \`${code}\`\n\n${wrap(`${when.replaceAll('\n', ' ')} (${severity})`)}\n\n\`\`\`txt\n${text}\n\`\`\`\n`
  })
}

/** The page as it is. */
export function currentPage(): string {
  return readFileSync(page, 'utf8')
}
