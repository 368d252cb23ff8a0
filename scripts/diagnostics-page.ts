/* Writes docs/diagnostics.md: every code with an example of its text. A test fails when the page is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogue, type DiagnosticCode } from '../src/core/diagnostics/diagnostic.ts'
import type { Text } from '../src/core/diagnostics/text.ts'
import { wrap } from './wrap.ts'

const request = 'POST /orders/search'
const reason = 'Unexpected end of JSON input'

/** When each code is reported, and the details of an example, in the order of the page. A missing code is a type error. */
const examples: { [C in DiagnosticCode]: [when: string, ...details: Parameters<(typeof catalogue)[C]>] } = {
  'plugin-duplicate': ['The config lists the plugin twice with the same `base`.', { base: '' }],
  'plugin-not-called': ['The config has `plugins: [mockApi]` in place of `plugins: [mockApi()]`.'],
  'start-failed': [
    'The mock server can’t be loaded, as while its package is being installed.',
    { reason: "Cannot find module 'mock-server.js'" },
  ],
  'server-unreachable': ['webpack or Rspack serve, but the dev server is not one that can be reached.', {}],
  'option-not-data': [
    'An option of the plugin can’t be written into `virtual:mock-api`.',
    { option: 'graphql.scalars.Date', what: 'a function' },
  ],
  'worker-elsewhere': [
    'The option `build` is set, and the base of the build is another origin.',
    { base: 'https://cdn.example.com/' },
  ],
  'option-unknown': [
    'An option has a name that does not exist.',
    { option: 'fixture', known: ['fixtures', 'base'] },
  ],
  'option-invalid': [
    'An option has a value of the wrong kind.',
    { key: 'bodyLimit', expected: 'a whole number of bytes, 0 or more', received: 'the string "1 MB"' },
  ],
  'templates-replaced': [
    'Your first fixture file appears while the dev server runs.',
    { routes: ['POST /graphql', 'GET /items'], files: 'fixtures/orders.yaml', fixtures: ['fixtures'] },
  ],
  'fixtures-not-found': [
    'The option `fixtures` matches no fixture file.',
    { fixtures: 'mock', meant: 'mocks' },
  ],
  'fixtures-entry-missing': [
    'An entry of the option `fixtures` does not exist, and something with a similar name does.',
    { entry: 'mock', meant: 'mocks' },
  ],
  'fixture-name-unknown': [
    'A file in the folder of the fixtures was probably meant to be one, and has another extension.',
    { files: ['fixtures/orders.yaml.txt'], meant: 'orders.yaml' },
  ],
  'fixture-unreadable': ['A fixture file can’t be read.', { reason: 'EACCES: permission denied' }],
  'fixture-syntax': [
    'A fixture file is not valid YAML, JSON or TypeScript.',
    { reason: 'Missing closing quote' },
  ],
  'fixture-import-failed': [
    'A TypeScript or JavaScript fixture, or what it imports, throws.',
    { reason: "Cannot find module './orders'" },
  ],
  'fixture-timeout': ['A TypeScript or JavaScript fixture does not settle.', { part: 'import', seconds: 10 }],
  'fixture-too-complex': [
    'A fixture file nests too deeply or expands too many aliases.',
    { reason: 'it nests deeper than 1000 levels' },
  ],
  'watch-limit': ['The system’s limit of file watches is reached.', { code: 'ENOSPC' }],
  'fixture-too-large': ['A YAML file is too large to be read in a reasonable time.', { limit: 20_000_000 }],
  'fixture-no-default-export': ['A TypeScript or JavaScript fixture has no default export.'],
  'fixture-without-routes': [
    'Files in the fixture folder list no routes, such as test data.',
    { files: ['fixtures/users.json', 'fixtures/factory.ts'], folder: 'fixtures', isCode: true },
  ],
  'fixture-empty': ['A file in the fixture folder is empty, has only comments, or an empty list.'],
  'fixture-encoding': [
    'A fixture file has bytes that are not UTF-8, or has the character that stands for them.',
  ],
  'header-name-invalid': [
    'A response has a header that can’t be sent.',
    { name: 'x total', reason: 'its name may only have letters, digits and characters such as "-".' },
  ],
  'fixture-invalid': [
    'A key has a value of the wrong kind.',
    { what: '"status"', expected: 'a whole number', received: 'the string "200"' },
  ],
  'fixture-unknown-key': [
    'A key has a name that does not exist.',
    { key: 'respnse', known: ['response', 'path'] },
  ],
  'fixture-missing-key': ['A key is missing.', { key: 'path', example: '"/orders"' }],
  'fixture-conflicting-keys': [
    'Two keys exclude each other.',
    { keys: ['body', 'file'], place: 'A response' },
  ],
  'repeat-without-list': ['A route has `repeat`, but its `response` is not a list.'],
  'body-not-sent': [
    'A response has a body, and a status that has none: 204, 205 or 304.',
    { key: 'body', status: 204 },
  ],
  'method-not-one': ['A route has a method such as `ALL`.', { method: 'ALL' }],
  'method-unknown': [
    'A route has a method that Node’s HTTP server does not know.',
    { method: 'GTE', known: ['GET', 'PURGE'] },
  ],
  'paginate-key-unused': [
    'A key of `paginate` has no effect with its style.',
    { key: 'outOfRange', style: 'relay', reason: 'a connection without more edges is empty' },
  ],
  'paginate-max-below-default': [
    '`maxPerPage` of a list is below its `perPage`.',
    { perPage: 20, maxPerPage: 10 },
  ],
  'paginate-name-taken': [
    'Two parameters, or two keys of an envelope, have the same name.',
    { name: 'data', keys: ['total', 'data'] },
  ],
  'path-invalid': [
    'A path can’t be matched: it has a query, a constraint, braces, or syntax that does not exist.',
    {
      path: '/items?page=2',
      reason: 'a path has no query.',
      fix: 'Write "path: /items" and "when: { query: { page: 2 } }".',
    },
  ],
  'path-parameter-conflict': [
    'The same path is written with different parameter names.',
    { path: '/orders/:key', other: '/orders/:id', place: 'fixtures/orders.yaml:1:3' },
  ],
  'body-file-unreadable': [
    'The file of a body or of a list does not exist, or can’t be used.',
    { path: 'invoice.txt', reason: 'there is no file fixtures/invoice.txt' },
  ],
  'body-file-too-large': [
    'The file of a body or of a list is larger than 100 MB.',
    { path: 'film.mp4', megabytes: 512, limit: 100 },
  ],
  'body-file-outside-root': ['The file of a body is outside the project.', { path: '../../secret.txt' }],
  'fixture-needs-node': [
    'A fixture file imports a module of Node, directly or through another module, and is bundled for a browser or an edge runtime.',
    { chain: ['fixtures/orders.ts', './db.ts', 'node:fs'] },
  ],
  'body-file-unsupported': ['`createFetchHandler` got a route with a `file`.', { path: 'invoice.txt' }],
  'body-not-json': ['A body is not a JSON value.', { reason: 'a Map is not a JSON value' }],
  'default-route-duplicate': [
    'An endpoint has two default routes.',
    { endpoint: 'GET /orders', place: 'fixtures/orders.yaml:1:3' },
  ],
  'url-invalid': [
    'A route has a `url` without a scheme, with credentials, or of another protocol; or a file has such an `origin`',
    {
      path: 'api.example.com/orders',
      reason: 'it has no scheme.',
      fix: 'Write url: https://api.example.com/orders.',
    },
  ],
  'origin-unmatched': ['A test asks another origin.', { request: 'GET https://api.example.com/orders' }],
  'origin-unknown': ['A page asks for an origin that no route has.', { origin: 'https://api.example.com' }],
  'origin-own': [
    'The `url` of a route, or the `origin` of a file, is the dev server itself.',
    { origin: 'http://localhost:5173' },
  ],
  'origin-proxied': [
    'The `url` of a route is at an origin that the proxy of the dev server asks.',
    { origin: 'https://api.example.com' },
  ],
  'origin-twice': [
    'Two instances of the plugin have routes of one origin.',
    { origin: 'https://api.example.com' },
  ],
  'items-failed': ['The items of a list can’t be read.', { reason: 'it does not contain a list' }],
  'number-inexact': ['A number of a body is none in JSON.', { written: '.inf', sent: 'Infinity' }],
  'value-unknown-name': [
    'A value of the request has a name that does not exist.',
    { name: 'params.idd', known: ['params.id'] },
  ],
  'value-invalid': [
    'A value of the request is not written as one.',
    { key: '$text', reason: '{ stands alone; write \\{ for a brace in the text' },
  ],
  'value-misspelled': [
    'A key of a body looks like one for a value of the request.',
    { key: '$form', meant: '$from' },
  ],
  'value-file-missing': [
    'A request names a file that the folder does not have.',
    { request: 'GET /orders/8', name: 'an order', file: 'orders/8.json' },
  ],
  'value-too-large': ['The values of a request would make the answer too large.', { request, name: 'echo' }],
  'selector-unknown-parameter': [
    'A selector names a parameter that the path does not have.',
    { name: 'id', path: '/orders' },
  ],
  'selector-unknown-operator': [
    'A selector has an operator that does not exist.',
    { operator: '$inn', known: ['$in', '$nin'] },
  ],
  'selector-invalid-operand': [
    'An operator has a value of the wrong kind.',
    { operator: '$in', expected: 'a list', received: 'the string "a"' },
  ],
  'selector-invalid-pattern': [
    'A `$regex` is not a valid RE2 pattern.',
    { pattern: '(?=a)', reason: 'invalid perl operator: `(?=`' },
  ],
  'selector-invalid-text': ['A selector of strings has an object or a list.', { received: 'a list' }],
  'selector-options-alone': ['A selector has `$options` without `$regex`.'],
  'selector-regex-text': [
    'A selector has a text that is written like a regular expression in JavaScript.',
    { text: '/^a/', meant: "{ $regex: '^a' }" },
  ],
  'selector-unquoted-number': [
    'A selector of strings has an unquoted number whose value differs from its spelling.',
    { written: '01234', value: 1234 },
  ],
  'selector-too-deep': ['A selector nests too deeply.', { limit: 100 }],
  'selector-invalid-document': [
    'A selector’s `query` is a string, but not a GraphQL document.',
    { reason: 'it must have one operation' },
  ],
  'selector-body-of-get': ['A selector names the body of a GET request.', { path: '/orders' }],
  'selector-duplicate': [
    'An earlier route has the same selector.',
    { name: 'page 2', place: 'fixtures/orders.yaml:5:3' },
  ],
  'selector-shadowed': [
    'An earlier route has a less specific selector, so this one never answers.',
    { name: 'all of page 2', place: 'fixtures/orders.yaml:1:3' },
  ],
  'request-body-malformed': ['A request’s body does not match its content type.', { request, reason }],
  'request-body-too-large': ['A request’s body is larger than `bodyLimit`.', { request, limit: 1_048_576 }],
  'request-encoding-unknown': [
    'A request’s body has an unknown content encoding.',
    { request, encoding: 'compress', accepted: ['gzip', 'br', 'deflate'] },
  ],
  'request-encoding-corrupt': [
    'A request’s body does not match its content encoding.',
    { request, encoding: 'gzip', reason: 'incorrect header check' },
  ],
  'request-charset-unknown': ['A request’s body is in an unknown charset.', { request, charset: 'klingon' }],
  'request-body-used': ['`createFetchHandler` got a request whose body was read.', { request }],
  'origin-refused': ['A page of another origin sends a request.', { origin: 'https://example.com' }],
  'host-refused': ['A request has a host name that is not allowed.', { host: 'rebound.example.com' }],
  'function-failed': [
    'A function of a fixture throws, rejects or returns something invalid.',
    {
      request: 'GET /orders/7',
      name: 'order',
      part: 'response',
      reason: 'TypeError: it returned nothing, not a response',
    },
  ],
  'function-timeout': [
    'A response function does not settle.',
    { request: 'GET /orders/7', name: 'order', limit: 10_000 },
  ],
  'rate-limited': [
    'A route gets more requests than its `rateLimit` allows.',
    { request: 'GET /quota', name: 'quota', requests: 2, per: 60_000, seconds: 42 },
  ],
  'route-unmatched': [
    'A request matches no route of its endpoint.',
    {
      request,
      nearest:
        '"open orders" (fixtures/orders.yaml:9:3) wants headers.x-tenant to be the string "a", not nothing',
    },
  ],
  'host-not-own': [
    "In tests, and with MSW: a request for another host than the application's has the path of a route. It is shown once for each host.",
    { request: 'GET /items', host: 'api.example.com' },
  ],
  'layers-overlap': [
    'The mock server is there twice for the same requests: handlers of MSW, the setup file for Vitest, or the dev server. It is shown once.',
    { layers: ['handlers of MSW (toHandlers)', 'unplugin-mock-api/vitest'] },
  ],
  'route-not-found': [
    'No route answers, and there is no next handler after the middleware.',
    { request: 'GET /unknown' },
  ],
  'upgrade-refused': [
    'A client opens a WebSocket on a path that routes answer over HTTP.',
    { path: '/items' },
  ],
  'subscriptions-legacy': [
    'A client of `subscriptions-transport-ws` opens a WebSocket on the GraphQL endpoint.',
  ],
  'socket-io': ['A client of Socket.IO connects.'],
  'socket-failed': [
    'A message of a WebSocket can’t be sent.',
    { name: 'the chat', reason: 'its message takes too much of a request' },
  ],
  'internal-error': ['The package itself fails. This should never happen.', { request, reason }],
  'scenario-unknown': [
    'A request, a page, or the option `scenario` names a scenario that no route has. It is shown once for each name.',
    { name: 'paymnt-down', by: 'header "x-mock-scenario"', known: ['payment-down', 'logged-out'] },
  ],
  'scenario-inactive': [
    'All routes for a request are in scenarios that are not active, and nothing else answers it.',
    { request: 'POST /payment', scenarios: ['payment-down'] },
  ],
  'override-failed': [
    'An override of the control API, or of the inspector, makes a request fail.',
    { request: 'GET /orders/7', failure: '503' },
  ],
  'fault-sent': [
    'A route has a fault. Only the inspector shows it, with the request.',
    { name: 'checkout', fault: 'truncated' },
  ],
  'route-similar': [
    'The URL of a request is similar to a route’s, but not the same.',
    { request: 'GET /order', similar: 'GET /orders' },
  ],
  'request-path-malformed': [
    'A route has the path of a request, but the percent-encoding of the path is malformed, and nothing else answers it.',
    { request: 'GET /vouchers/100%', endpoint: 'GET /vouchers/:code (fixtures/vouchers.yaml:1:3)' },
  ],
  'navigation-answered': [
    'A browser opens a path that a page of the application may have, and a route answers.',
    { name: 'GET /items #1' },
  ],
  'fault-not-exact': [
    'A route with such a fault answers where there is no connection, as in `createFetchHandler` and in workers. Shown once for each fault.',
    { fault: 'reset' },
  ],
  'collection-item-unknown': [
    'A request is for an item that its collection does not have.',
    { request: 'GET /orders/8', name: 'orders', id: '8' },
  ],
  'collection-write-refused': [
    'A request would write what can’t be an item, or an id that is taken.',
    { request: 'POST /orders', reason: '"orders" has an item "8" already' },
  ],
  'collection-item-changed': [
    'A request changes an item, and its `if-match` has another version of it.',
    { request: 'PUT /orders/8', name: 'orders', id: '8' },
  ],
  'collection-operation-left-out': [
    'A request is for an operation that `only` of the collection leaves out.',
    { request: 'DELETE /orders/8', operation: 'delete', name: 'orders' },
  ],
  'collection-query-unknown': [
    'A request sorts by a field that no item has, or asks for a relation that does not exist.',
    { request: 'GET /orders', parameter: '_sort', name: 'creatd', known: ['id', 'created'] },
  ],
  'page-not-selected': [
    'A `page` parameter selects no page, and the default answers.',
    { name: 'items', parameter: 'page', value: '9' },
  ],
  'page-out-of-range': [
    'A request asks for a page past the end of a list.',
    { parameter: 'page', value: '9' },
  ],
  'page-malformed': [
    'A paging parameter has an invalid value.',
    { parameter: 'page', value: 'two', expected: 'a whole number, 1 or more' },
  ],
  'graphql-refused': [
    'A GraphQL request can’t be run.',
    { request: 'POST /graphql', reason: 'Unknown fragment "F".' },
  ],
  'graphql-query-wrong': [
    'A route answers a request whose query can’t be parsed, or has no operation to run.',
    {
      request: 'POST /graphql',
      name: 'heroes',
      reason: 'Syntax Error: Expected Name, found <EOF> (line 1, column 11).',
    },
  ],
  'graphql-unparsed': [
    'No route matches a request whose query can’t be parsed.',
    {
      request: 'POST /graphql',
      reason: 'Syntax Error: Expected Name, found <EOF> (line 1, column 11).',
      nearest:
        '"heroes" (fixtures/heroes.yaml:1:3) wants operationName to be the string "Heroes", not nothing',
    },
  ],
  'graphql-field-missing': [
    'A request selects a field that the fixture does not have.',
    { name: 'heroes', fields: ['heroes.nmae (did you mean "name"?)'] },
  ],
  'graphql-path-other': [
    'A route uses GraphQL keys at a path that is not a GraphQL endpoint.',
    { path: '/api/graphql', keys: ['when.operationName', 'shape'], paths: ['/graphql'] },
  ],
  'graphql-data-missing': [
    'A body or a patch for the GraphQL endpoint has neither `data` nor `errors`, and no error status.',
    { name: 'heroes', keys: ['hero'] },
  ],
  'graphql-errors-unreadable': [
    'The `errors` of a body for the GraphQL endpoint are no list of objects with a message.',
    { name: 'heroes' },
  ],
  'graphql-batch-differs': [
    'Routes that answer the same batch have different statuses or headers.',
    { dropped: ['the status 200 or 503', 'the header "x-request-id"'] },
  ],
  'graphql-value-rejected': [
    'A fixture’s value does not match its type in the schema.',
    { name: 'heroes', values: ['hero.height: Float cannot represent non numeric value: "tall"'] },
  ],
  'scalar-unknown': [
    'The option `graphql.scalars` names a scalar that the schema does not have.',
    { name: 'Datetime', known: ['String', 'DateTime'] },
  ],
  'graphiql-not-installed': [
    'GraphiQL is enabled, but its package is not installed.',
    { packageName: '@graphql-yoga/render-graphiql' },
  ],
  'graphiql-failed': [
    'The package of GraphiQL throws.',
    { packageName: '@graphql-yoga/render-graphiql', reason },
  ],
  'schema-not-found': ['The option `graphql.schema` matches no file.', { place: 'schema.graphql' }],
  'schema-unreadable': ['A schema file can’t be read.', { reason: 'EACCES: permission denied' }],
  'schema-invalid': [
    'A schema is not SDL, or has no query type.',
    { reason: 'Syntax Error: Expected Name, found "}".' },
  ],
  'schema-flawed': [
    'A schema has an error, as those of some public APIs do.',
    { reason: 'Field "Hero.name" can only be defined once.' },
  ],
  'bundler-missing': [
    'A worker is to be bundled, and the project has no bundler.',
    { root: '/home/me/shop' },
  ],
  'bundle-failed': [
    'The bundler reports an error while it bundles fixtures.',
    { bundler: 'Vite 8.3.8', reason: 'Could not resolve "./orders" in fixtures/shop.ts' },
  ],
  'collection-item-invalid': [
    'A collection has an item without an id, two with the same one, or too many.',
    { name: 'orders', item: 3, reason: 'it has no "id"' },
  ],
  'collection-name-taken': [
    'Two collections have the same name or path.',
    { name: 'orders', place: 'fixtures/orders.yaml:1' },
  ],
  'collection-unknown': [
    'A relation, `write`, `on`, `$item` or `$list` names a collection that does not exist.',
    { name: 'order', known: ['orders', 'customers'] },
  ],
  'collection-field-unknown': [
    'A relation’s `by`, or the `where` or `sort` of a `$list`, names a field that no item has.',
    { name: 'stat', collection: 'orders', known: ['id', 'state', 'total'] },
  ],
  'write-invalid': [
    'The key `write` has no operation, several, or lacks what its operation needs.',
    { reason: 'it has no "id"' },
  ],
  'overlay-without-backend': [
    'A response has `patch` or `errors`, and no `from: backend`.',
    { keys: ['patch'] },
  ],
  'trigger-unknown': [
    'A stream waits for a mutation or a route that does not exist.',
    { by: 'mutation', name: 'RenameOrdr', known: ['RenameOrder'] },
  ],
  'stream-missing': ['A response has `end` or `on`, and no `stream`.', { key: 'on' }],
  'patch-invalid': [
    'A path or a value of `patch` can’t be read.',
    { path: 'data..name', reason: 'a part between two dots is empty' },
  ],
  'patch-path-missing': [
    'The answer of the backend does not have what `patch` changes.',
    {
      name: 'hero without a name',
      request: 'POST /graphql',
      written: 'data.hreo.name',
      missing: 'data.hreo',
      near: 'hero',
      more: 0,
    },
  ],
  'backend-unknown': [
    'A route with `from: backend` is asked, and nothing says where the backend is. The answer is a 502.',
    { name: 'hero without a name', request: 'POST /graphql', instead: 'nothing' },
  ],
  'record-headers-withheld': [
    'Another machine has sent a request for the backend. It goes there without these headers, which mostly have credentials.',
    { address: '192.168.0.7' },
  ],
  'record-without-backend': ['A recording runs in a dev server that has no proxy, without a target.'],
  'backend-unreachable': [
    'The backend does not answer. The answer is a 502.',
    {
      name: 'hero without a name',
      request: 'POST /graphql',
      target: 'http://localhost:4000',
      reason: 'connect ECONNREFUSED 127.0.0.1:4000',
    },
  ],
  'origin-unreachable': [
    'A page asks an origin that has routes, none of them has the path, and the real third party does not answer. The answer is a 502.',
    {
      request: 'GET https://api.stripe.com/v1/charge/7',
      origin: 'https://api.stripe.com',
      reason: 'getaddrinfo ENOTFOUND api.stripe.com',
      known: ['GET https://api.stripe.com/v1/charges/:id', 'POST https://api.stripe.com/v1/refunds'],
    },
  ],
  'outgoing-unreachable': [
    'The option `outgoing` has the address of a dev server, which does not answer. The answer is a 502.',
    {
      request: 'GET https://api.stripe.com/v1/charges/7',
      target: 'http://localhost:3000',
      reason: 'connect ECONNREFUSED 127.0.0.1:3000',
    },
  ],
  'backend-answer-unreadable': [
    'The answer of the backend is too large or encoded in an unknown way. The answer is a 502.',
    { name: 'hero without a name', request: 'POST /graphql', reason: 'it is larger than 32 MiB' },
  ],
  'backend-answer-not-json': [
    'A route changes JSON, and the backend answers with something else. The answer is a 502.',
    {
      name: 'hero without a name',
      request: 'POST /graphql',
      status: 200,
      reason: 'its body of the type text/html begins with "<!doctype html>"',
    },
  ],
}

/** The current text of the page. */
export function diagnosticsPage(): string {
  const write = catalogue as Record<string, (details: unknown) => Text>
  const entries = Object.entries(examples).map(([code, [when, details]]) => {
    const { severity = 'error', message, fix } = write[code]!(details)
    const text = `${message}\n  Fix: ${fix} [${code}]`
    return `## \`${code}\`\n\n${wrap(`${when} (${severity})`)}\n\n\`\`\`txt\n${text}\n\`\`\`\n`
  })
  return `# Diagnostics

Everything that the package can say to you. A message says what happened, where (file, line and column, left out
here), and how to fix it, and ends with its code in brackets. Codes are stable, texts may get better. An error is
something that does not work as written; a warning is something that works, but perhaps not as intended. A warning
about a request is shown once. [Fixture files](fixture-files.md#when-something-is-wrong) has what answers until a
fixture file is corrected.

<!-- Generated by npx jiti scripts/diagnostics-page.ts -->

${entries.join('\n')}`
}

const page = new URL('../docs/diagnostics.md', import.meta.url)
if (process.argv[1]?.endsWith('diagnostics-page.ts')) writeFileSync(page, diagnosticsPage())

/** The page as it is. */
export function currentPage(): string {
  return readFileSync(page, 'utf8')
}
