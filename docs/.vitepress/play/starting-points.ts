import type { Kept, NamedRequest } from './link.ts'

/** One reason to use the package. */
export interface StartingPoint extends Kept {
  id: string
  title: string
  /** What it shows. */
  about: string
  requests: StartingRequest[]
}

/** A request, and what its answer says: a test sends it, and looks for both. */
interface StartingRequest extends NamedRequest {
  status: number | 'broken'
  look: string
}

type Given = Partial<StartingRequest> & Pick<StartingRequest, 'name' | 'look'>

const get = (url: string, given: Given): StartingRequest => ({
  ...{ method: 'GET', url, headers: '', body: '', status: 200 },
  ...given,
})
const send = (method: string, url: string, body: unknown, given: Given): StartingRequest =>
  get(url, { method, body: JSON.stringify(body, null, 2), ...given })
const ask = (operationName: string, query: string, given: Given, variables?: object): StartingRequest =>
  send('POST', '/graphql', { query, operationName, ...(variables && { variables }) }, given)

export const startingPoints: StartingPoint[] = [
  {
    id: 'last-page',
    title: 'The last page of a list',
    about: 'One list of items becomes pages, with totals. A page that is not there is an error.',
    file: 'fixtures/items.yaml',
    text: `- path: /items
  paginate:
    perPage: 2
    items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }]
`,
    requests: [
      get('/items?page=3', { name: 'Last page', look: 'has_more: false' }),
      get('/items', { name: 'First page', look: 'has_more: true' }),
    ],
  },
  {
    id: 'graphql-errors',
    title: 'A GraphQL failure with HTTP 200',
    about: 'Partial data, and an error whose location is computed from the query that was sent.',
    file: 'fixtures/hero.yaml',
    text: `- path: /graphql
  when: { operationName: Hero }
  response:
    body: { data: { hero: { name: Ada, friends: [{ name: Grace }] } } }

- name: the friends are down
  path: /graphql
  when: { operationName: HeroWithFriends }
  response:
    body:
      data: { hero: { name: Ada, friends: null } }
      errors: [{ message: The friends are down., path: [hero, friends] }]
`,
    requests: [
      ask('HeroWithFriends', 'query HeroWithFriends {\n  hero {\n    name\n    friends { name }\n  }\n}', {
        name: 'Partial data',
        look: 'The friends are down. hero.friends at 4:5',
      }),
      ask('Hero', '{ hero { name } }', { name: 'No error', look: 'name: "Ada"' }),
    ],
  },
  {
    id: 'cursor',
    title: 'A cursor',
    about: 'Each page names the next one, until there is none.',
    file: 'fixtures/people.yaml',
    text: `- path: /people
  paginate:
    style: cursor
    perPage: 2
    items: [{ id: 1, name: Ada }, { id: 2, name: Bob }, { id: 3, name: Cy }]
`,
    requests: [
      get('/people', { name: 'First page', look: 'next_cursor: "aXRlbTox"' }),
      get('/people?cursor=aXRlbTox', { name: 'Next page', look: 'next_cursor: null' }),
    ],
  },
  {
    id: 'login',
    title: 'A login that changes what follows',
    about: 'The cookie of the first answer selects the second one. "Start again" forgets it.',
    file: 'fixtures/login.yaml',
    text: `- path: /me
  response: { status: 401, body: { code: not_logged_in } }

- name: who is logged in
  path: /me
  when: { cookies: { theme: dark } }
  response: { body: { name: Ada, role: admin } }

- method: POST
  path: /login
  response:
    status: 201
    headers: { set-cookie: theme=dark; Path=/ }
    body: { ok: true }
`,
    requests: [
      get('/me', { name: 'Before', status: 401, look: 'code: "not_logged_in"' }),
      send('POST', '/login', { name: 'ada' }, { name: 'Log in', status: 201, look: 'ok: true' }),
      get('/me', { name: 'After', look: 'role: "admin"' }),
    ],
  },
  {
    id: 'collection',
    title: 'A collection that remembers',
    about: 'What a request writes, later ones read: list, get, create, change, delete, filter, sort.',
    file: 'fixtures/orders.yaml',
    text: `- path: /orders
  collection:
    items:
      - { id: 1, state: open, total: 20 }
      - { id: 2, state: paid, total: 5 }
`,
    requests: [
      get('/orders', { name: 'All', look: 'total: 20' }),
      send(
        'POST',
        '/orders',
        { state: 'open', total: 7 },
        { name: 'Add one', status: 201, look: 'location/orders/3' },
      ),
      get('/orders?state=open', { name: 'The open ones', look: 'total: 7' }),
      get('/orders/9', { name: 'Unknown', status: 404, look: '404' }),
    ],
  },
  {
    id: 'defer',
    title: '@defer',
    about: 'The fixture has the whole answer. Deferred parts come later, each at its own time.',
    file: 'fixtures/product.yaml',
    text: `- path: /graphql
  when: { operationName: Product }
  response:
    body: { data: { product: { id: '1', name: Lamp, reviews: [{ text: Good }] } } }
    incremental:
      delay: 300
      labels:
        Reviews: { delay: 900, errors: [{ message: The reviews are slow today. }] }
`,
    requests: [
      ask(
        'Product',
        'query Product {\n  product {\n    id\n    ... @defer { name }\n    ... @defer(label: "Reviews") { reviews { text } }\n  }\n}',
        { name: 'In parts', headers: 'accept: multipart/mixed', look: 'The reviews are slow today.' },
      ),
    ],
  },
  {
    id: 'events',
    title: 'Server-sent events',
    about: 'Events when they are due. The stream stays open: push another one, or break it.',
    file: 'fixtures/events.yaml',
    text: `- path: /events
  response:
    stream:
      - { event: order, data: { id: 7, state: open } }
      - { event: order, data: { id: 7, state: paid }, delay: 800 }
`,
    requests: [get('/events', { name: 'Listen', look: '"state":"paid"' })],
  },
  {
    id: 'ai-answer',
    title: 'An answer of a language model',
    about: 'Word by word, in the format of the provider.',
    file: 'fixtures/chat.yaml',
    text: `- method: POST
  path: /v1/chat/completions
  response:
    stream: { as: openai-chat, text: A mock costs no tokens., first: 400, each: 150 }
`,
    requests: [
      send(
        'POST',
        '/v1/chat/completions',
        { model: 'any', stream: true, messages: [{ role: 'user', content: 'What does it cost?' }] },
        { name: 'Ask', look: '[DONE]' },
      ),
    ],
  },
  {
    id: 'slow-and-broken',
    title: 'A slow and broken connection',
    about: 'Delays, an answer that breaks off, and a limit on requests.',
    file: 'fixtures/weather.yaml',
    text: `- path: /weather
  response: { body: { city: Oslo, degrees: 7 }, delay: 700 }

- name: it breaks off
  path: /weather
  when: { query: { city: nowhere } }
  response: { body: { city: nowhere, degrees: 0 }, fault: truncated }

- path: /weather/hourly
  rateLimit: { requests: 1, per: 60000 }
  response: { body: [7, 8, 8] }
`,
    requests: [
      get('/weather', { name: 'Slow', look: 'delayed by 700 ms' }),
      get('/weather?city=nowhere', { name: 'Broken', look: 'truncated' }),
      get('/weather/hourly', { name: 'Allowed once', look: '8' }),
      get('/weather/hourly', { name: 'Then limited', status: 429, look: 'rate limit' }),
    ],
  },
  {
    id: 'scenario',
    title: 'A scenario',
    about: 'A name for a situation. Switch it on, and its routes come first.',
    file: 'fixtures/payment.yaml',
    text: `- method: POST
  path: /payment
  response: { status: 201, body: { paid: true } }

- name: the provider is down
  method: POST
  path: /payment
  scenario: payment-down
  response: { status: 503, body: { code: provider_down } }

- path: /status
  response:
    - { body: { state: pending } }
    - { body: { state: done } }
`,
    requests: [
      send('POST', '/payment', {}, { name: 'Pay', status: 201, look: 'paid: true' }),
      send(
        'POST',
        '/payment',
        {},
        {
          name: 'While it is down',
          headers: 'x-mock-scenario: payment-down',
          status: 503,
          look: 'code: "provider_down"',
        },
      ),
      get('/status', { name: 'A sequence', look: 'Step 1 of 2 of its sequence.' }),
    ],
  },
  {
    id: 'request-values',
    title: 'Values of the request',
    about: 'An answer repeats parts of its request, without any code.',
    file: 'fixtures/orders.yaml',
    text: `- path: /orders/:id
  response:
    body:
      id: { $from: params.id, as: number }
      title: { $text: 'Order {params.id}' }

- name: state must be open
  path: /orders/:id/invoice
  when: { query: { state: open } }
  response: { body: { invoice: { $from: params.id } } }
`,
    requests: [
      get('/orders/7', { name: 'Order 7', look: 'title: "Order 7"' }),
      get('/orders/7/invoice?state=paid', { name: 'A miss', status: 404, look: 'Did not match' }),
    ],
  },
  {
    id: 'import',
    title: 'An import',
    about:
      'Paste a cURL command, a HAR file or an OpenAPI document: a request to try, or the fixtures that came of it.',
    file: 'fixtures/imported.yaml',
    text: `# "Import" makes routes of a HAR file or an OpenAPI document,
# and a request of a cURL command. No route answers "Not there yet":
# "Apply" writes one.
- path: /health
  response: { body: { ok: true } }
`,
    requests: [
      send(
        'POST',
        '/orders',
        { sku: 'A-1', amount: 2 },
        { name: 'Not there yet', status: 'broken', look: 'No route has the method and path' },
      ),
      get('/health', { name: 'There', look: 'ok: true' }),
    ],
  },
]

/** The small one of the home page. */
export const homeExample: Kept & { id: string } = {
  id: 'home',
  file: 'fixtures/orders.yaml',
  text: `- path: /orders/:id
  response: { body: { id: 7, state: open } }

- name: the order is gone
  path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, body: { code: not_found } }
`,
  requests: [
    get('/orders/404', { name: 'GET /orders/404', look: '' }),
    get('/orders/7', { name: 'GET /orders/7', look: '' }),
  ],
}
