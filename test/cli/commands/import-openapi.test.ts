import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { folderWith, runIn } from '../test-terminal.ts'

const read = (root: string, name: string) => readFileSync(join(root, 'fixtures', name), 'utf8')

/** Imports a document from a folder of its own. */
async function importDocument(
  document: object,
  args: readonly string[] = [],
  files: Record<string, object | string> = {},
) {
  const others = Object.entries(files).map(
    ([name, content]) => [name, typeof content === 'string' ? content : JSON.stringify(content)] as const,
  )
  const root = folderWith({ 'api.yaml': stringify(document), ...Object.fromEntries(others) })
  return { root, ...(await runIn(root, ['import', 'openapi', 'api.yaml', ...args])) }
}

const json = (media: object) => ({ content: { 'application/json': media } })

/** A document with one operation. */
const operation = (path: string, responses: object, more: object = {}, method = 'get') => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { [path]: { [method]: { responses, ...more } } },
  components: {
    schemas: {
      Order: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          state: { enum: ['open', 'sold'] },
          parent: { $ref: '#/components/schemas/Order' },
        },
      },
    },
  },
})

/** A route as it is written. */
const route = (path: string, response: string) => `- path: ${path}\n  response: ${response}\n`

/** With one good answer of JSON. */
const ok = (media: object, path = '/a', more: object = {}) => operation(path, { 200: json(media) }, more)

/** Of several operations, by path and method. */
const operations = (paths: object) => ({ openapi: '3.0.3', paths })

const documents: {
  what: string
  document: object
  args?: string[]
  files?: Record<string, object>
  yaml: string
}[] = [
  {
    what: 'an example, before a schema',
    document: ok({ example: { id: 9 }, schema: { type: 'object' } }, '/orders/{order-id}'),
    yaml: `- path: /orders/:orderId
  response:
    body: { id: { $from: params.orderId, as: number, else: 9 } }
`,
  },
  {
    what: 'the query that the API needs',
    document: {
      openapi: '3.1.0',
      paths: {
        '/search': {
          parameters: [
            { name: 'q', in: 'query', required: true, schema: { type: 'string' }, example: 'tea' },
          ],
          get: {
            parameters: [
              { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 5 } },
              { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
            ],
            responses: { 200: { content: { 'application/json': { example: { hits: 1 } } } } },
          },
        },
      },
    },
    yaml: `- path: /search
  example: { query: { q: tea, limit: 5 } }
  response: { body: { hits: 1 } }
`,
  },
  {
    what: 'the ids that were asked for',
    document: ok({ example: { orderId: 'a', data: { id: 'b', n: 1 } } }, '/orders/{order_id}/lines/{id}'),
    yaml: `- path: /orders/:order_id/lines/:id
  response:
    body:
      orderId: { $from: params.order_id }
      data: { id: { $from: params.id }, n: 1 }
`,
  },
  {
    what: 'the id that was asked for, in one of several schemas',
    document: ok(
      {
        schema: {
          oneOf: ['x', 'y'].map((type) => ({
            properties: { id: { type: 'string' }, type: { enum: [type] } },
          })),
        },
      },
      '/a/{id}',
    ),
    yaml: route('/a/:id', '{ body: { id: { $from: params.id }, type: x } }'),
  },
  {
    what: 'what looks like a value of the request',
    document: ok({ example: { at: { $from: 'x' } } }),
    yaml: route('/a', '{ body: { $literal: { at: { $from: x } } } }'),
  },
  {
    what: 'the first of several examples',
    document: ok({ examples: { one: { value: [1] }, two: { value: [2] } } }),
    yaml: route('/a', '{ body: [1] }'),
  },
  {
    what: 'a schema that contains itself',
    document: ok({ schema: { $ref: '#/components/schemas/Order' } }),
    yaml: route('/a', '{ body: { id: 1, state: open } }'),
  },
  {
    what: 'a list of a number of pages',
    document: ok({ schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } }, '/orders', {
      parameters: [
        { name: 'page', in: 'query' },
        { name: 'limit', in: 'query' },
      ],
    }),
    yaml: `- path: /orders
  paginate:
    style: link
    perPage: 2
    maxPerPage: 100
    parameters: { per_page: limit }
    items: [{ id: 1, state: open }, { id: 2, state: sold }]
`,
  },
  {
    what: 'a status without a body',
    document: operation('/a/{id}', { 204: { description: 'gone' } }, {}, 'delete'),
    yaml: `- method: DELETE
  path: /a/:id
  response: { status: 204 }
`,
  },
  {
    what: 'errors as scenarios, also those of several statuses',
    document: operation('/a', {
      200: json({ example: 1 }),
      400: json({ example: { code: 'x' } }),
      '4XX': json({ example: 3 }),
      default: json({ example: 4 }),
    }),
    args: ['--errors'],
    yaml: `- path: /a
  response: { body: 1 }

- path: /a
  scenario: '400'
  response: { status: 400, body: { code: x } }

- path: /a
  scenario: '401'
  response: { status: 401, body: 3 }

- path: /a
  scenario: '500'
  response: { status: 500, body: 4 }
`,
  },
  {
    what: 'the path of the server, and the base',
    document: {
      ...ok({ example: 1 }),
      servers: [
        {
          url: 'https://{host}/api/{version}',
          variables: { host: { default: 'x.example' }, version: { default: 'v2' } },
        },
      ],
    },
    args: ['--base', '/api'],
    yaml: route('/v2/a', '{ body: 1 }'),
  },
  {
    what: 'servers of other origins than the first one',
    document: {
      servers: [{ url: 'https://api.example/v1' }],
      ...operations({
        '/a': { get: { tags: ['a'], responses: { 200: json({ example: 1 }) } } },
        '/files/{id}': {
          servers: [{ url: 'https://up.example/' }],
          post: { tags: ['a'], responses: { 200: json({ example: 2 }) } },
        },
        '/own': { get: { tags: ['a'], servers: [{ url: '/v2' }], responses: { 200: json({ example: 3 }) } } },
      }),
    },
    yaml: `- path: /v1/a
  response: { body: 1 }

- method: POST
  url: https://up.example/files/:id
  response: { body: 2 }

- path: /v2/own
  response: { body: 3 }
`,
  },
  {
    what: 'the document of a third party',
    document: {
      ...ok({ example: { id: 'ch_1' } }, '/charges/{id}'),
      servers: [{ url: 'https://api.stripe.example/v1' }],
    },
    args: ['--origin', 'http://localhost:5173'],
    yaml: `- url: https://api.stripe.example/v1/charges/:id
  response: { body: { id: { $from: params.id } } }
`,
  },
  {
    what: 'references to a file beside',
    document: ok({ schema: { $ref: 'schemas.json#/defs/A~1B' } }),
    files: {
      'schemas.json': { defs: { 'A/B': { properties: { c: { $ref: '#/defs/C' } } }, C: { const: 3 } } },
    },
    yaml: route('/a', '{ body: { c: 3 } }'),
  },
  {
    what: 'an example that does not fit its schema, changed where it is wrong',
    document: ok({
      example: { id: '7', name: 'ink', sent: null },
      schema: {
        required: ['id', 'state'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          sent: { type: 'string', format: 'date' },
          state: { type: 'string', pattern: '^o\\-[a-z]{2}$' },
        },
      },
    }),
    yaml: `- path: /a
  response:
    body: { id: 1, name: ink, sent: 2026-01-01, state: o-aa }
`,
  },
  {
    what: 'a schema that no value fits',
    document: ok({ schema: { type: 'object', required: ['a'], additionalProperties: false } }),
    yaml: `- path: /a
  invalid: true
  response: { body: { a: a } }
`,
  },
  {
    what: 'the branch of several that fits with the rest',
    document: ok({
      schema: {
        properties: { kind: { enum: ['b'] } },
        oneOf: [
          { properties: { kind: { const: 'a' } } },
          { properties: { kind: { const: 'b' }, n: { type: 'integer' } } },
        ],
      },
    }),
    yaml: route('/a', '{ body: { kind: b } }'),
  },
  {
    what: 'an envelope of a number of pages',
    document: ok(
      {
        schema: {
          properties: {
            page: { type: 'integer' },
            per_page: { type: 'integer' },
            totalCount: { type: 'integer', example: 90 },
            total_pages: { type: 'integer' },
            results: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
          },
        },
      },
      '/orders',
      { parameters: [{ name: 'page', in: 'query' }] },
    ),
    yaml: `- path: /orders
  paginate:
    perPage: 2
    envelope: { data: results, total: totalCount, has_more: false }
    items: [{ id: 1, state: open }, { id: 2, state: sold }]
`,
  },
  ...[
    ['below others, counted from 0 by default', { minimum: 0, default: 0 }, 0],
    ['below others, counted from 0 at least', { $ref: '#/from0' }, 0],
    ['below others, counted from 1 by default', { minimum: 0, default: 1 }, 1],
    ['below others, counted from 1 at least', { minimum: 1 }, 1],
  ].map(([what, schema, first]) => {
    const meta = { page: { type: 'integer', minimum: first }, total_pages: { type: 'integer' } }
    const document = ok(
      {
        schema: {
          properties: {
            data: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
            meta: { type: 'object', properties: meta },
          },
        },
      },
      '/orders',
      { parameters: [{ $ref: 'page.json#/asked' }] },
    )
    return {
      files: { 'page.json': { asked: { name: 'page', in: 'query', schema }, from0: { minimum: 0 } } },
      what: `numbers of pages ${what as string}`,
      document,
      yaml: `- path: /orders
  paginate:
${first === 0 ? '    firstPage: 0\n' : ''}    perPage: 2
    envelope:
      page: meta.page
      per_page: false
      total_pages: meta.total_pages
      total: false
      has_more: false
    items: [{ id: 1, state: open }, { id: 2, state: sold }]
`,
    }
  }),
  {
    what: 'an envelope that agrees with its list',
    document: ok(
      {
        schema: {
          properties: {
            total: { type: 'integer', example: 90 },
            kind: { const: 'list' },
            data: { type: 'array', items: { type: 'integer' } },
            meta: { type: 'object', properties: { per_page: { type: 'integer' }, took: { const: 7 } } },
            cart: { type: 'object', properties: { total: { const: 7 } } },
          },
        },
      },
      '/orders',
    ),
    yaml: `- path: /orders
  response:
    body:
      total: 2
      kind: list
      data: [1, 2]
      meta: { per_page: 2, took: 7 }
      cart: { total: 7 }
`,
  },
  {
    what: 'headers of the response',
    document: operation(
      '/orders/{id}/lines',
      {
        201: {
          headers: {
            Location: { schema: { type: 'string', format: 'uri' } },
            'X-Total': { schema: { type: 'integer', minimum: 3 } },
            ETag: { schema: { type: 'string' } },
          },
        },
      },
      {},
      'post',
    ),
    yaml: `- method: POST
  path: /orders/:id/lines
  response:
    status: 201
    headers: { location: /orders/1/lines/1, x-total: '3' }
`,
  },
  {
    what: 'the place of what was created, by its id',
    document: operation(
      '/orders',
      { 201: { headers: { Location: {} }, ...json({ example: { customerId: 4, order_id: 'a b' } }) } },
      {},
      'post',
    ),
    yaml: `- method: POST
  path: /orders
  response:
    status: 201
    headers: { location: /orders/a%20b }
    body: { customerId: 4, order_id: a b }
`,
  },
  {
    what: 'a list in an envelope that is asked for by offset',
    document: operation(
      '/orders',
      { 200: json({ example: { rows: [{ id: 1 }, { id: 2 }], skip: 20, total: 40 } }) },
      {
        parameters: ['skip', 'take'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
      },
    ),
    yaml: `- path: /orders
  paginate:
    style: offset
    perPage: 2
    parameters: { offset: skip, limit: take }
    envelope:
      data: rows
      offset: skip
      limit: false
      has_more: false
    items: [{ id: 1 }, { id: 2 }]
`,
  },
  {
    what: 'the problem of an error, and an example of events',
    args: ['--errors'],
    document: operation('/orders', {
      200: { content: { 'text/event-stream': { example: 'event: tick\ndata: {"a":1}\n\n' } } },
      404: {
        content: { 'application/problem+json': { schema: { properties: { status: { type: 'integer' } } } } },
      },
    }),
    yaml: `- path: /orders
  response: { stream: [{ event: tick, data: { a: 1 } }] }

- path: /orders
  scenario: '404'
  response:
    status: 404
    headers: { content-type: application/problem+json }
    body: { status: 404 }
`,
  },
  {
    what: 'the length of a list in a header',
    document: operation('/orders', {
      200: {
        headers: { 'X-Total-Count': { schema: { type: 'integer' }, example: 40 } },
        ...json({ example: [1, 2] }),
      },
    }),
    yaml: `- path: /orders
  response: { headers: { x-total-count: '2' }, body: [1, 2] }
`,
  },
  {
    what: 'parameters beside text, twice, and a colon',
    document: operations({
      '/files/{name}.json': { get: { tags: ['a'], responses: { 200: json({ example: 1 }) } } },
      '/jobs/{id}/{id}:cancel': { post: { tags: ['a'], responses: { 204: {} } } },
    }),
    yaml: `- path: /files/:name.json
  response: { body: 1 }

- method: POST
  path: /jobs/:id/:id2%3Acancel
  response: { status: 204 }
`,
  },
  {
    what: 'operations of one path',
    document: operations({
      '/#X-Target=A': {
        post: {
          tags: ['a'],
          parameters: [{ name: 'X-Target', in: 'header' }],
          responses: { 200: json({ example: 1 }) },
        },
      },
      '/a?kind=b&q={q}': { get: { tags: ['a'], responses: { 200: json({ example: 2 }) } } },
    }),
    yaml: `- method: POST
  path: /
  when: { headers: { X-Target: A } }
  response: { body: 1 }

- path: /a
  when: { query: { kind: b } }
  response: { body: 2 }
`,
  },
  {
    what: 'path items in another file',
    document: { openapi: '3.1.0', paths: { $ref: 'paths.json' } },
    files: {
      'paths.json': {
        '/a': { $ref: '#/~1b' },
        '/b': { get: { tags: ['a'], responses: { 200: json({ example: 1 }) } } },
      },
    },
    yaml: `- path: /a
  response: { body: 1 }

- path: /b
  response: { body: 1 }
`,
  },
  {
    what: 'bytes',
    document: operation('/a', {
      200: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
    }),
    yaml: route('/a', '{ headers: { content-type: image/png }, file: a-1.png }'),
  },
  {
    what: 'text, and JSON that is a string',
    document: {
      openapi: '3.0.3',
      paths: {
        '/t': { get: { tags: ['A'], responses: { 200: { content: { 'text/csv': { example: 'a,b' } } } } } },
        '/s': {
          get: { tags: ['A'], responses: { default: json({ schema: { type: 'string', format: 'date' } }) } },
        },
      },
    },
    yaml: `- path: /t
  response: { headers: { content-type: text/csv }, body: 'a,b' }

- path: /s
  response:
    headers: { content-type: application/json }
    body: '"2026-01-01"'
`,
  },
  {
    what: 'a write answers with what it was sent',
    document: operation(
      '/orders/{id}',
      {
        200: json({
          example: { id: 7, name: 'Ada', tags: ['a'], of: { city: 'Oslo', zip: 1 }, 'a.b': 1, made: 'now' },
        }),
      },
      {
        requestBody: json({
          schema: {
            properties: {
              id: { type: 'integer' },
              name: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' } },
              of: { properties: { city: { type: 'string' }, zip: { type: 'string' } } },
              'a.b': { type: 'integer' },
              made: { type: 'string', readOnly: true },
            },
          },
        }),
      },
      'put',
    ),
    yaml: `- method: PUT
  path: /orders/:id
  response:
    body:
      id: { $from: params.id, as: number, else: 7 }
      name: { $from: body.name, else: Ada }
      tags: [a]
      of: { city: { $from: body.of.city, else: Oslo }, zip: 1 }
      a.b: 1
      made: now
`,
  },
  {
    what: 'the example that is of its status',
    document: ok({ examples: { lost: { value: { status: 404 } }, good: { value: { status: 200, id: 1 } } } }),
    yaml: route('/a', '{ body: { status: 200, id: 1 } }'),
  },
  {
    what: 'null, where it is the default of a field that may be null',
    document: ok({
      schema: {
        properties: {
          a: { type: ['string', 'null'], default: null },
          b: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
          c: { type: 'string', default: null },
        },
      },
    }),
    yaml: route('/a', '{ body: { a: null, b: null, c: c } }'),
  },
  {
    what: 'an example that is JSON text, with a schema, in it, and without one',
    document: operations({
      '/t/a': {
        get: {
          responses: {
            200: json({
              example: '{"id":7}',
              schema: { properties: { id: { type: 'integer' } }, type: 'object' },
            }),
          },
        },
      },
      '/t/b': {
        get: {
          responses: { 200: json({ schema: { type: 'array', example: '[8]', items: { type: 'integer' } } }) },
        },
      },
      '/t/c': { get: { responses: { 200: json({ example: '[9]' }) } } },
      '/t/d': { get: { responses: { 200: json({ example: '[9]', schema: { type: 'string' } }) } } },
      '/t/e': { get: { responses: { 200: { content: { 'text/plain': { example: '[9]' } } } } } },
    }),
    yaml: `- path: /t/a
  response: { body: { id: 7 } }

- path: /t/b
  response: { body: [8] }

- path: /t/c
  response: { body: [9] }

- path: /t/d
  response:
    headers: { content-type: application/json }
    body: '"[9]"'

- path: /t/e
  response: { body: '[9]' }
`,
  },
  {
    what: 'a property of which nothing is said',
    document: ok({ schema: { properties: { id: { type: 'integer' }, any: null }, allOf: [null] } }),
    yaml: route('/a', '{ body: { id: 1, any: {} } }'),
  },
  {
    what: 'a value that a list around it allows',
    document: ok({
      schema: {
        properties: {
          kind: { enum: [10, 11], allOf: [{ oneOf: [1, 2, 3, 11, 12].map((one) => ({ const: one })) }] },
          both: { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] },
        },
      },
    }),
    yaml: route('/a', '{ body: { kind: 11, both: b } }'),
  },
  {
    what: 'one of several schemas that are alike, which its discriminator names',
    document: {
      ...ok({
        schema: {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
          discriminator: { propertyName: 'kind', mapping: { cat: 'Cat', dog: '#/components/schemas/Dog' } },
        },
      }),
      components: {
        schemas: Object.fromEntries(
          ['Cat', 'Dog'].map((name) => [name, { properties: { kind: { type: 'string' } } }]),
        ),
      },
    },
    yaml: route('/a', '{ body: { kind: cat } }'),
  },
]

test.for(documents)('$what', async ({ document, args, files = {}, yaml }) => {
  const { root, exitCode, stderr } = await importDocument(document, args, files)
  expect(exitCode, stderr).toBe(0)
  const name = readdirSync(join(root, 'fixtures')).find((one) => one.endsWith('.yaml'))
  expect(read(root, name!)).toBe(yaml)
  const checked = await runIn(root, ['check', '--openapi', 'api.yaml'])
  const warnings = args?.includes('--base') ? '1 warning' : '0 warnings' // the plugin's option says the base
  expect(checked.stdout).toContain(`0 errors, ${warnings}, 0 notes`)
})

test.each<[server: string, args: string[], path: string]>([
  ['https://x.example/api', [], '/a'],
  ['/api/', [], '/a'],
  ['/apis', [], '/apis/a'],
  ['', [], '/a'],
  ['/api/v2', ['--base', '/api/v2'], '/a'],
])(
  'the base of the plugin is /api, the server %s, the options %j: the path is %s',
  async (url, args, path) => {
    const document = { ...operation('/a', { 200: json({ example: 1 }) }), ...(url && { servers: [{ url }] }) }
    const config =
      "import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi({ base: '/api/' })] }"
    const { root } = await importDocument(document, args, { 'vite.config.js': config })
    expect(read(root, readdirSync(join(root, 'fixtures'))[0]!)).toContain(`- path: ${path}\n`)
  },
)

test.each<[server: string, args: string[], isSaid: boolean]>([
  ['https://api.example/v1', [], true],
  ['/v1', [], false],
  ['https://api.example/v1', ['--origin', 'http://localhost:5173'], false],
])('says that the first server, %s, counts as the application %j: %j', async (url, args, isSaid) => {
  const document = { ...ok({ example: 1 }), servers: [{ url }] }
  const { stderr } = await importDocument(document, args)
  const said = "The first server, https://api.example, counts as the application's own origin"
  expect(stderr.includes(said)).toBe(isSaid)
})

const id = { schema: { $ref: '#/components/schemas/Order' } }
const orders = json({ schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } })

/** List, get and create, with other operations. */
const shop = (list: object, item: object, at = '/orders', param = '{orderId}') => {
  const { components } = operation(at, {})
  const post = { responses: { 201: json(id) } }
  return {
    openapi: '3.0.3',
    components,
    paths: {
      [at]: { get: { responses: { 200: orders }, ...list }, post },
      [`${at}/${param}`]: { get: { responses: { 200: json(id) } }, ...item },
    },
  }
}
const twoOrders = '[{ id: 1, state: open }, { id: 2, state: sold }]'

test.for([
  {
    what: 'operations that a collection has',
    document: shop({}, { delete: { responses: { 204: {} } } }),
    yaml: `- path: /orders
  collection:
    items: ${twoOrders}
    only: [list, get, create, delete]
`,
    left: '',
  },
  {
    what: 'all operations, pages, and what the document says otherwise',
    document: shop(
      { parameters: [{ name: 'page', in: 'query' }] },
      { put: { responses: { 204: {} } }, patch: { responses: { 200: json(id) } }, delete: { responses: { 200: json(id) } } },
    ),
    yaml: `- path: /orders
  paginate: { style: link, perPage: 2 }
  collection:
    items: ${twoOrders}
    returnDeleted: true
`,
    left: 'the status 204: a collection answers 200 (PUT /orders/{orderId})',
  },
  {
    what: 'errors, which stand in front',
    document: shop({ responses: { 200: orders, 503: json({ example: 1 }) } }, {}),
    args: ['--errors'],
    yaml: `- path: /orders
  collection:
    items: ${twoOrders}
    only: [list, get, create]

- path: /orders
  scenario: '503'
  response: { status: 503, body: 1 }
`,
    left: '',
  },
  {
    what: 'an operation that answers something else',
    document: shop({}, { patch: { responses: { 202: json({ example: { job: 7 } }) } } }),
    yaml: `- path: /orders
  collection:
    items: ${twoOrders}
    only: [list, get, create]

- method: PATCH
  path: /orders/:orderId
  response: { status: 202, body: { job: 7 } }
`,
    left: '',
  },
])('a collection: $what', async ({ document, yaml, left, args = [] }) => {
  const { root, exitCode, stderr } = await importDocument(document, ['--collections', ...args])
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(left)])
  expect(read(root, 'orders.yaml')).toBe(yaml)
  const checked = await runIn(root, ['check', '--openapi', 'api.yaml'])
  expect(checked.stdout).toContain('0 errors, 0 warnings')
}) // prettier-ignore

test('two collections with the same last part, and ids of another name', async () => {
  const user = (n: number) => ({ example: { name: `u${n}`, n } })
  const users = json({ example: [user(1).example, user(2).example] })
  const of = (at: string) => ({
    [at]: { get: { responses: { 200: users } }, post: { responses: { 201: json(user(3)) } } },
    [`${at}/{name}`]: { get: { responses: { 200: json(user(1)) } } },
  })
  const { root, exitCode } = await importDocument(operations({ ...of('/a/users'), ...of('/b/users') }), ['--collections'])
  expect(exitCode).toBe(0)
  expect(read(root, 'a.yaml')).toContain('id: name\n')
  expect([read(root, 'a.yaml').includes('collection:\n    name:'), read(root, 'b.yaml').includes('name: b-users')]).toEqual([false, true])
}) // prettier-ignore

test.for<[what: string, document: object, why?: string]>([
  ['a list in an envelope', shop({ responses: { 200: json({ example: { data: [{ id: 1 }] } }) } }, {}), 'a collection: its list is in an envelope, and has no pages (GET /orders)'],
  ['no creation', { ...shop({}, {}), paths: { ...shop({}, {}).paths, '/orders': { get: { responses: { 200: orders } } } } }],
  ['no item', { ...shop({}, {}), paths: { '/orders': shop({}, {}).paths['/orders'] } }],
  ['items without ids', shop({ responses: { 200: json({ example: [{ state: 'open' }] }) } }, {})],
  ['items with equal ids', shop({ responses: { 200: json({ example: [{ id: 1 }, { id: 1 }] }) } }, {})],
  ['an item in an envelope', shop({}, { get: { responses: { 200: json({ example: { data: { id: 1 } } }) } } })],
  ['a list that its parent has', shop({}, {}, '/customers/{customerId}/orders')],
  ['a list of the requests', shop({ parameters: [{ name: 'kind', in: 'query', required: true, schema: { enum: ['a'] } }], responses: { 200: json({ example: [] }) } }, {})],
])('no collection: %s', async ([, document, why = '']) => {
  const { root, exitCode, stderr } = await importDocument(document, ['--collections'])
  expect([exitCode, stderr.includes('--collections')]).toEqual([0, false])
  expect(stderr).toContain(why)
  for (const name of readdirSync(join(root, 'fixtures'))) expect(read(root, name)).not.toContain('collection')
}) // prettier-ignore

test.for<[answer: boolean | undefined, args: string[], questions: number, note: boolean, isWritten: boolean]>([
  [undefined, [], 0, true, false],
  [true, [], 1, false, true],
  [false, [], 1, false, false],
  [true, ['--no-collections'], 0, false, false],
])('collections are proposed: someone answers %j, %j', async ([answer, args, questions, note, isWritten]) => {
  const root = folderWith({ 'api.yaml': stringify(shop({}, {})) })
  const ran = await runIn(root, ['import', 'openapi', 'api.yaml', ...args], answer)
  expect(ran.questions.filter((one) => one.includes('/orders'))).toHaveLength(questions)
  expect(ran.stderr.includes('With --collections, requests to /orders find what others have written.')).toBe(note)
  expect(read(root, 'orders.yaml').includes('collection:')).toBe(isWritten)
}) // prettier-ignore

test.for<[what: string, document: object, line: string]>([
  ['a reference that leads nowhere', operation('/b', { 200: { $ref: '#/nowhere' } }), 'an operation: the reference #/nowhere leads nowhere (GET /b)'],
  ['a reference to another machine', operation('/b', { 200: { $ref: 'https://example.com/a.json' } }), 'an operation: the reference https://example.com/a.json leads out of this machine (GET /b)'],
  ['a file that is missing', operation('/b', { 200: { $ref: 'b.json' } }), 'an operation: the reference b.json leads to a file that is missing (GET /b)'],
  ['a file out of the project', operation('/b', { 200: { $ref: '../b.json' } }), 'an operation: the reference ../b.json leads out of the project (GET /b)'],
  ['a hidden file', operation('/b', { 200: { $ref: '.aws/credentials.json' } }), 'an operation: the reference .aws/credentials.json leads to a hidden file (GET /b)'],
  ['a header without a schema', operation('/b', { 200: { headers: { 'X-A': { description: 'a' } } } }), 'response header X-A: it has neither a schema nor an example'],
  ['an operation without an answer', operation('/b', {}), 'an operation: it has no response (GET /b)'],
  ['another error of an operation that always fails', operation('/b', { 404: {}, 500: {} }), 'error responses: they need --errors (GET /b)'],
  ['an image', operation('/b', { 200: { content: { 'image/png': {} } } }), 'a body: it is image/png, of which there is no example (GET /b)'],
  ['another good answer', operation('/b', { 200: {}, 202: {} }), 'the response "202": a route has one answer (GET /b)'],
  ['an answer for several statuses', operation('/b', { 200: {}, '2XX': {} }), 'the response "2XX": it is for several statuses (GET /b)'],
  ['an answer for all other statuses', operation('/b', { 200: {}, 400: {}, '4XX': {}, '5XX': {}, default: {} }), 'the response "default": 4XX is 401 and 5XX is 500, which leaves it no error (GET /b)'],
  ['errors of several statuses, without the option', operation('/b', { 200: {}, default: {} }), 'error responses: they need --errors (GET /b)'],
  ['callbacks', operation('/b', { 200: {} }, { callbacks: { paid: {} } }), 'callbacks: the API sends them (GET /b)'],
  ['another type', operation('/b', { 200: { content: { 'application/json': { example: 1 }, 'text/csv': {} } } }), 'the type text/csv: an answer has one type (GET /b)'],
  ['a pattern of another language', ok({ schema: { type: 'string', pattern: '(?i)a' } }, '/b'), "a pattern: JavaScript can't read it ((?i)a)"],
  ['a pattern that takes years', ok({ schema: { type: 'string', pattern: '^([a-z]+)+\\d$', minLength: 60 } }, '/b'), 'a pattern: it takes too long (^([a-z]+)+\\d$)'],
  ['pages of a list that are asked for by offset', operation('/b', { 200: json({ example: [1] }) }, { parameters: [{ name: 'offset', in: 'query' }] }), 'the parameter "offset": a list has such pages only in an envelope (GET /b)'],
  ['links', operation('/b', { 200: { ...json({ example: {} }), links: { next: {} } } }), 'links: a route has none (GET /b)'],
  ['a long number', ok({ schema: {}, example: { id: 12345678901234567890n } }, '/b'), "a number: JavaScript can't hold it, so that it was rounded (GET /b)"],
  ['a schema that no value fits', ok({ schema: { type: 'integer', minimum: 2, maximum: 1 } }, '/b'), 'a body that fits its schema: # 2 is greater than 1. (GET /b)'],
  ['a list without end', ok({ schema: { type: 'array', minItems: 1e9 } }, '/b'), 'an operation: a value of its schema has more than 50000 parts: give it an example (GET /b)'],
  ['a text without end', ok({ schema: { type: 'string', pattern: '([ab]{200}){100}' } }, '/b'), `an operation: the pattern ([ab]{200}){100} asks for a very long text (GET /b)`],
  ['errors, without the option', operation('/b', { 200: {}, 404: {} }), 'error responses: they need --errors (GET /b)'],
])('%s is named, and the rest is written', async ([, document, line]) => {
  const { paths, ...rest } = document as { paths: object }
  const both = { ...rest, paths: { ...paths, '/a': { get: { responses: { 200: json({ example: 1 }) } } } } }
  const { root, exitCode, stderr } = await importDocument(both)
  expect(stderr.split('\n')).toContain(`  ${line}`)
  expect(exitCode).toBe(0)
  expect(read(root, 'a.yaml')).toBe('- path: /a\n  response: { body: 1 }\n')
}) // prettier-ignore

test.for([
  { what: 'Swagger 1', document: { swagger: '1.2' }, exitCode: 1, message: 'Convert it to Swagger 2.0 or OpenAPI 3' },
  { what: 'something else', document: { a: 1 }, exitCode: 1, message: 'not an OpenAPI document of version 3' },
  { what: 'no paths', document: { openapi: '3.1.0' }, exitCode: 1, message: 'Nothing was found' },
])('$what', async ({ document, exitCode, message }) => {
  const ran = await importDocument(document)
  expect(ran.exitCode).toBe(exitCode)
  expect(ran.stderr).toContain(message)
}) // prettier-ignore
