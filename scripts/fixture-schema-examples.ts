/* What editors suggest beside the types: `[default, …examples]` of each key, and whole routes. */

interface Suggestions {
  default?: unknown
  examples?: unknown[]
}

const given = (...examples: unknown[]): Suggestions => ({ examples })
const usually = (value: unknown, ...examples: unknown[]): Suggestions => ({
  default: value,
  ...(examples.length > 0 && { examples }),
})

const user = 'openapi.yaml#/components/schemas/User'

export const suggestions: Record<string, Record<string, Suggestions>> = {
  routeSchema: {
    name: given('the order is gone'),
    method: usually('GET'),
    path: given('/orders', '/orders/:id', '/graphql'),
    url: given('https://api.example.com/orders/:id'),
    when: given({ query: { page: 2 } }, { operationName: 'Hero' }),
    scenario: given('payment-down', ['payment-down', 'new-customer']),
    response: given({ body: { id: 7 } }, { status: 404, body: { code: 'not_found' } }),
    repeat: usually(false),
    shape: usually(false),
    navigation: usually('answer'),
    websocket: given({ open: { send: { type: 'hello' } } }),
    paginate: given({ perPage: 3, items: [{ id: 1 }] }),
    collection: given({ items: [{ id: 1 }] }, { items: { file: 'orders.json' } }),
    write: given(
      { update: 'orders', id: '$id', set: { name: '$name' } },
      { create: 'orders', set: '$input' },
    ),
    rateLimit: given({ requests: 10, per: 60_000 }),
    invalid: usually(false),
  },
  responseSchema: {
    status: usually(200, 201, 204, 400, 401, 403, 404, 409, 422, 429, 500, 503),
    headers: given({ 'retry-after': '30' }),
    body: given({ id: 7 }, { data: { hero: null } }),
    file: given('invoice.pdf', { $text: 'orders/{params.id}.json' }),
    delay: usually(0, 300, { min: 100, max: 900 }, { median: 200, sigma: 0.5 }),
    fault: given('reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent', { dribble: 500 }),
    from: given('backend'),
    patch: given({ 'data.hero.name': null }),
    patchErrors: usually(false),
    errors: given([{ message: 'No name.', path: ['hero', 'name'] }]),
    stream: given([{ data: { n: 1 } }, { delay: 500, data: { n: 2 } }], { text: 'Hello there.', each: 30 }),
    end: given('stay', 'complete', 'reset', 'truncated', 'malformed', 'stalled'),
    on: given({ push: 'orders' }, { mutation: 'RenameOrder' }),
    incremental: given({ delay: 500 }, { labels: { Reviews: { delay: 2000 } } }),
  },
  streamEventSchema: {
    event: given('tick'),
    id: given(1),
    data: given({ n: 1 }, 'a line of text'),
    errors: given([{ message: 'The order is gone.' }]),
    extensions: given({ cost: 1 }),
    retry: given(3000),
    delay: given(500, { min: 100, max: 900 }),
    fault: given('reset', 'truncated', 'malformed', 'stalled'),
  },
  incrementalSchema: {
    delay: usually(0, 500, { min: 100, max: 900 }),
    labels: given({ Reviews: { delay: 2000 } }),
  },
  partSchema: {
    delay: given(2000),
    errors: given([{ message: 'Slow.' }]),
  },
  streamSchema: {
    as: usually('sse', 'ndjson', 'text', 'openai-chat'),
    events: given([{ data: { n: 1 } }]),
    text: given('Hello there.', { file: 'answer.md' }),
    first: given(400),
    each: usually(0, 30),
  },
  triggerSchema: {
    mutation: given('RenameOrder'),
    route: given('the order is sent'),
    push: given('orders'),
    collection: given('orders'),
    event: given('changed'),
  },
  selectorSchema: {
    query: given({ page: 2 }),
    params: given({ id: 404 }),
    headers: given({ 'x-tenant': { $in: ['a', 'b'] } }),
    cookies: given({ session: { $exists: false } }),
    body: given({ 'filter.state': 'open' }),
    operationName: given('Hero'),
    operationType: given('query', 'mutation', 'subscription'),
    variables: given({ id: '7' }),
    extensions: given({ persistedQuery: { version: 1 } }),
  },
  paginateSchema: {
    items: given([{ id: 1 }, { id: 2 }], { file: 'items.json' }),
    style: usually('page'),
    perPage: usually(20),
    maxPerPage: usually(100),
    parameters: given({ page: 'p', per_page: 'size' }),
    envelope: given({ data: 'results' }, { total_pages: false }),
    outOfRange: usually('empty'),
    malformed: usually('error'),
    field: given('hero.friends'),
  },
  generateSchema: {
    schema: given(user),
    type: given('User'),
    count: usually(20),
    seed: usually(0),
    faker: given({ name: 'person.fullName' }),
  },
  collectionSchema: {
    items: given([{ id: 1 }], { file: 'orders.json' }, { generate: { schema: user, count: 50 } }),
    name: given('orders'),
    id: usually('id'),
    relations: given({
      customer: { one: 'customers', by: 'customerId' },
      lines: { many: 'lines', by: 'orderId' },
    }),
    only: given(['list', 'get']),
    dialect: usually('json-server'),
    returnDeleted: usually(false),
    persist: usually(false),
  },
  writeSchema: {
    create: given('orders'),
    update: given('orders'),
    replace: given('orders'),
    delete: given('orders'),
    id: given('$id', { $from: 'params.id' }),
    set: given('$input', { name: '$name' }),
  },
  websocketSchema: {
    protocol: given('chat.v2', ['chat.v2', 'chat.v1']),
    delay: usually(0, 300),
    status: given(401, 503),
    fault: given('silent', 'reset', 'empty'),
    open: given({ send: { type: 'hello' } }),
    messages: given([{ when: { type: 'ping' }, send: { type: 'pong' } }]),
    on: given({ push: 'chat' }),
    close: given(4001, { code: 4001, reason: 'Idle.', after: 30_000 }),
  },
  socketStepSchema: {
    delay: usually(0, 300),
    send: given('hello', { type: 'hello' }),
    bytes: given('AQID'),
    close: given(4001),
    fault: given('reset', 'truncated', 'malformed', 'stalled'),
  },
  socketMessageSchema: {
    when: given({ type: 'ping' }),
    delay: usually(0, 300),
    send: given({ type: 'pong' }),
    bytes: given('AQID'),
    close: given(4001),
    fault: given('reset', 'truncated', 'malformed', 'stalled'),
    then: given([{ delay: 300, send: { type: 'pong' } }]),
  },
  socketCloseSchema: { code: usually(1000, 4001), reason: given('Idle.'), after: usually(0, 30_000) },
  rateLimitSchema: { requests: given(10), per: given(60_000) },
  delayRangeSchema: { min: given(100), max: given(900) },
  delayCurveSchema: { median: given(200), sigma: given(0.5) },
  dribbleSchema: { dribble: given(500) },
  addedErrorSchema: {
    message: given('No name.'),
    path: given(['hero', 'name']),
    locations: given([{ line: 1, column: 1 }]),
    extensions: given({ code: 'FORBIDDEN' }),
  },
  requestValueSchema: {
    $from: given('params.id', 'query.page', 'body.name', 'variables.id'),
    $item: given('orders'),
    id: given('$id'),
    $list: given('orders'),
    where: given({ state: '$state' }),
    sort: given('-created'),
    connection: usually(false),
    as: given('number'),
    else: given(null),
    $text: given('/orders/{params.id}'),
    $now: given(true),
    $uuid: given(true),
    $literal: given({ $from: 'sent as it is' }),
  },
  operatorsSchema: {
    $eq: given('open'),
    $ne: given('open'),
    $in: given(['a', 'b']),
    $nin: given(['a', 'b']),
    $gt: given(0),
    $gte: given(1),
    $lt: given(10),
    $lte: given(10),
    $exists: given(true, false),
    $regex: given('^ord-'),
    $options: given('i'),
    $all: given(['a', 'b']),
    $size: given(2),
    $mod: given([2, 0]),
    $elemMatch: given({ sku: 'A-1' }),
    $not: given({ $in: ['a'] }),
    $and: given([{ $gt: 0 }, { $lt: 10 }]),
    $or: given([{ $lt: 0 }, { $gt: 10 }]),
    $nor: given([{ $eq: 'a' }, { $eq: 'b' }]),
  },
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', '*']

/** `$1` is where the cursor begins, `${2:x}` a text to type over: https://code.visualstudio.com/docs/languages/json#_define-snippets-in-json-schemas */
export const snippets = [
  {
    label: 'route',
    description: 'A method, a path and an answer',
    body: {
      method: '${1:GET}',
      path: '/${2:orders/:id}',
      response: { status: '^${3:200}', body: { id: '^${4:7}' } },
    },
  },
  {
    label: 'GraphQL error',
    description: 'Errors and partial data with HTTP 200',
    body: {
      path: '/graphql',
      when: { operationName: '${1:Hero}' },
      response: {
        body: { data: { '${2:hero}': null }, errors: [{ message: '${3:It failed.}', path: ['${2:hero}'] }] },
      },
    },
  },
  {
    label: 'pages',
    description: 'A list that is sent in pages',
    body: {
      path: '/${1:items}',
      paginate: { perPage: '^${2:3}', items: [{ id: '^${3:1}', name: '${4:one}' }] },
    },
  },
  {
    label: 'scenario',
    description: 'A route that stands before the others while its scenario is active',
    body: {
      name: '${1:the payment provider is down}',
      scenario: '${2:payment-down}',
      method: '${3:POST}',
      path: '/${4:checkout}',
      response: { status: '^${5:503}', body: { message: '${6:Try again later.}' } },
    },
  },
  {
    label: 'sequence',
    description: 'Answers that are given one after the other',
    body: {
      path: '/${1:orders/:id}',
      response: [{ body: { state: '${2:open}' } }, { body: { state: '${3:paid}' } }],
    },
  },
]
