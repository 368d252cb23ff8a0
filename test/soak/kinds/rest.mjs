/* Requests that are answered, refused or passed on at once: pages, selectors, bodies of all kinds. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { bodyLimit } from '../project.mjs'
import { answers, chunked, json, post, refuses, request } from './http.mjs'

const items = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: `Item ${index + 1}` }))

function pageOf(page) {
  const data = items.slice((page - 1) * 3, page * 3)
  return { page, per_page: 3, total: 8, total_pages: 3, has_more: page < 3, data }
}

const firstPage = answers(200, pageOf(1))
const order = { id: 7, state: 'open' }
const found = answers(200, [{ id: 7 }], { 'x-total': '1' })
const tenant = { 'x-tenant': 'a' }

function search(random) {
  const lines = Array.from({ length: 1 + random.below(5) }, () => ({ amount: random.below(9) }))
  return { filter: { state: 'open', page: random.below(1e6) }, lines: [...lines, { amount: 10 }] }
}

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const bomb = gzipSync(Buffer.alloc(4_194_304, ' '))
const tooLong = Buffer.alloc(bodyLimit + 2_000, ' ')
const someBytes = Buffer.from(Array.from({ length: 40_000 }, (_, index) => (index * 31) % 256))
const byteEcho = someBytes.toString('utf8')

/** @type {import('./index.mjs').SimpleKind[]} */
export const restKinds = [
  simple('page', 14, (random) => {
    const page = 1 + random.below(3)
    return { send: request('GET', `/items?page=${page}`), check: answers(200, pageOf(page)) }
  }),
  simple('page that there is not', 3, (random) => ({
    send: request('GET', `/items?page=${random.pick(['x', '-'])}${random.below(1e9)}`),
    check: firstPage,
  })),
  simple('page by a long query', 1, (random) => ({
    send: request(
      'GET',
      `/items?q=${random.pick(['ab', 'é', '%20']).repeat(1000 + random.below(900))}`.replaceAll(
        'é',
        '%C3%A9',
      ),
    ),
    check: firstPage,
  })),
  simple('HEAD', 2, () => ({ send: request('HEAD', '/items'), isHead: true, check: answers(200, '') })),
  simple('absolute-form', 1, () => ({ send: request('GET', 'http://127.0.0.1/items'), check: firstPage })),
  simple('no content', 1, () => ({ send: request('GET', '/none'), check: answers(204, '') })),
  simple('parameter', 4, (random) => ({
    send: request('GET', `/orders/${random.below(400)}`),
    check: answers(200, order),
  })),
  simple('selected parameter', 2, () => ({
    send: request('GET', '/orders/404'),
    check: answers(404, { code: 'not_found' }),
  })),

  simple('body selected', 8, (random) => ({
    send: post('/orders/search', search(random), tenant),
    check: found,
  })),
  simple('body not selected', 3, (random) => ({
    send: post('/orders/search', { filter: { state: 'shut' }, n: random.below(1e6) }, tenant),
    check: answers(200, []),
  })),
  simple('encoded body', 4, (random) => {
    const encoding = random.pick(Object.keys(encoders))
    const body = encoders[encoding](JSON.stringify(search(random)))
    return { send: post('/orders/search', body, { ...tenant, 'content-encoding': encoding }), check: found }
  }),
  simple('body in chunks', 3, (random) => {
    const body = chunked(JSON.stringify(search(random)), 1 + random.below(20), 'x-trailer: 1\r\n')
    const headers = { ...json, ...tenant, 'transfer-encoding': 'chunked' }
    return { send: request('POST', '/orders/search', { headers, body }), check: found }
  }),
  simple('encoded bomb', 1, () => ({
    send: post('/orders/search', bomb, { 'content-encoding': 'gzip' }),
    check: refuses(413, 'request-body-too-large'),
  })),
  simple('broken encoding', 1, (random) => ({
    send: post('/orders/search', `no gzip ${random.below(1e6)}`, { 'content-encoding': 'gzip' }),
    check: refuses(400, 'request-encoding-corrupt'),
  })),
  simple('unknown encoding', 1, (random) => ({
    send: post('/orders/search', '{}', { 'content-encoding': `x-${random.below(1e6)}` }),
    check: refuses(415, 'request-encoding-unknown'),
  })),
  simple('malformed JSON', 3, (random) => ({
    send: post('/orders/search', `{"n": ${random.below(1e6)}`),
    check: refuses(400, 'request-body-malformed'),
  })),
  simple('too long', 1, () => ({
    send: post('/orders/search', tooLong),
    check: refuses(413, 'request-body-too-large'),
  })),
  simple('too long in chunks', 1, () => ({
    send: request('POST', '/orders/search', {
      headers: { ...json, 'transfer-encoding': 'chunked' },
      body: chunked(tooLong, 16_000),
    }),
    check: refuses(413, 'request-body-too-large'),
  })),
  simple('no route fits', 4, (random) => ({
    send: post('/only', { a: 2 + random.below(1e6) }),
    check: refuses(404, 'route-unmatched'),
  })),

  simple('not ours', 6, (random) => {
    const body = `not ours ${random.below(1e9)} é`
    return { send: request('PUT', `/echo/${random.below(1e9)}`, { body }), check: passedOn('PUT', body) }
  }),
  simple('not ours, in chunks', 2, () => ({
    send: request('POST', '/echo', {
      headers: { 'transfer-encoding': 'chunked' },
      body: chunked(someBytes, 9_000),
    }),
    check: passedOn('POST', byteEcho),
  })),
  simple('nearly ours', 3, (random) => ({
    send: request('GET', `/itemz?n=${random.below(1e9)}`),
    check: passedOn('GET', ''),
  })),
  simple('a method of others', 1, (random) => ({
    send: request('DELETE', `/orders/${random.below(100)}`),
    check: passedOn('DELETE', ''),
  })),

  simple(
    'passed on with its body',
    4,
    (random) => {
      const body = JSON.stringify({ a: 2 + random.below(1e6), filler: 'x'.repeat(random.below(9_000)) })
      return { send: post('/only', body), check: passedOn('POST', body) }
    },
    'still',
  ),
  simple(
    'passed on malformed',
    1,
    (random) => {
      const body = `{"a": ${random.below(1e6)}`
      return { send: post('/only', body), check: passedOn('POST', body) }
    },
    'still',
  ),
  simple(
    'passed on too long',
    1,
    () => ({
      send: post('/only', tooLong),
      check: passedOn('POST', tooLong.toString()),
    }),
    'still',
  ),
  simple(
    'passed on encoded',
    1,
    (random) => {
      const body = gzipSync(JSON.stringify({ a: random.below(1e6) + 2 }))
      return {
        send: post('/only', body, { 'content-encoding': 'gzip' }),
        check: passedOn('POST', body.toString('utf8')),
      }
    },
    'still',
  ),
  simple(
    'answered beside passing on',
    2,
    () => ({
      send: post('/only', { a: 1 }),
      check: answers(201, { created: true }),
    }),
    'still',
  ),

  {
    ...simple('page of another site', 2, (random) => ({
      send: request('GET', '/items', { headers: { origin: `http://site${random.below(1e9)}.example` } }),
      check: refuses(403, 'origin-refused'),
    })),
    host: 'node',
  },
  {
    ...simple('preflight', 1, () => ({
      send: request('OPTIONS', '/orders/search', {
        headers: { origin: 'http://localhost:8080', 'access-control-request-method': 'POST' },
      }),
      check: answers(204, '', { 'access-control-allow-origin': 'http://localhost:8080' }),
    })),
    host: 'node',
  },
  {
    ...simple('module of Vite', 2, () => ({
      send: request('GET', '/main.js'),
      check: ({ status, text }) =>
        status === 200 && text.startsWith('document.title = "soaked"') ? undefined : 'the module expected',
    })),
    host: 'vite',
  },
  {
    ...simple('page of Vite', 1, () => ({
      send: request('GET', '/', { headers: { accept: 'text/html' } }),
      check: ({ status, text }) =>
        status === 200 && text.includes('<title>soak</title>') ? undefined : 'the page expected',
    })),
    host: 'vite',
  },
]

function passedOn(method, text) {
  return answers(200, text, { 'x-passed-on': method })
}

function simple(name, weight, make, mode = 'plain') {
  return { name, weight, mode, make }
}
