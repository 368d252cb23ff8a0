/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument -- rows change JSON whose keys they know */
import { chmodSync, linkSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diffText } from '../../../src/files/diff-text.ts'
import type { AgainstOptions } from '../../../src/cli/check/check-against.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'
import { runIn } from '../../cli/test-terminal.ts'
import { projectOfTest } from '../../hosts/of-test.ts'
import { checkIn } from './check-in.ts'
import { createShop, serveShop, shopFixtures, type Shop, type ShopAnswer } from './shop.ts'

async function compare(shop: Shop, files = shopFixtures, given: Partial<AgainstOptions> = {}) {
  const { origin, asked } = await serveShop(shop)
  const { root } = projectOfTest(files)
  return { root, ...(await compareIn(root, origin, asked, given)) }
}

/** What differs from the saved shapes of a backend; its requests have no values. */
async function compareSaved(root: string) {
  const { findings } = await checkIn(root, 'shapes.json')
  return findings
    .map((one) => ({ ...one, sent: undefined }))
    .filter(({ code }) => code !== 'against-word')
    .sort(byPlace)
}

const byPlace = (a: { message: string; line?: number }, b: typeof a) =>
  a.message < b.message ? -1 : a.message > b.message ? 1 : (a.line ?? 0) - (b.line ?? 0)

async function compareIn(
  root: string,
  origin: string,
  asked: string[],
  given: Partial<AgainstOptions>,
  more: Partial<Terminal> = {},
) {
  const { findings, summary } = await checkIn(root, origin, given, more)
  const shown = findings.map(
    ({ severity, file, line, code, message, sent }) =>
      `${severity} ${file}:${line} ${code} ${message} (${sent})`,
  )
  return { findings, found: shown.sort(), summary: summary.join('; ').replaceAll(origin, 'ORIGIN'), asked }
}

type Changed = (shop: Shop) => void
type Data = any // eslint-disable-line @typescript-eslint/no-explicit-any -- rows change what they know

/** Changes the body of an answer, or the whole answer. */
function change(route: string, changeBody: (body: Data, answer: ShopAnswer) => unknown): Changed {
  return (shop) => {
    const make = shop.routes[route]!
    shop.routes[route] = (asked) => {
      const answer = make(asked)
      const body = changeBody(answer.body, answer)
      return { ...answer, body: body === undefined ? answer.body : body }
    }
  }
}

const all =
  (...changes: Changed[]): Changed =>
  (shop) =>
    changes.forEach((one) => one(shop))
const users = (edit: (user: Data) => void): Changed =>
  all(
    change('GET /users', (body: Data[]) => void body.forEach(edit)),
    change('GET /users/:id', (body) => void (body.error ? 0 : edit(body))),
  )

/** The endpoints that a row changes. */
function endpointsOf(changed: Changed): string[] {
  const shop = createShop()
  const before = { ...shop.routes }
  changed(shop)
  const keys = Object.keys({ ...before, ...shop.routes }).filter((key) => before[key] !== shop.routes[key])
  return keys.length > 0 ? keys : ['GraphQL']
}

/** The fixtures of these endpoints. */
function fixturesOf(endpoints: readonly string[]): Record<string, string> {
  const fileOf = (endpoint: string) =>
    /users|orders/.exec(endpoint)?.[0] ?? (endpoint === 'GraphQL' ? 'hero' : 'products')
  const names = endpoints.map((one) => `fixtures/${fileOf(one)}.`)
  return Object.fromEntries(
    Object.entries(shopFixtures).filter(([path]) => names.some((name) => path.startsWith(name))),
  )
}

/** Rows that change different endpoints are tried together: to compare a whole shop for each takes long. */
function rounds<Row extends readonly [what: string, changed: Changed, ...rest: unknown[]]>(
  rows: readonly Row[],
) {
  const all: { endpoints: string[]; rows: Row[] }[] = []
  for (const row of rows) {
    const endpoints = endpointsOf(row[1])
    const free = all.find((one) => !endpoints.some((endpoint) => one.endpoints.includes(endpoint)))
    if (free) Object.assign(free, { endpoints: [...free.endpoints, ...endpoints], rows: [...free.rows, row] })
    else all.push({ endpoints, rows: [row] })
  }
  return all.map(
    ({ endpoints, rows }) => [rows.map(([what]) => what).join('; '), rows, fixturesOf(endpoints)] as const,
  )
}

it('a backend that fits has no finding', async () => {
  expect(await compare(createShop())).toMatchObject({ found: [], summary: expect.any(String) as string })
})

/** Each is a change of the API that breaks pages: it has to be found, at the line of the fixture. */
const mutations: [what: string, changed: Changed, found: string[]][] = [
  ['a key is gone', users((one) => delete one.email), ['error users.yaml:7 key-gone "email"']],
  ['a key is gone deep inside', users((one) => delete one.address.zip), ['error users.yaml:10 key-gone "address.zip"']],
  ['a key is renamed', users((one) => ((one.address.postalCode = one.address.zip), delete one.address.zip)), ['error users.yaml:10 key-gone "address.zip" → "postalCode"']],
  ['a key is renamed at the top', users((one) => ((one.created_at = one.createdAt), delete one.createdAt)), ['error users.yaml:9 key-gone "createdAt" → "created_at"']],
  ['a number becomes a text', users((one) => (one.id = String(one.id))), ['error users.yaml:5 type "id"']],
  ['a text becomes a number', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.items = one.items.map((item: Data) => ({ ...item, sku: 7 }))))), ['error orders.yaml:4 type "sku"']],
  ['true becomes 1', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.paid = Number(one.paid)))), ['error orders.yaml:4 type "paid"']],
  ['a text becomes an object', users((one) => (one.name = { first: 'A', last: 'B' })), ['error users.yaml:6 type "name"']],
  ['a list becomes an object', change('GET /settings', (body) => void (body.features = { a: 1 })), ['error products.json type "features"']],
  ['null where no fixture has null', users((one) => (one.avatarUrl = null)), ['error users.yaml:12 null "avatarUrl"']],
  ['a date becomes a time', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.placedOn += 'T10:00:00Z'))), ['error orders.yaml:4 format "placedOn"']],
  ['a time becomes seconds', users((one) => (one.createdAt = 1767348000)), ['error users.yaml:9 type "createdAt"']],
  ['a time as people write it', users((one) => (one.createdAt = '02.01.2026 10:00')), ['error users.yaml:9 format "createdAt"']],
  ['an address becomes a path', users((one) => (one.avatarUrl = '/img/1.png')), ['error users.yaml:12 format "avatarUrl"']],
  ['a UUID becomes another id', change('GET /search', (body) => void (body.hits[0].id = 'hit_1')), ['error products.json format "id"']],
  ['an e-mail address becomes a name', users((one) => (one.email = 'ada')), ['error users.yaml:7 format "email"']],
  ['a list gets an envelope', change('GET /orders', (body) => ({ data: body, total: 3 })), ['error orders.yaml:3 type ""']],
  ['an envelope is gone', change('GET /products', (body) => body.data), ['error products.json type ""']],
  ['a key of the pages is renamed', change('GET /products', (body) => ((body.hasMore = body.has_more), void delete body.has_more)), ['error products.json key-gone "has_more" → "hasMore"']],
  ['a key of the items of pages is gone', change('GET /products', (body) => body.data.forEach((one: Data) => delete one.price)), ['error products.json key-gone "price"']],
  ['the status is another', change('GET /settings', (_, answer) => void (answer.status = 202)), ['error products.json status']],
  ['an error where an answer was', change('GET /settings', (_, answer) => ((answer.status = 500), { error: 'x' })), ['error products.json status']],
  ['the endpoint is gone', (shop) => delete shop.routes['GET /settings'], ['error products.json endpoint-gone']],
  ['the endpoint with a parameter is gone', (shop) => delete shop.routes['GET /users/:id'], ['error users.yaml:22 endpoint-gone']],
  ['the method is gone', change('GET /stock', (_, answer) => ((answer.status = 405), (answer.headers['allow'] = 'POST'), { error: 'x' })), ['error products.json endpoint-gone']],
  ['a redirect', change('GET /events', (_, answer) => ((answer.status = 301), (answer.headers['location'] = '/v2/events'), {})), ['error products.json status']],
  ['the content type is another', change('GET /settings', (_, answer) => ((answer.headers['content-type'] = 'application/xml'), '<a/>')), ['error products.json content-type']],
  ['a page in place of JSON', change('GET /settings', (_, answer) => ((answer.headers['content-type'] = 'text/html'), '<p>')), ['error products.json content-type']],
  ['a header is gone', change('GET /users', (_, answer) => void delete answer.headers['x-total-count']), ['error users.yaml:3 header-gone']],
  [
    'a parameter is ignored',
    change(
      'GET /orders',
      (_, answer) =>
        void (answer.body = structuredClone(
          createShop().routes['GET /orders']!({
            params: [],
            query: new URLSearchParams(),
            req: undefined as never,
          }).body,
        )),
    ),
    ['error orders.yaml:8 parameter-ignored'],
  ],
  [
    'the parameter of the page is renamed',
    (shop) => {
      const make = shop.routes['GET /products']!
      shop.routes['GET /products'] = (asked) => make({ ...asked, query: new URLSearchParams({ page: asked.query.get('p') ?? '1' }) })
    },
    ['error products.json parameter-ignored'],
  ],
  ['sign-in is needed', change('GET /orders', (_, answer) => ((answer.status = 401), { error: 'x' })), ['error orders.yaml:3 status']],
  ['a new word of an enum', change('GET /orders', (body: Data[]) => void (body.at(-1).status = 'refunded')), ['note orders.yaml:4 word "status"']],
  ['a new member of a union', change('GET /payments', (body: Data[]) => void body.push({ type: 'cash', till: 3 })), ['note products.json member "type"']],
  ['a key of one member is gone', change('GET /payments', (body: Data[]) => void delete body[0].last4), ['error products.json key-gone "last4"']],
  ['a key of the records of a map', change('GET /stock', (body) => Object.values(body).forEach((one: Data) => (one.left = String(one.left)))), ['error products.json type "left"']],
  ['a key is new', change('GET /settings', (body) => void (body.locale = 'de')), ['note products.json key-new "locale"']],
  ['a key that not every fixture has is gone', change('GET /orders', (body: Data[]) => body.forEach((one) => delete one.coupon)), ['note orders.yaml:4 key-gone "coupon"']],
  ['the errors have another format', change('GET /users/:id', (body) => (body.error ? { code: 'not_found', message: 'No' } : undefined)), ['error users.yaml:35 key-gone "error"']],
  ['a field of the schema is gone', (shop) => void (shop.schema = shop.schema.replace('height: Float ', '')), ['error hero.yaml:1 operation-refused']],
  [
    'an operation has errors',
    (shop) =>
      void (shop.root['hero'] = {
        name: 'R2-D2',
        height: () => {
          throw new Error('x')
        },
        friends: [],
      }),
    ['error hero.yaml:1 graphql-error'],
  ],
  ['a field is null in the data', (shop) => void (shop.root['hero'] = { name: 'R2-D2', height: null, friends: [{ name: 'L', height: null }] }), ['error hero.yaml:3 null "data.hero.height"']],
] // prettier-ignore

it.each(rounds(mutations))('found: %s', async (_, rows, fixtures) => {
  const shop = createShop()
  for (const [, changed] of rows) changed(shop)
  const { root, findings, found } = await compare(shop, fixtures, { save: 'shapes.json' })
  const short = found.map((line) => {
    const [, severity, file, line_, code, message] =
      /^(\w+) fixtures\/([\w.]+):(\d+|undefined) against-([\w-]+) (.*) \(/s.exec(line)!
    const [key, other] = [...message!.matchAll(/"([^"]*)"/g)].map(([text]) => text)
    const place = file!.endsWith('.json') ? file : `${file}:${line_}`
    const isKey = /key|type|null|format|word|member/.test(code!) && !code!.startsWith('content')
    const name = !isKey
      ? ''
      : ` ${message!.startsWith('The body') ? '""' : key}${code === 'key-gone' && other ? ` → ${other}` : ''}`
    return `${severity} ${place} ${code}${name}`
  })
  expect(short.sort()).toEqual(rows.flatMap(([, , wanted]) => wanted).sort())
  const told = findings.filter(({ code }) => code !== 'against-word') // words are kept only where some repeat
  expect(await compareSaved(root)).toEqual(told.map((one) => ({ ...one, sent: undefined })).sort(byPlace))
})

/** Another state of the same API: none of them is an error. A note may say what no fixture has. */
const harmless: [what: string, changed: Changed][] = [
  [
    'other people',
    users((one) =>
      Object.assign(one, {
        name: 'Ōkami 大',
        email: 'x@y.example',
        address: { city: '東京', zip: '100-0001' },
      }),
    ),
  ],
  ['ids of another size', change('GET /payments', (body: Data[]) => body.forEach((one) => (one.id += 9_000_000_000)))],
  ['ids that are words', change('GET /orders', (body: Data[]) => body.forEach((one, index) => (one.id = `order-${'abc'[index]}`)))],
  ['longer texts', users((one) => (one.name = 'A'.repeat(5000)))],
  ['empty texts', users((one) => (one.name = ''))],
  ['another time zone', users((one) => (one.createdAt = '2026-01-02T10:00:00.123456+05:30'))],
  ['null where a fixture has null', users((one) => (one.nickname = null))],
  ['no null where a fixture has null', users((one) => (one.nickname = 'Nick'))],
  ['an optional key everywhere', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.coupon = 'A B')))],
  ['an integer for a fraction', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.total = 3)))],
  ['a fraction for an integer', change('GET /products', (body) => body.data.forEach((one: Data) => (one.price = 3.25)))],
  ['negative, large and small numbers', change('GET /products', (body) => body.data.forEach((one: Data) => (one.price = -1e21)))],
  ['a postal code with letters', users((one) => (one.address.zip = 'SW1A 1AA'))],
  ['digits in place of letters', change('GET /orders', (body: Data[]) => body.forEach((one) => one.items.forEach((item: Data) => (item.sku = '12345'))))],
  ['an empty list', change('GET /orders', () => [])],
  ['empty lists in items', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.items = [])))],
  ['one item', change('GET /users', (body: Data[]) => body.slice(0, 1))],
  ['two thousand items', change('GET /users', (body: Data[]) => Array.from({ length: 2000 }, () => body[0] as unknown))],
  ['items in another order', change('GET /users', (body: Data[]) => body.toReversed() as unknown)],
  ['keys in another order', change('GET /settings', (body) => Object.fromEntries(Object.entries(body as object).toReversed()))],
  ['a map with more keys', change('GET /stock', (body) => void (body['C-3'] = { left: 1, shelf: 'x y' }))],
  ['a map with fewer keys', change('GET /stock', () => ({ 'Q-7': { left: 1, shelf: 'x y' } }))],
  ['a map with optional keys', change('GET /stock', (body) => void (body['A-1'].note = 'new'))],
  ['a map that is empty', change('GET /stock', () => ({}))],
  ['other languages', change('GET /translations', () => ({ 'pt-BR': { yes: 'sim' }, ja: { yes: 'はい' } }))],
  ['members of a union in another order', change('GET /payments', (body: Data[]) => body.toReversed() as unknown)],
  ['only one member of a union', change('GET /payments', (body: Data[]) => body.slice(1))],
  ['members with optional keys', change('GET /events', (body: Data[]) => body.slice(0, 1))],
  ['only some words of an enum', change('GET /orders', (body: Data[]) => body.forEach((one) => (one.status = 'open')))],
  ['a text that looks like a date', users((one) => (one.name = '2026-01-01'))],
  ['a number that looks like a year', change('GET /settings', (body) => void (body.limits.uploads = 2026))],
  [
    'other headers',
    change(
      'GET /users',
      (_, answer) =>
        void Object.assign(answer.headers, {
          etag: '"1"',
          'x-request-id': '7',
          'cache-control': 'no-store',
          vary: 'accept',
        }),
    ),
  ],
  ['a content type with a charset', change('GET /settings', (_, answer) => void (answer.headers['content-type'] = 'application/json; charset=utf-8'))],
  ['a value of the request', change('GET /search', (body) => void (body.query = 5))],
  ['a new key', users((one) => (one.pronouns = 'they'))],
  ['a new key of the envelope', change('GET /products', (body) => void (body.links = { next: '/x' }))],
  ['another text of an error', change('GET /users/:id', (body) => (body.error ? { error: { code: 'gone', message: 'Away' } } : undefined))],
  ['an endpoint that no fixture has', (shop) => void (shop.routes['GET /new'] = () => ({ status: 200, headers: {}, body: [] }))],
  [
    'the beginning is slow and busy',
    (shop) => {
      const make = shop.routes['GET /users']!
      let count = 0
      shop.routes['GET /users'] = (asked) => (count++ === 0 ? { status: 429, headers: { 'retry-after': '0' }, body: { error: 'x' } } : make(asked))
    },
  ],
  ['other data of GraphQL', (shop) => void (shop.root['hero'] = { name: 'Ō', height: 3, friends: [] })],
] // prettier-ignore

async function expectNoError(shop: Shop, files: Record<string, string>) {
  const { root, found } = await compare(shop, files, { save: 'shapes.json' })
  expect(found.filter((line) => !line.startsWith('note'))).toEqual([])
  expect((await compareSaved(root)).filter(({ severity }) => severity !== 'note')).toEqual([])
}

it.each(rounds(harmless))('no error: %s', async (_, rows, fixtures) => {
  const shop = createShop()
  for (const [, changed] of rows) changed(shop)
  await expectNoError(shop, fixtures)
})

it('no error: a recorded id that is gone', () =>
  expectNoError(createShop(), {
    'fixtures/users.yaml': shopFixtures['fixtures/users.yaml']!.replace(
      '- path: /users/:id\n  response:\n    body:\n      id: 10',
      "- path: /users/:id\n  when: { params: { id: '10' } }\n  response:\n    body:\n      id: 10",
    ),
  }))

const isNew = (key: string, value: unknown): Changed =>
  change('GET /settings', (body) => void (body[key] = value))
const nameOf = (row: (typeof mutations)[number]) => row[0]
const changedBy = (what: string): Changed => mutations.find((row) => nameOf(row) === what)![1]

/** Each is written into fixtures, at every place and nowhere else. Afterwards, it is no finding any more. */
const written: [
  what: string,
  changed: Changed,
  lines: (string | RegExp)[],
  files?: Record<string, string>,
][] = [
  [
    'a key that is gone',
    changedBy('a key is gone'),
    [
      '-        email: tim@a.example',
      '-        email: eva@a.example',
      /^-.*name: Kim Ho, email: kim@a.example, role/,
      /^\+.*name: Kim Ho, role/,
      '-      email: tim@a.example',
    ],
  ],
  [
    'a key that is gone deep inside',
    changedBy('a key is gone deep inside'),
    [
      "-        address: { city: Bern, zip: '3000' }",
      '+        address: { city: Bern }',
      "-        address: { city: Rom, zip: '00100' }",
      '+        address: { city: Rom }',
      /^-.*{ city: Oslo, zip: '0150' }/,
      /^\+.*{ city: Oslo }/,
      "-      address: { city: Bern, zip: '3000' }",
      '+      address: { city: Bern }',
    ],
  ],
  [
    'a key with another name',
    changedBy('a key is renamed'),
    [
      "-        address: { city: Bern, zip: '3000' }",
      "+        address: { city: Bern, postalCode: '3000' }",
      "-        address: { city: Rom, zip: '00100' }",
      "+        address: { city: Rom, postalCode: '00100' }",
      /^-.*{ city: Oslo, zip: '0150' }/,
      /^\+.*{ city: Oslo, postalCode: '0150' }/,
      "-      address: { city: Bern, zip: '3000' }",
      "+      address: { city: Bern, postalCode: '3000' }",
    ],
  ],
  [
    'a key of the items of pages',
    changedBy('a key of the items of pages is gone'),
    [0, 1, 2, 3, 4, 5, 6].map((price) => `-          "price": ${price},`),
  ],
  [
    'a key of one member of a union',
    changedBy('a key of one member is gone'),
    ['-          "id": 6,', '-          "last4": "0000"', '+          "id": 6'],
  ],
  [
    'a new key of one member of a union',
    change('GET /payments', (body: Data[]) => void (body[0].expires = '12/30')),
    ['-          "last4": "0000"', '+          "last4": "0000",', '+          "expires": "12/30"'],
  ],
  [
    'a new key',
    isNew('locale', 'de'),
    ['-        "beta": true', '+        "beta": true,', '+        "locale": "de"'],
  ],
  [
    'a new key with a secret',
    isNew('apiKey', 'sk_live_51Hx9QyL2eZvKYlo2C8aB7cD6'),
    ['-        "beta": true', '+        "beta": true,', /^\+ {8}"apiKey": "(?!.*51Hx9QyL2e)/],
  ],
  [
    'a new key whose value has the keys of an operator',
    isNew('pattern', { $from: 'params.id' }),
    ['+        "beta": true,', /pattern/, /literal/, /from/, /^\+ *}/, /^\+ *}/],
  ],
  [
    'a new key with objects and a long list',
    isNew(
      'plans',
      Array.from({ length: 9 }, (_, id) => ({ id })),
    ),
    [
      '-        "beta": true',
      '+        "beta": true,',
      ...[
        '"plans": [',
        ...[0, 1, 2].flatMap((id) => ['  {', `    "id": ${id}`, id < 2 ? '  },' : '  }']),
        ']',
      ].map((line) => `+        ${line}`),
    ],
  ],
  [
    'new keys of all items',
    change('GET /orders', (body: Data[]) => body.forEach((one, index) => (one.code = `c ${index}`))),
    [
      ...['0', '1', '2'].map((index) => new RegExp(`^\\+.*code: c ${index} }$`)),
      /^\+.*id: x-3, .*code: c 0 }$/,
    ],
  ],
  [
    'errors of another format',
    changedBy('the errors have another format'),
    [
      /^-.*body: { error: { code: not_found, message: Nobody has this id } }/,
      '+  response: { status: 404, body: { code: not_found, message: No } }',
    ],
  ],
  [
    'a body in a file of its own',
    isNew('locale', 'de'),
    ['-  "beta": true', '+  "beta": true,', '+  "locale": "de"'],
    {
      'fixtures/settings.yaml': '- path: /settings\n  response: { file: data/settings.json }\n',
      'fixtures/data/settings.json': JSON.stringify(
        { theme: 'a b', limits: { uploads: 1 }, features: ['x y'], beta: true },
        null,
        2,
      ),
    },
  ],
  [
    'items in a file of their own',
    changedBy('a key of the items of pages is gone'),
    [
      '-- { id: 1, title: A b, price: 3, tags: [x] } # the first',
      '+- { id: 1, title: A b, tags: [x] } # the first',
    ],
    {
      'fixtures/products.yaml':
        '- path: /products\n  paginate: { perPage: 3, items: { file: data/products.yaml } }\n',
      'fixtures/data/products.yaml': '- { id: 1, title: A b, price: 3, tags: [x] } # the first\n',
    },
  ],
]

it.each(written)('--update writes %s', async (_, changed, lines, given) => {
  const files = given ?? fixturesOf(endpointsOf(changed))
  const shop = createShop()
  changed(shop)
  const { origin, asked } = await serveShop(shop)
  const { root } = projectOfTest(files)
  const { found, summary } = await compareIn(root, origin, asked, { update: true })
  expect({ found, summary }).toEqual({
    found: [],
    summary: expect.stringContaining('written into') as string,
  })
  const changes = Object.entries(files).flatMap(([file, before]) =>
    diffText(before, readFileSync(join(root, file), 'utf8'))
      .split('\n')
      .filter((line) => /^[+-]/.test(line)),
  )
  const wanted = lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)))
  expect(changes.filter((line) => changes.length === lines.length || line.startsWith('+'))).toEqual(wanted)
  expect((await compareIn(root, origin, asked, {})).found).toEqual([])
})

const settings = { theme: 'a b', limits: { uploads: 1 }, features: ['x y'], beta: true }
const ofSettings = {
  'fixtures/settings.yaml': `- path: /settings\n  response:\n    body: ${JSON.stringify(settings)}\n`,
}
const unwritable: [
  what: string,
  changed: Changed,
  found: string,
  files?: Record<string, string>,
  prepare?: (root: string) => void,
][] = [
  [
    'a read-only file',
    isNew('locale', 'de'),
    'note fixtures/settings.yaml:3 against-key-new',
    ofSettings,
    (root) => chmodSync(join(root, 'fixtures/settings.yaml'), 0o444),
  ],
  [
    'a file with another name',
    isNew('locale', 'de'),
    'note fixtures/settings.yaml:3 against-key-new',
    ofSettings,
    (root) => linkSync(join(root, 'fixtures/settings.yaml'), join(root, 'other')),
  ],
  [
    'the envelope of pages',
    changedBy('a key of the pages is renamed'),
    'error fixtures/products.json:4 against-key-gone',
  ],
  [
    'code',
    isNew('locale', 'de'),
    'note fixtures/settings.ts:1 against-key-new',
    {
      'fixtures/settings.ts': `export default [{ path: '/settings', response: { body: ${JSON.stringify(settings)} } }]`,
    },
  ],
  [
    'an anchor that another endpoint uses',
    isNew('locale', 'de'),
    'note fixtures/settings.yaml:3 against-key-new',
    {
      'fixtures/settings.yaml': `- path: /settings\n  response:\n    body: &same ${JSON.stringify(settings)}\n- method: POST\n  path: /other\n  response: { body: *same }\n`,
    },
  ],
]

it.each(unwritable)(
  '--update leaves %s, and says so',
  async (_, changed, wanted, files = shopFixtures, prepare) => {
    const shop = createShop()
    changed(shop)
    const { origin, asked } = await serveShop(shop)
    const { root } = projectOfTest(files)
    prepare?.(root)
    const { findings } = await compareIn(root, origin, asked, { update: true })
    expect(findings).toMatchObject([{ fix: 'Edit it by hand: --update cannot write it here.' }])
    expect(findings.map(({ severity, file, line, code }) => `${severity} ${file}:${line} ${code}`)).toEqual([
      wanted,
    ])
    for (const [file, before] of Object.entries(files))
      expect(readFileSync(join(root, file), 'utf8')).toBe(before)
  },
)

const long = `${'a'.repeat(230)}.yaml`
it.each<[what: string, file: string, args: string[], reason: string, fix: string]>([
  ['--update, where the system refuses it', long, ['--update'], 'ENAMETOOLONG', 'Check the disk, the folder and its permissions.'],
  ['--save, to a read-only file', 'a.yaml', ['--save', 'shapes.json'], 'it is read-only', 'Change its permissions, so that it may be written.'],
])('%s: the command tells what it has found, and then the reason', async (_, file, args, reason, fix) => {
  const shop = createShop()
  isNew('locale', 'de')(shop)
  const { origin } = await serveShop(shop)
  const { root } = projectOfTest({ [`fixtures/${file}`]: ofSettings['fixtures/settings.yaml'], 'shapes.json': '' })
  chmodSync(join(root, 'shapes.json'), 0o444)
  const { exitCode, stdout, stderr } = await runIn(root, ['check', '--against', origin, ...args])
  expect(stdout).toContain('[against-key-new]')
  expect(stderr).toContain(`can't be written: ${reason}`)
  expect(stderr).toContain(`\n  Fix: ${fix}`)
  expect(exitCode).toBe(1)
}) // prettier-ignore

it.each([true, false])('at a terminal, --update shows the change and asks: %s', async (isWanted) => {
  const shop = createShop()
  isNew('locale', 'de')(shop)
  const { origin, asked } = await serveShop(shop)
  const before =
    '\uFEFF# Ours\r\n- path: /settings\r\n  response:\r\n    body: &a { theme: a b, limits: { uploads: 1 }, features: [x], beta: true } # yes\r\n'
  const { root } = projectOfTest({ 'fixtures/settings.yaml': before })
  const shown: string[] = []
  const note = (text: string) => void shown.push(text)
  const confirm = (question: string) => (shown.push(question), Promise.resolve(isWanted))
  const { found } = await compareIn(
    root,
    origin,
    asked,
    { update: true },
    { isInteractive: true, note, confirm },
  )
  expect(shown).toEqual([
    expect.stringMatching(
      /^fixtures\/settings.yaml\n@@ .*\n -[^\n]*\n   [^\n]*\n-[^\n]*true }.*\n\+.*true, locale: de }/s,
    ),
    'Write this?',
  ])
  expect(found).toHaveLength(isWanted ? 0 : 1)
  const after = isWanted ? before.replace('true }', 'true, locale: de }') : before
  expect(readFileSync(join(root, 'fixtures/settings.yaml'), 'utf8')).toBe(after)
})

it('a default route is asked for with its example, and then with an id of the list', async () => {
  const [before, after] = shopFixtures['fixtures/users.yaml']!.split('- path: /users/:id\n') as [
    string,
    string,
  ]
  const withExample = (id: string) => ({
    'fixtures/users.yaml': `${before}- path: /users/:id\n  example: { params: { id: ${id} } }\n${after}`,
  })
  const asked = async (id: string) =>
    (await compare(createShop(), withExample(id))).asked.filter((one) => one.startsWith('GET /users/'))
  expect(await asked('2')).toEqual(['GET /users/2'])
  expect(await asked('77')).toEqual(['GET /users/77', 'GET /users/1'])
})

const zip = changedBy('a key is gone deep inside')
const accepted: [what: string, entry: string, changed: Changed, found: string[], count: number][] = [
  ['by its name', 'against: key-gone address.zip', zip, [], 1],
  ['by a part of its name', 'against: key-gone address.*', zip, [], 1],
  ['by the code alone', 'against: key-*', all(zip, changedBy('a key is gone')), [], 2],
  ['without a key', 'against: status', changedBy('the status is another'), [], 1],
  ['of one endpoint', 'against: key-gone address.zip, request: GET /users', zip, ['against-key-gone'], 1],
  ['of all endpoints below a path', 'against: key-gone address.zip, request: GET /users*', zip, [], 1],
  ['of another endpoint', 'against: key-gone address.zip, request: GET /stock', zip, ['against-key-gone', 'against-accepted-gone'], 0],
  ['that no longer occurs', 'against: key-gone address.zip', () => {}, ['against-accepted-gone'], 0],
  ['of an endpoint that was not asked', 'against: "null *", request: POST /users', () => {}, [], 0],
  ['of no endpoint', 'against: "null *", request: GET /other', () => {}, ['against-accepted-gone'], 0],
  ['of an operation', 'against: "null *", request: Hero', changedBy('a field is null in the data'), [], 1],
] // prettier-ignore

it.each(accepted)(
  'an accepted difference %s is counted, and is no finding',
  async (_, entry, changed, wanted, count) => {
    const shop = createShop()
    changed(shop)
    const list = `- { kind: connection, verdict: stuck, reason: Of explore }\n- { ${entry}, reason: Known }\n`
    const { findings, summary } = await compare(shop, { ...shopFixtures, 'mock-api-accepted.yaml': list })
    expect(findings.map(({ code }) => code)).toEqual(wanted)
    const unused = findings.find(({ code }) => code === 'against-accepted-gone')
    if (unused) expect(unused).toMatchObject({ severity: 'note', file: 'mock-api-accepted.yaml', line: 2 })
    expect(/(\d) differences? accepted/.exec(summary)?.[1] ?? '0').toBe(String(count))
  },
)

const files = (routes: string, more: Record<string, string> = {}) => ({ 'fixtures/a.yaml': routes, ...more })
const bearer = { header: ['authorization: Bearer x', 'x-tenant: 7'] }
const isSignedIn = (req: { headers: { authorization?: string | undefined } }) =>
  req.headers.authorization !== undefined

it.each<[what: string, answer: Shop['routes'][string], routes: string, found: string[]]>([
  [
    'an answer to everybody that has less',
    ({ req }) => ({ status: 200, headers: {}, body: isSignedIn(req) ? { id: 1, draft: 'a b' } : { id: 1 } }),
    "- { path: /me, response: { body: { id: 1, draft: 'a b' } } }",
    [],
  ],
  [
    'a page for sign-in',
    ({ req }) =>
      isSignedIn(req)
        ? { status: 200, headers: {}, body: { id: 1 } }
        : { status: 302, headers: { location: '/login' }, body: '' },
    '- { path: /me, response: { body: { id: 1 } } }',
    [],
  ],
  [
    '401, and no fixture of it',
    ({ req }) =>
      isSignedIn(req)
        ? { status: 200, headers: {}, body: { id: 1 } }
        : { status: 401, headers: {}, body: {} },
    '- { path: /me, response: { body: { id: 1 } } }',
    ['against-needs-sign-in'],
  ],
  [
    '401, and a fixture of it in a scenario',
    ({ req }) =>
      isSignedIn(req)
        ? { status: 200, headers: {}, body: { id: 1 } }
        : { status: 401, headers: {}, body: {} },
    '- { path: /me, response: { body: { id: 1 } } }\n- { path: /me, scenario: signed-out, response: { status: 401 } }',
    [],
  ],
  [
    'a header that is no secret, which is always sent',
    ({ req }) => ({ status: req.headers['x-tenant'] === '7' ? 200 : 400, headers: {}, body: { id: 1 } }),
    '- { path: /me, response: { body: { id: 1 } } }',
    [],
  ],
])('credentials: %s', async (_, answer, routes, found) => {
  const shop = createShop()
  shop.routes['GET /me'] = answer
  expect((await compare(shop, files(routes), bearer)).findings.map(({ code }) => code)).toEqual(found)
})

it('with --writes, only what a POST has made is deleted', async () => {
  const shop = createShop()
  shop.routes['DELETE /users/:id'] = () => ({ status: 204, headers: {}, body: undefined })
  const of = (made: string) =>
    files(
      `- { path: /users, response: { body: [] } }\n${made}- { method: DELETE, path: /users/:id, response: { status: 204 } }\n`,
    )
  const post = '- { method: POST, path: /users, response: { status: 201, body: { id: 13 } } }\n'
  expect((await compare(shop, of(post), { writes: true })).asked).toEqual([
    'GET /users',
    'POST /users',
    'DELETE /users/4',
  ])
  expect((await compare(shop, of(''), { writes: true })).asked).toEqual(['GET /users'])
})

it.each([
  [
    'the id of a mock',
    'GET /users/:id',
    "- { path: /users/:id, when: { params: { id: '77' } }, response: { body: { id: 77 } } }\n- { path: /users/:id, when: { params: { id: '1' } }, response: { body: { id: 1 } } }",
  ],
  [
    'a query with a variable that nothing names',
    '',
    '- { path: /graphql, when: { operationName: One }, response: { body: { data: { hero: { name: a } } } } }',
  ],
  [
    'a mutation without a document',
    '',
    '- { path: /graphql, when: { operationName: Rename }, response: { body: { data: { rename: { name: a } } } } }',
  ],
])('%s is not compared, and no error', async (_, __, routes) => {
  const document = { 'src/one.graphql': 'query One($id: ID!) { hero(id: $id) { name } }' }
  const health = '\n- { path: /health, response: { status: 204 } }'
  const shop = createShop()
  shop.hidesSchema = true
  const { findings } = await compare(shop, files(routes + health, document))
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

it.each([
  ['nickname: Bobby', { timezone: 'Europe/Vienna' }, 'timezone: Europe/Vienna'],
  ['newsletter: true', { isAdmin: false }, 'isAdmin: false'],
  ["zip: '8010'", { postalCode: '1010' }, "postalCode: '8010'"],
  ['open: true', { isOpen: false }, 'isOpen: true'],
  ['total: 3', { sum: 7 }, 'sum: 3'],
])('--update of a key with another name: %s', async (ours, theirs, after) => {
  const shop = createShop()
  shop.routes['GET /me'] = () => ({ status: 200, headers: {}, body: { id: 1, ...theirs } })
  const routes = `- { path: /me, response: { body: { id: 1, ${ours} } } }`
  const { root } = await compare(shop, files(routes), { update: true })
  expect(readFileSync(join(root, 'fixtures/a.yaml'), 'utf8')).toBe(routes.replace(ours, after))
})

it('a field that the query of the application has is new where the fixture has one that nobody asks for', async () => {
  const hero = `- { path: /graphql, when: { operationName: Hero }, response: { body: { data: { hero: { title: Leia } } } } }`
  const document = { 'src/hero.graphql': 'query Hero { hero { name } }' }
  const { found } = await compare(createShop(), files(hero, document))
  expect(found).toEqual([
    'note fixtures/a.yaml:1 against-key-new "data.hero.name" is new: a text. (POST /graphql)',
  ])
})

it('--update counts a difference apart that it has written into one of two files', async () => {
  const shop = createShop()
  isNew('locale', 'de')(shop)
  const { origin, asked } = await serveShop(shop)
  const named = `- path: /settings\n  when: { query: { theme: dark } }\n  response:\n    body: ${JSON.stringify(settings)}\n`
  const { root } = projectOfTest({ ...ofSettings, 'fixtures/dark.yaml': named })
  chmodSync(join(root, 'fixtures/dark.yaml'), 0o444)
  const { summary } = await compareIn(root, origin, asked, { update: true })
  expect(summary).toContain('0 differences written, and 1 in part, into fixtures/settings.yaml')
})

const renaming = (data: string) => ({
  'fixtures/hero.yaml': `- { path: /orders, response: { body: [] } }
- path: /graphql
  when: { operationName: Rename }
  response: { body: { data: ${data} } }
`,
  'src/rename.graphql': 'mutation Rename { rename(name: "Leia") { name height } }',
})

it.each([
  ['{ rename: { name: Leia, height: 1.5 } }', true, []],
  ['{ rename: { name: Leia, size: 1 } }', true, ['check-missing-field', 'check-unknown-field']],
  ['{ rename: { name: Leia, size: 1 } }', false, []],
])('a mutation is compared with the schema that the backend shows: %s, %s', async (data, shows, wanted) => {
  const shop = createShop()
  shop.hidesSchema = !shows
  const { findings, summary, asked } = await compare(shop, renaming(data))
  expect(findings.map(({ code }) => code).sort()).toEqual(wanted)
  expect(summary.includes('1 route compared with the schema that it shows')).toBe(shows)
  expect(asked.sort()).toEqual(['GET /orders', 'POST /graphql'])
})

it('saved shapes have no value of the backend but formats and words of an enum', async () => {
  const shop = createShop()
  const secret = { 'ada@private.example': 'Secret Person', role: 'password1' }
  shop.routes['GET /settings'] = () => ({ status: 200, headers: { 'x-session': 'hunter2' }, body: secret })
  const { root, summary } = await compare(shop, shopFixtures, { save: 'shapes.json' })
  expect(summary).toContain('shapes saved in shapes.json')
  const saved = readFileSync(join(root, 'shapes.json'), 'utf8')
  expect(saved).toContain('"x-session": ""')
  expect(saved).not.toMatch(/private|Secret|password1|hunter2|ORIGIN/)
})

it.each([
  ['no file', {}, /There is no file .*shapes\.json/],
  [
    'another JSON file',
    { 'shapes.json': '{"shapes":2,"answers":[]}' },
    /shapes\.json has no shapes\. Write it with/,
  ],
  ['broken JSON', { 'shapes.json': '{' }, /has no shapes/],
  [
    'a shape that is none',
    { 'shapes.json': '{"shapes":1,"backend":"x","answers":[{"answer":{"body":7}}]}' },
    /has no/,
  ],
])('--against shapes.json with %s says what is wrong', async (_, files, wanted) => {
  const { root } = projectOfTest({ ...shopFixtures, ...files })
  await expect(checkIn(root, 'shapes.json')).rejects.toThrow(wanted)
})

it.each([
  ["'/api': { target: 'ORIGIN', rewrite: (path) => path.replace(/^\\/api/, '') }", ''],
  ["'/api': { target: 'ORIGIN/', changeOrigin: true, pathRewrite: { '^/api/v1': '' } }", '/v1'],
])('the paths are changed as the proxy changes them: %s', async (proxy, below) => {
  const { origin, asked } = await serveShop(createShop())
  const { root } = projectOfTest({
    'fixtures/stock.yaml': `- { path: /api${below}/health, response: { status: 204 } }`,
    'vite.config.js': `export default { server: { proxy: { ${proxy.replaceAll('ORIGIN', origin)} } } }`,
  })
  for (const against of [true, origin] as const) expect((await checkIn(root, against)).findings).toEqual([])
  expect(asked).toEqual(['GET /health', 'GET /health'])
})

it.each([
  ['no proxy', 'export default {}', /names no backend/],
  [
    'one',
    "export default { server: { proxy: { '/api': 'ORIGIN', '/a': { target: 'ORIGIN/' } } } }",
    undefined,
  ],
  [
    'two',
    "export default { server: { proxy: { '/api': 'http://a.test', '/b': { target: 'ORIGIN' } } } }",
    /proxies to http:\/\/a\.test, /,
  ],
])('--against without an address asks the backend of the proxy: %s', async (_, config, refused) => {
  const { origin } = await serveShop(createShop())
  const { root } = projectOfTest({ ...shopFixtures, 'vite.config.js': config.replaceAll('ORIGIN', origin) })
  const comparing = checkIn(root, true)
  if (refused) await expect(comparing).rejects.toThrow(refused)
  else expect((await comparing).summary.join()).toContain(`compared with ${origin}`)
})
