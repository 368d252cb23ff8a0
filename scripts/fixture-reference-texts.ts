/* What docs/fixture-reference.md has besides the texts of the schema. */

interface Section {
  title: string
  /** Before each key. */
  prefix: string
  /** Its name in types that refer to it. */
  type: string
  anchor: string
  text: string
}

/** The sections of the page by their definitions in fixture.schema.json. */
export const sections: Record<string, Section> = {
  routeSchema: {
    title: 'Route',
    prefix: '',
    type: 'route',
    anchor: 'route',
    text: 'An entry of the list: a method, a path or the URL of another origin, an optional selector and a response.',
  },
  selectorSchema: {
    title: 'Selector',
    prefix: 'when.',
    type: 'selector',
    anchor: 'selector',
    text: 'What a request must have. All keys must match. For the rules, see [Selectors](selectors.md).',
  },
  operatorsSchema: {
    title: 'Operators',
    prefix: '',
    type: 'operators',
    anchor: 'operators',
    text: 'In a selector, an object with these keys replaces a value. They are the operators of MongoDB’s query language.',
  },
  requestValueSchema: {
    title: 'Value of the request',
    prefix: '',
    type: 'value of the request',
    anchor: 'value-of-the-request',
    text: 'In a response, an object with one of these keys replaces a value. For the rules, see [Values from the request](request-values.md).',
  },
  responseSchema: {
    title: 'Response',
    prefix: 'response.',
    type: 'response',
    anchor: 'response',
    text: 'What a route answers. In TypeScript and JavaScript, a function may return it.',
  },
  delayRangeSchema: {
    title: 'Delay between two bounds',
    prefix: 'response.delay.',
    type: 'range',
    anchor: 'delay-between-two-bounds',
    text: 'Each time between the two is equally likely.',
  },
  delayCurveSchema: {
    title: 'Delay as in real networks',
    prefix: 'response.delay.',
    type: 'curve',
    anchor: 'delay-as-in-real-networks',
    text: 'Mostly short, sometimes long (log-normal), at most 60 seconds.',
  },
  dribbleSchema: {
    title: 'Dribble',
    prefix: 'response.fault.',
    type: '`dribble`',
    anchor: 'dribble',
    text: 'A fault that sends the whole body, in chunks.',
  },
  addedErrorSchema: {
    title: 'Added error',
    prefix: 'response.errors[].',
    type: 'added error',
    anchor: 'added-error',
    text: 'An entry of `response.errors`, which is added to the answer of the backend.',
  },
  streamSchema: {
    title: 'Stream',
    prefix: 'response.stream.',
    type: 'stream',
    anchor: 'stream',
    text: 'A stream with a format, or generated from a text. A list of events needs no object around it. For the rules, see [Streams](live.md).',
  },
  streamEventSchema: {
    title: 'Event',
    prefix: 'response.stream[].',
    type: 'event',
    anchor: 'event',
    text: 'An entry of `response.stream`, or of its `events`.',
  },
  triggerSchema: {
    title: 'Trigger',
    prefix: 'response.on.',
    type: 'trigger',
    anchor: 'trigger',
    text: 'What sends another event to an open stream. One of `mutation`, `route`, `push` and `collection`.',
  },
  incrementalSchema: {
    title: 'Incremental',
    prefix: 'response.incremental.',
    type: 'incremental',
    anchor: 'incremental',
    text: 'When to send the parts of a GraphQL answer that `@defer` and `@stream` postpone: see [GraphQL](graphql.md#defer-and-stream).',
  },
  partSchema: {
    title: 'Part',
    prefix: 'response.incremental.labels.',
    type: 'part',
    anchor: 'part',
    text: 'A part of a GraphQL answer, by its `label` in the query.',
  },
  websocketSchema: {
    title: 'WebSocket',
    prefix: 'websocket.',
    type: 'WebSocket',
    anchor: 'websocket-1',
    text: 'What happens in a WebSocket. For an introduction, see [WebSockets](websockets.md).',
  },
  socketStepSchema: {
    title: 'WebSocket message',
    prefix: 'websocket.open.',
    type: 'WebSocket message',
    anchor: 'websocket-message',
    text: 'What the server sends or does.',
  },
  socketMessageSchema: {
    title: 'Answer to a WebSocket message',
    prefix: 'websocket.messages.',
    type: 'message answer',
    anchor: 'answer-to-a-websocket-message',
    text: 'What the server sends when it receives a message.',
  },
  socketCloseSchema: {
    title: 'WebSocket close',
    prefix: 'websocket.close.',
    type: 'close',
    anchor: 'websocket-close',
    text: 'How the server closes a WebSocket.',
  },
  paginateSchema: {
    title: 'Paginate',
    prefix: 'paginate.',
    type: 'paginated list',
    anchor: 'paginate',
    text: 'A list that is sent page by page. [Pagination](pagination.md) shows the styles with their requests and answers.',
  },
  collectionSchema: {
    title: 'Collection',
    prefix: 'collection.',
    type: 'collection',
    anchor: 'collection',
    text: 'A list that requests read and change. [Collections](collections.md) shows its requests and answers.',
  },
  generateSchema: {
    title: 'Generated items',
    prefix: 'items.generate.',
    type: 'generated items',
    anchor: 'generated-items',
    text: 'Items of a collection or a page, generated from a schema. They are the same each time. For the rules, see [Collections](collections.md#generated-items).',
  },
  writeSchema: {
    title: 'Write',
    prefix: 'write.',
    type: 'write',
    anchor: 'write',
    text: 'One of `create`, `update`, `replace` and `delete`, with `id` and `set` as needed. Use it in GraphQL mutations, and for requests that are not operations of a collection.',
  },
  rateLimitSchema: {
    title: 'Rate limit',
    prefix: 'rateLimit.',
    type: 'rate limit',
    anchor: 'rate-limit',
    text: 'How often a route answers. More requests get a 429 with `Retry-After`.',
  },
}

const lines = (...all: string[]) => all.join('\n')
const backend = (keys: string) => lines('response:', '  from: backend', `  ${keys}`)

const orders = lines('path: /orders', 'collection:', '  items: [{ id: 7, customerId: 1, total: 20 }]')
const user = "schema: 'openapi.yaml#/components/schemas/User'"
const generate = (keys: string) => lines('path: /users', 'collection:', `  items: { generate: { ${keys} } }`)
const collection = (...keys: string[]) => lines(orders, ...keys.map((key) => `  ${key}`))
const mutation = (write: string) => lines('path: /graphql', `write: ${write}`)
const data = (value: string) => lines('path: /graphql', `response: { body: { data: { orders: ${value} } } }`)

/** An example of each key: a part of a route, which a test loads. */
export const examples: Record<string, string> = {
  name: 'name: the order is gone',
  method: 'method: [GET, POST]',
  path: 'path: /orders/:id',
  url: 'url: https://api.example.com/orders/:id',
  when: 'when: { query: { state: open } }',
  scenario: 'scenario: payment-down',
  response: 'response: { status: 201, body: { id: 8 } }',
  repeat: lines('response: [{ body: red }, { body: green }]', 'repeat: true'),
  shape: lines('path: /graphql', 'shape: true'),
  navigation: 'navigation: passthrough',
  paginate: 'paginate: { perPage: 2, items: [{ id: 1 }, { id: 2 }, { id: 3 }] }',
  collection: 'collection: { items: [{ id: 7, state: open }] }',
  write: mutation('{ update: orders, id: $id, set: { name: $name } }'),
  websocket: lines('path: /chat', 'websocket: { open: { send: { type: hello } } }'),
  rateLimit: 'rateLimit: { requests: 10, per: 60000 }',
  invalid: 'invalid: true',

  'when.query': "when: { query: { page: 2, q: { $regex: '^sho' } } }",
  'when.params': lines('path: /orders/:id', 'when: { params: { id: 404 } }'),
  'when.headers': 'when: { headers: { x-tenant: { $in: [a, b] } } }',
  'when.cookies': 'when: { cookies: { session: { $exists: false } } }',
  'when.body': 'when: { body: { filter.state: open } }',
  'when.operationName': lines('path: /graphql', 'when: { operationName: Hero }'),
  'when.operationType': lines('path: /graphql', 'when: { operationType: mutation }'),
  'when.variables': lines('path: /graphql', "when: { variables: { id: '7' } }"),
  'when.extensions': lines(
    'path: /graphql',
    'when: { extensions: { persistedQuery: { sha256Hash: ecf4edb46db4 } } }',
  ),

  $eq: 'when: { body: { state: { $eq: open } } }',
  $ne: 'when: { body: { state: { $ne: sold } } }',
  $in: 'when: { query: { state: { $in: [open, sold] } } }',
  $nin: 'when: { query: { state: { $nin: [open, sold] } } }',
  $gt: 'when: { query: { page: { $gt: 3 } } }',
  $gte: 'when: { body: { total: { $gte: 100 } } }',
  $lt: 'when: { body: { total: { $lt: 100 } } }',
  $lte: 'when: { body: { total: { $lte: 100 } } }',
  $exists: 'when: { query: { page: { $exists: false } } }',
  $regex: "when: { query: { q: { $regex: '^sho' } } }",
  $options: "when: { query: { q: { $regex: '^sho', $options: i } } }",
  $all: 'when: { body: { tags: { $all: [new, sale] } } }',
  $size: 'when: { body: { lines: { $size: 0 } } }',
  $mod: lines('path: /orders/:id', 'when: { params: { id: { $mod: [2, 1] } } }'),
  $elemMatch: 'when: { body: { lines: { $elemMatch: { sku: x, amount: { $gte: 10 } } } } }',
  $not: 'when: { query: { state: { $not: { $in: [sold, lost] } } } }',
  $and: 'when: { body: { $and: [{ total: { $gt: 0 } }, { state: open }] } }',
  $or: 'when: { body: { $or: [{ state: open }, { total: 0 }] } }',
  $nor: 'when: { body: { $nor: [{ state: sold }, { total: 0 }] } }',

  $from: 'response: { body: { id: { $from: query.id } } }',
  as: 'response: { body: { page: { $from: query.page, as: number } } }',
  else: 'response: { body: { page: { $from: query.page, as: number, else: 1 } } }',
  $text: "response: { headers: { location: { $text: '/orders/{body.id}' } } }",
  $item: data('{ $item: orders, id: $id }'),
  id: data('{ $item: orders, id: $input.id }'),
  $list: data('{ $list: orders }'),
  where: data('{ $list: orders, where: { state: $state, total_gte: 5 } }'),
  sort: data('{ $list: orders, sort: -created }'),
  connection: data('{ $list: orders, connection: true }'),
  $now: 'response: { body: { createdAt: { $now: true } } }',
  $uuid: 'response: { body: { id: { $uuid: true } } }',
  $literal: "response: { body: { $literal: { $text: 'Order {id}' } } }",
  'response.status': 'response: { status: 404 }',
  'response.headers': 'response: { headers: { location: /orders/8, set-cookie: [a=1, b=2] } }',
  'response.body': 'response: { body: { id: 7, state: open } }',
  'response.file': 'response: { file: invoice.pdf }',
  'response.delay': 'response: { body: [], delay: 300 }',
  'response.fault': 'response: { fault: reset }',
  'response.stream': 'response: { stream: [{ data: { n: 1 } }, { delay: 500, data: { n: 2 } }] }',
  'response.end': 'response: { stream: [{ data: { n: 1 } }], end: reset }',
  'response.on': 'response: { stream: [], on: { push: orders } }',
  'response.from': backend('status: 503'),
  'response.patch': backend('patch: { items.*.price: 0, items.0: { $unset: true } }'),
  'response.patchErrors': lines(
    'response:',
    '  from: backend',
    '  patch: { message: null }',
    '  patchErrors: true',
  ),
  'response.errors': lines(
    'path: /graphql',
    backend('errors: [{ message: The name is lost., path: [hero, name] }]'),
  ),

  'response.incremental': lines(
    'path: /graphql',
    'response: { body: { data: { hero: { name: R2-D2 } } }, incremental: { delay: 500 } }',
  ),
  'response.incremental.delay': lines(
    'path: /graphql',
    'response: { body: { data: { hero: { name: R2-D2 } } }, incremental: { delay: { min: 100, max: 900 } } }',
  ),
  'response.incremental.labels': lines(
    'path: /graphql',
    'response: { body: { data: { hero: { name: R2-D2 } } }, incremental: { labels: { Name: { delay: 2000 } } } }',
  ),
  'response.incremental.labels.delay': lines(
    'path: /graphql',
    'response: { body: { data: { hero: { name: R2-D2 } } }, incremental: { labels: { Name: { delay: 2000 } } } }',
  ),
  'response.incremental.labels.errors': lines(
    'path: /graphql',
    'response:',
    '  body: { data: { hero: { name: R2-D2 } } }',
    '  incremental: { labels: { Name: { errors: [{ message: Slow. }] } } }',
  ),
  'response.stream.as': "response: { stream: { as: text, text: 'One two three', each: 50 } }",
  'response.stream.events': 'response: { stream: { as: ndjson, events: [{ data: 1 }, { data: 2 }] } }',
  'response.stream.text': "response: { stream: { as: openai-chat, text: 'Hello there.' } }",
  'response.stream.first': "response: { stream: { as: openai-chat, text: 'Hello there.', first: 400 } }",
  'response.stream.each': 'response: { stream: { each: 1000, events: [{ data: 1 }, { data: 2 }] } }',
  'response.stream[].event': 'response: { stream: [{ event: tick, data: 1 }] }',
  'response.stream[].id': 'response: { stream: [{ id: 1, data: one }, { id: 2, data: two }] }',
  'response.stream[].data': 'response: { stream: [{ data: { n: 1 } }, { data: a text }] }',
  'response.stream[].errors': lines(
    'path: /graphql',
    'response: { stream: [{ data: { order: null }, errors: [{ message: Gone., path: [order] }] }] }',
  ),
  'response.stream[].extensions': lines(
    'path: /graphql',
    'response: { stream: [{ data: { order: { id: 7 } }, extensions: { trace: a } }] }',
  ),
  'response.stream[].retry': 'response: { stream: [{ retry: 100, data: 1 }] }',
  'response.stream[].delay': 'response: { stream: [{ data: 1 }, { delay: 500, data: 2 }] }',
  'response.stream[].fault': 'response: { stream: [{ data: 1, fault: reset }, { data: 2 }] }',
  'response.on.mutation': 'response: { stream: [], on: { mutation: RenameOrder } }',
  'response.on.route': "response: { stream: [], on: { route: 'the order is paid' } }",
  'response.on.push': 'response: { stream: [], on: { push: orders } }',
  'response.on.collection': 'response: { stream: [], on: { collection: orders } }',
  'response.on.event': 'response: { stream: [], on: { push: orders, event: order } }',

  'response.delay.min': 'response: { delay: { min: 100, max: 900 } }',
  'response.delay.max': 'response: { delay: { min: 100, max: 900 } }',
  'response.delay.median': 'response: { delay: { median: 300 } }',
  'response.delay.sigma': 'response: { delay: { median: 300, sigma: 0.3 } }',
  'response.fault.dribble': 'response: { body: { lines: [1, 2, 3] }, fault: { dribble: 2000 } }',

  'response.errors[].message': lines('path: /graphql', backend('errors: [{ message: Not now. }]')),
  'response.errors[].path': lines(
    'path: /graphql',
    backend('errors: [{ message: Not now., path: [hero, friends, 1] }]'),
  ),
  'response.errors[].locations': lines(
    'path: /graphql',
    backend('errors: [{ message: Not now., locations: [{ line: 1, column: 3 }] }]'),
  ),
  'response.errors[].extensions': lines(
    'path: /graphql',
    backend('errors: [{ message: Not now., extensions: { code: NOT_FOUND } }]'),
  ),

  'websocket.protocol': 'websocket: { protocol: [chat.v2, chat.v1] }',
  'websocket.delay': 'websocket: { delay: 300, open: { send: hello } }',
  'websocket.status': 'websocket: { status: 401 }',
  'websocket.fault': 'websocket: { fault: silent }',
  'websocket.open': 'websocket: { open: [{ send: { type: hello } }, { delay: 500, send: { type: news } }] }',
  'websocket.messages': 'websocket: { messages: [{ when: { type: ping }, send: { type: pong } }] }',
  'websocket.on': 'websocket: { on: { push: chat } }',
  'websocket.close': 'websocket: { close: { code: 4001, reason: Idle., after: 30000 } }',
  'websocket.open.delay': 'websocket: { open: { delay: 500, send: hello } }',
  'websocket.open.send': 'websocket: { open: { send: { type: hello } } }',
  'websocket.open.bytes': 'websocket: { open: { bytes: AQID } }',
  'websocket.open.close': 'websocket: { open: [{ send: bye }, { delay: 500, close: 4001 }] }',
  'websocket.open.fault': 'websocket: { open: [{ send: hello }, { delay: 500, fault: reset }] }',
  'websocket.messages.when': 'websocket: { messages: [{ when: { type: ping }, send: { type: pong } }] }',
  'websocket.messages.delay': 'websocket: { messages: [{ when: { type: ping }, delay: 300, send: pong }] }',
  'websocket.messages.send': 'websocket: { messages: [{ send: { type: echo, got: { $from: body } } }] }',
  'websocket.messages.bytes': 'websocket: { messages: [{ when: { bytes: AQID }, bytes: BAUG }] }',
  'websocket.messages.close': 'websocket: { messages: [{ when: { type: quit }, close: 4001 }] }',
  'websocket.messages.fault': 'websocket: { messages: [{ when: { type: stop }, fault: stalled }] }',
  'websocket.messages.then':
    'websocket: { messages: [{ when: { type: list }, send: one, then: [{ delay: 300, send: two }] }] }',
  'websocket.close.code': 'websocket: { close: { code: 4001 } }',
  'websocket.close.reason': 'websocket: { close: { code: 4001, reason: Idle. } }',
  'websocket.close.after': 'websocket: { close: { after: 30000 } }',

  'paginate.items': 'paginate: { items: { file: people.json } }',
  'paginate.style': 'paginate: { style: offset, items: [{ id: 1 }, { id: 2 }, { id: 3 }] }',
  'paginate.perPage': 'paginate: { perPage: 2, items: [{ id: 1 }, { id: 2 }, { id: 3 }] }',
  'paginate.maxPerPage': 'paginate: { maxPerPage: 50, items: { file: people.json } }',
  'paginate.parameters':
    'paginate: { parameters: { page: p, per_page: size }, items: { file: people.json } }',
  'paginate.envelope':
    'paginate: { envelope: { data: results, total: false }, items: { file: people.json } }',
  'paginate.outOfRange': 'paginate: { outOfRange: error, items: { file: people.json } }',
  'paginate.malformed': 'paginate: { malformed: default, items: { file: people.json } }',
  'paginate.field': lines(
    'path: /graphql',
    'paginate: { style: relay, field: hero.friends, items: { file: people.json } }',
  ),

  'collection.items': 'collection: { items: { file: orders.json } }',
  'collection.name': collection('name: orders'),
  'collection.id': "collection: { id: key, items: [{ key: 'a-1' }] }",
  'collection.relations': collection('relations: { customer: { one: customers, by: customerId } }'),
  'collection.only': collection('only: [list, get]'),
  'collection.dialect': collection('dialect: plain'),
  'collection.returnDeleted': collection('returnDeleted: true'),
  'collection.persist': collection('persist: true'),

  'items.generate.schema': generate(user),
  'items.generate.type': generate('schema: schema.graphql, type: User'),
  'items.generate.count': generate(`${user}, count: 50`),
  'items.generate.seed': generate(`${user}, seed: 7`),
  'items.generate.faker': generate(`${user}, faker: { name: person.fullName }`),

  'write.create': mutation('{ create: orders, set: $input }'),
  'write.update': mutation('{ update: orders, id: $id, set: { name: $name } }'),
  'write.replace': mutation('{ replace: orders, id: $id, set: $input }'),
  'write.delete': mutation('{ delete: orders, id: $id }'),
  'write.id': lines(
    'path: /orders/:id/pay',
    'method: POST',
    'write: { update: orders, id: { $from: params.id }, set: { state: paid } }',
  ),
  'write.set': mutation('{ create: orders, set: { name: $name, state: open } }'),

  'rateLimit.requests': 'rateLimit: { requests: 10, per: 60000 }',
  'rateLimit.per': 'rateLimit: { requests: 10, per: 60000 }',
}
