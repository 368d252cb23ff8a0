/*
 * Kinds of requests as bytes, each with a weight and a check, which returns what is wrong with an answer, or nothing.
 * They are sent on connections that others use too, one after the other or pipelined.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { bodyLimit, library } from './project.mjs'

export function createRandom(seed) {
  let state = seed
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end) => Math.floor(next() * end)
  return { next, below, pick: (list) => list[below(list.length)], chance: (share) => next() < share }
}

export function request(method, path, headers = {}, body) {
  const isLong = body !== undefined && !headers['transfer-encoding']
  const length = isLong ? { 'content-length': Buffer.byteLength(body) } : {}
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(body ?? '')])
}

export const json = { 'content-type': 'application/json' }

export function post(path, value, headers = {}) {
  const body = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)
  return request('POST', path, { ...json, ...headers }, body)
}

function postChunked(path, body, size, headers = {}, trailers = '') {
  const bytes = Buffer.from(body)
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
    const chunk = bytes.subarray(index * size, (index + 1) * size)
    return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
  })
  const head = request('POST', path, { ...json, ...headers, 'transfer-encoding': 'chunked' })
  return Buffer.concat([head, ...parts, Buffer.from(`0\r\n${trailers}\r\n`)])
}

/** Text as it is, everything else as the JSON text that must come. */
export function answers(status, body, headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (answer) => {
    if (answer.status !== status) return `status ${status} expected`
    if (answer.text !== text) return `body ${text.slice(0, 300)} expected`
    const wrong = Object.entries(headers).find(([name, value]) => answer.headers[name] !== value)
    return wrong && `header ${wrong.join(': ')} expected`
  }
}

/** Errors of the package, by their code. */
function refuses(status, code) {
  return (answer) => {
    const { error, errors } = JSON.parse(answer.text)
    const given = (error ?? errors?.[0]?.extensions)?.code
    return answer.status === status && given === code ? undefined : `status ${status}, code ${code} expected`
  }
}

/** Errors of GraphQL, by the beginning of their message. */
function failsWith(message) {
  return ({ status, text }) => {
    const { errors, data } = JSON.parse(text)
    const isRight = status === 200 && data === undefined && errors?.[0]?.message.startsWith(message)
    return isRight ? undefined : `an error "${message}" expected`
  }
}

function holds(isRight) {
  return (answer) => (isRight(answer) ? undefined : `${String(isRight)} expected`)
}

/** @param make returns the bytes, the check, and whether the answer has no body since the request is a HEAD */
function kind(mode, weight, name, make) {
  return { name: `${name} (${mode})`, mode, weight, make }
}

const items = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: `Item ${index + 1}` }))
function isPage(page) {
  const data = items.slice((page - 1) * 3, page * 3)
  return answers(200, { page, per_page: 3, total: 8, total_pages: 3, has_more: page < 3, data })
}

function search(random) {
  const lines = Array.from({ length: 1 + random.below(5) }, () => ({ amount: random.below(9) }))
  return JSON.stringify({
    filter: { state: 'open', page: random.below(1e6) },
    lines: [...lines, { amount: 10 }],
  })
}

const number = (random) => random.below(1e9)
const tenant = { 'x-tenant': 'a' }
const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const bomb = gzipSync(Buffer.alloc(4_194_304, ' '))
const tooLong = ' '.repeat(bodyLimit + 2_000)
const isFound = answers(200, [{ id: 7 }], { 'x-total': '1' })
const isTooLarge = refuses(413, 'request-body-too-large')
const isPassedOn = (method, text) => answers(200, text, { 'x-passed-on': method })
const gzipped = (value) => gzipSync(JSON.stringify(value))

const restKinds = [
  kind('plain', 14, 'page', (random) => {
    const page = 1 + random.below(3)
    return [request('GET', `/items?page=${page}`), isPage(page)]
  }),
  kind('plain', 3, 'no page', (random) => [request('GET', `/items?page=x${number(random)}`), isPage(1)]),
  kind('plain', 1, 'long query', (random) => {
    const text = random.pick(['ab', '%C3%A9', '%20']).repeat(1000 + random.below(900))
    return [request('GET', `/items?q=${text}`), isPage(1)]
  }),
  kind('plain', 2, 'HEAD', () => [request('HEAD', '/items'), answers(200, ''), true]),
  kind('plain', 4, 'parameter', (random) => [
    request('GET', `/orders/${random.below(400)}`),
    answers(200, { id: 7, state: 'open' }),
  ]),

  kind('plain', 8, 'selected', (random) => [post('/orders/search', search(random), tenant), isFound]),
  kind('plain', 3, 'not selected', (random) => [
    post('/orders/search', { n: number(random) }, tenant),
    answers(200, []),
  ]),
  kind('plain', 4, 'encoded', (random) => {
    const encoding = random.pick(Object.keys(encoders))
    const headers = { ...tenant, 'content-encoding': encoding }
    return [post('/orders/search', encoders[encoding](search(random)), headers), isFound]
  }),
  kind('plain', 3, 'in chunks', (random) => [
    postChunked('/orders/search', search(random), 1 + random.below(20), tenant, 'x-trailer: 1\r\n'),
    isFound,
  ]),
  kind('plain', 1, 'bomb', () => [post('/orders/search', bomb, { 'content-encoding': 'gzip' }), isTooLarge]),
  kind('plain', 1, 'broken encoding', (random) => [
    post('/orders/search', `no gzip ${number(random)}`, { 'content-encoding': 'gzip' }),
    refuses(400, 'request-encoding-corrupt'),
  ]),
  kind('plain', 1, 'unknown encoding', (random) => [
    post('/orders/search', '{}', { 'content-encoding': `x-${number(random)}` }),
    refuses(415, 'request-encoding-unknown'),
  ]),
  kind('plain', 3, 'malformed', (random) => [
    post('/orders/search', `{"n": ${number(random)}`),
    refuses(400, 'request-body-malformed'),
  ]),
  kind('plain', 1, 'too long', () => [post('/orders/search', tooLong), isTooLarge]),
  kind('plain', 1, 'too long in chunks', () => [postChunked('/orders/search', tooLong, 16_000), isTooLarge]),
  kind('plain', 4, 'unmatched', (random) => [
    post('/only', { a: 2 + number(random) }),
    refuses(404, 'route-unmatched'),
  ]),

  kind('plain', 6, 'not ours', (random) => {
    const body = `not ours ${number(random)} é`
    return [request('PUT', `/echo/${number(random)}`, {}, body), isPassedOn('PUT', body)]
  }),
  kind('plain', 2, 'not ours, in chunks', () => [
    postChunked('/echo', tooLong, 9_000),
    isPassedOn('POST', tooLong),
  ]),
  kind('plain', 3, 'nearly ours', (random) => [
    request('GET', `/itemz?n=${number(random)}`),
    isPassedOn('GET', ''),
  ]),
  kind('still', 4, 'passed on', (random) => {
    const body = JSON.stringify({ a: 2 + number(random), filler: 'x'.repeat(random.below(9_000)) })
    return [post('/only', body), isPassedOn('POST', body)]
  }),
  kind('still', 1, 'passed on malformed', (random) => {
    const body = `{"a": ${number(random)}`
    return [post('/only', body), isPassedOn('POST', body)]
  }),
  kind('still', 1, 'passed on too long', () => [post('/only', tooLong), isPassedOn('POST', tooLong)]),
  kind('still', 1, 'passed on encoded', (random) => {
    const body = gzipped({ a: 2 + number(random) })
    return [post('/only', body, { 'content-encoding': 'gzip' }), isPassedOn('POST', body.toString())]
  }),
  kind('still', 2, 'answered', () => [post('/only', { a: 1 }), answers(201, { created: true })]),
]

const functionFailed = refuses(500, 'function-failed')
const timedOut = refuses(504, 'function-timeout')
const get = (name, weight, path, check) =>
  kind('plain', weight, name, (random) => [request('GET', `${path}?n=${number(random)}`), check])

const functionKinds = [
  get('delay in a range', 2, '/slow/range', answers(200, 'slow')),
  get('rate limit', 3, '/limited', (answer) =>
    (answer.status === 200 ? answers(200, 'within the limit') : refuses(429, 'rate-limited'))(answer),
  ),
  kind('plain', 4, 'function', (random) => {
    const [a, b] = [number(random), number(random)]
    return [request('GET', `/functions/sum?a=${a}&b=${b}`), answers(200, { sum: a + b })]
  }),
  kind('plain', 3, 'function that waits', (random) => {
    const a = String(number(random))
    return [request('GET', `/functions/waits?a=${a}`), answers(202, { waited: a })]
  }),
  kind('plain', 2, 'function that changes the request', (random) => {
    const body = { n: number(random), list: [1, { two: 2 }] }
    return [post('/functions/echo', body), answers(200, body)]
  }),
  ...['throws', 'rejects', 'predicate', 'circle', 'promises'].map((name) =>
    get(`function: ${name}`, 1, `/functions/${name}`, functionFailed),
  ),
  get('function that never settles', 0.5, '/functions/never', timedOut),
  get('function that rejects too late', 0.5, '/functions/late', timedOut),
]

const graphql = (payload) => post('/graphql', payload)
const friends = ['Luke Skywalker', 'Han Solo', 'Leia Organa'].map((name, index) => {
  return { id: ['1000', '1002', '1003'][index], name }
})
const hero = { data: { hero: { name: 'R2-D2', heroFriends: friends } } }

function failureAt(line, column) {
  const message = 'Name for character with ID 1002 could not be fetched.'
  const heroFriends = friends.map((friend) => (friend.id === '1002' ? { ...friend, name: null } : friend))
  const errors = [{ message, locations: [{ line, column }], path: ['hero', 'heroFriends', 1, 'name'] }]
  return { errors, data: { hero: { name: 'R2-D2', heroFriends } } }
}

/** The operation that fails, with its field somewhere else each time. */
function failing(random) {
  const [lines, spaces] = [random.below(99), random.below(99)]
  const before = `query FailingQuery { hero {${'\n'.repeat(lines)}${' '.repeat(spaces)}heroFriends { id `
  const column = before.length - before.lastIndexOf('\n')
  return { query: `${before}name } } }`, answer: failureAt(lines + 1, column) }
}

/** A document that was never sent before, with the data that it gets. */
function selection(random) {
  const [name, owner, title] = ['n', 'o', 't'].map((letter) => letter + number(random))
  const isShown = random.chance(0.5)
  const { born, name: ownerName } = library.owner
  return {
    query: `query Q${number(random)}($shown: Boolean!) {
      library { ${name}: name city @include(if: $shown) ${owner}: owner { ...P }
        books { ${title}: title ... on Book { pages } } }
    } fragment P on Person { born name }`,
    variables: { shown: isShown },
    data: {
      library: {
        [name]: library.name,
        ...(isShown && { city: library.city }),
        [owner]: { born, name: ownerName },
        books: library.books.map((book) => ({ [title]: book.title, pages: book.pages })),
      },
    },
  }
}

function selected(random) {
  const { data, ...payload } = selection(random)
  return [graphql(payload), answers(200, { data })]
}

function batch(random) {
  const operations = Array.from({ length: 1 + random.below(4) }, () => selection(random))
  const payload = operations.map(({ query, variables }) => ({ query, variables }))
  const expected = operations.map(({ data }) => ({ data }))
  return [graphql(payload), answers(200, expected)]
}

const upload = [
  ['operations', '{"operationName":"FailingQuery","variables":{"file":null}}'],
  ['map', '{"0":["variables.file"]}'],
  ['0"; filename="a.txt', 'x'.repeat(20_000)],
].map(([name, text]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)

/** What a field is filled with is the same for as long as the run lasts. */
let filled
function isFilledTheSame({ status, text }) {
  filled ??= text
  return status === 200 && !JSON.parse(text).errors && text === filled ? undefined : `${filled} expected`
}

/** @param variants where nothing is ever reloaded: so many different ones, which all fit into what is kept */
function ofSchema(weight, name, make, variants = 15) {
  const few = (random) => make(createRandom(random.below(variants)))
  return ['schema', 'still'].map((mode) => kind(mode, weight, name, mode === 'still' ? few : make))
}

const graphqlKinds = [
  kind('plain', 5, 'any query', (random) => [
    graphql({ query: `query Q${number(random)} { hero { name } }` }),
    answers(200, hero),
  ]),
  kind('plain', 10, 'located', (random) => {
    const { query, answer } = failing(random)
    return [graphql({ query }), answers(200, answer)]
  }),
  kind('plain', 3, 'batch, located', (random) => {
    const { query, answer } = failing(random)
    return [graphql([{ query }, {}, { operationName: 'Other' }]), answers(200, [answer, hero, hero])]
  }),
  kind('plain', 1, 'upload', () => [
    post('/graphql', `${upload.join('')}--b--\r\n`, { 'content-type': 'multipart/form-data; boundary=b' }),
    answers(200, failureAt(1, 1)),
  ]),
  kind('plain', 1, 'too deep', (random) => [
    graphql({ query: `{${`t${number(random)} {`.repeat(200)}` }),
    failsWith('The document nests deeper than'),
  ]),
  kind('plain', 1, 'subscription', (random) => [
    graphql({ query: `subscription { t${number(random)} }` }),
    failsWith('Subscriptions are not served here'),
  ]),

  kind('shape', 10, 'selection', selected),
  kind('shape', 3, 'batch', batch),
  kind('shape', 3, 'missing field', (random) => {
    const name = `t${number(random)}`
    const data = { library: { name: library.name, [name]: null } }
    return [graphql({ query: `{ library { name ${name} } }` }), answers(200, { data })]
  }),
  kind('shape', 2, 'mutation', (random) => [
    graphql({
      query: `mutation Rename { t${number(random)}: rename(id: "b1") { id } }`,
      variables: { id: 'b1' },
    }),
    holds(({ text }) => JSON.parse(text).errors[0].message === 'It is taken.'),
  ]),
  kind('shape', 2, 'persisted', () => [
    graphql({ extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }),
    answers(200, { data: { library: { name: 'persisted' } } }),
  ]),

  ...ofSchema(8, 'selection', selected, 80),
  ...ofSchema(2, 'batch', batch, 20),
  ...ofSchema(3, 'filled in', () => [
    graphql({ query: '{ library { phone books { isbn author { mood } } } }' }),
    isFilledTheSame,
  ]),
  ...ofSchema(2, 'unknown field', (random) => {
    const name = `t${number(random)}`
    return [graphql({ query: `{ ${name} }` }), failsWith(`Cannot query field "${name}"`)]
  }),
  ...ofSchema(2, 'wrong variable', (random) => [
    graphql({ query: 'query ($t: String) { find(text: $t) { id } }', variables: { t: number(random) } }),
    failsWith('Variable "$t" got invalid value'),
  ]),
  ...ofSchema(2, 'syntax error', (random) => [
    graphql({ query: `{ t${number(random)} ` }),
    failsWith('Syntax Error'),
  ]),
  ...ofSchema(2, 'introspection', (random) => {
    const key = `t${number(random)}`
    const data = { [key]: { enumValues: [{ name: 'GOOD' }, { name: 'BAD' }] } }
    return [
      graphql({ query: `{ ${key}: __type(name: "Mood") { enumValues { name } } }` }),
      answers(200, { data }),
    ]
  }),
  ...ofSchema(1, 'mutation by GET', () => [
    request('GET', `/graphql?query=${encodeURIComponent('mutation { rename(id: 1) { id } }')}`),
    holds(({ status, headers }) => status === 405 && headers.allow === 'POST'),
  ]),
  kind('schema', 1, 'not acceptable', () => [
    post('/graphql', '{"query":"{ __typename }"}', { accept: 'image/png' }),
    holds(({ status }) => status === 406),
  ]),
]

/** What is kept of these has to be thrown away again: documents, and answers with much to remember them by. */
export const floodKinds = [
  kind('still', 1, 'flood of documents', selected),
  kind('still', 1, 'flood of variables', (random) => [
    graphql({
      query: 'query ($t: String) { library { shelf(of: $t) } }',
      variables: { t: `t${number(random)}`.padEnd(16_000, 'x') },
    }),
    holds(({ text }) => Number.isInteger(JSON.parse(text).data.library.shelf)),
  ]),
]

const hostKinds = {
  node: [
    kind('plain', 2, 'page of another site', (random) => [
      request('GET', '/items', { origin: `http://site${number(random)}.example` }),
      refuses(403, 'origin-refused'),
    ]),
    kind('plain', 1, 'preflight', () => {
      const origin = 'http://localhost:8080'
      const headers = { origin, 'access-control-request-method': 'POST' }
      const allowed = { 'access-control-allow-origin': origin }
      return [request('OPTIONS', '/orders/search', headers), answers(204, '', allowed)]
    }),
  ],
  vite: [
    kind('plain', 2, 'module of Vite', () => [
      request('GET', '/main.js'),
      holds(({ text }) => text.startsWith('document.title = "soaked"')),
    ]),
    kind('plain', 1, 'page of Vite', () => [
      request('GET', '/', { accept: 'text/html' }),
      holds(({ text }) => text.includes('<title>soak</title>')),
    ]),
  ],
}

export function answeredKinds(host) {
  return [...restKinds, ...functionKinds, ...graphqlKinds, ...hostKinds[host]]
}

/**
 * What the package keeps within bounds, such as the texts that it has warned of, must not look like growth: so many
 * requests of these fill it.
 */
export function fillings(kinds) {
  const fill = (count, isMeant) => ({ count, kinds: kinds.filter(isMeant) })
  return [
    ...['no page (plain)', 'nearly ours (plain)', 'missing field (shape)', 'unknown field (schema)'].map(
      (name) => fill(1_040, (kind) => kind.name === name),
    ),
    fill(2_400, ({ mode, make }) => mode === 'still' && make),
  ]
}
