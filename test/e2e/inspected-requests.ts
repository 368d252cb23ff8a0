import type {
  Candidate,
  DiagnosticInfo,
  FailedCondition,
  RequestDetails,
  RouteInfo,
  ScenarioState,
} from '../../src/inspector/api/api.ts'

/** What the control API of a mock server knows. */
export interface Inspected {
  routes: RouteInfo[]
  requests: RequestDetails[]
  diagnostics: DiagnosticInfo[]
  known: ScenarioState['known']
}

const route = (id: string, name: string, file: string, line: number, more: Partial<RouteInfo> = {}) => {
  const [method, path] = id.split(' ') as [string, string]
  const isGraphQL = path === '/graphql'
  const kind = { scenarios: [], answers: 'static', isGraphQL, isTemplate: false, hits: 0 } as const
  return { id, name, method, path, ...kind, scenarios: [], file, line, column: 3, ...more }
}

const answer = (status: number, value: unknown, fault?: string): Pick<RequestDetails, 'response'> => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-mock-route': 'a route' }
  const body = { size: text.length, text, isCut: false }
  return { response: { status, headers, body, ...(fault !== undefined && { fault }) } }
}

/** A shop whose checkout fails: one request of each kind. */
export function shop(): Inspected {
  const routes = [
    route('POST /graphql #1', 'checkout', 'fixtures/checkout.yaml', 2, {
      when: { operationName: 'Checkout', variables: { express: true } },
      hits: 4,
    }),
    route('POST /graphql #2', 'payment declined', 'fixtures/checkout.yaml', 14, {
      when: { operationName: 'Checkout' },
      scenarios: ['payment-down'],
    }),
    route('POST /graphql #3', 'cart', 'fixtures/checkout.yaml', 31, { when: { operationName: 'Cart' } }),
    route('GET /orders/:id #1', 'an order', 'fixtures/orders.yaml', 3, { hits: 7 }),
    route('GET /payment/methods #1', 'cards', 'fixtures/payment.yaml', 2),
    route('GET /payment/methods #2', 'no payment method', 'fixtures/payment.yaml', 12, {
      scenarios: ['payment-down', 'new-customer'],
    }),
    route('GET /items #1', 'page 1', 'fixtures/items.yaml', 5, { isTemplate: true, answers: 'paginate' }),
  ]
  const candidate = (id: string, more: Partial<Candidate>): Candidate => {
    const { name, file, line, column } = routes.find((one) => one.id === id)!
    return { id, name, file, line, column, isSelected: false, isDefault: false, unmet: [], ...more }
  }
  const differs = (
    field: string,
    expected: string,
    expectedType: string,
    received?: string,
  ): FailedCondition => ({
    field,
    expected,
    expectedType,
    ...(received !== undefined && { received }),
    receivedType: received === undefined ? 'nothing' : 'string',
  })
  const requests: RequestDetails[] = []
  const add = (
    request: Partial<RequestDetails> & Pick<RequestDetails, 'url' | 'answeredBy'>,
    by?: string,
  ) => {
    const found = by === undefined ? undefined : routes.find(({ id }) => id === by)
    const isAnswered = request.answeredBy !== 'passed-on' && request.answeredBy !== 'fault'
    requests.push({
      id: requests.length + 1,
      time: Date.UTC(2026, 10, 21, 12, 0, requests.length * 7),
      method: 'GET',
      duration: 1.24,
      ...(isAnswered && { status: 200 }),
      scenarios: [],
      headers: { host: 'localhost:5173', accept: '*/*', authorization: '…' },
      ...(found && { route: { id: found.id, name: found.name, file: found.file, line: found.line } }),
      decision: {
        answeredBy: request.answeredBy,
        scenarios: [],
        summary: found ? `"${found.name}" answered: it is the default route.` : 'No endpoint has this path.',
        candidates: found ? [candidate(found.id, { isSelected: true, isDefault: true })] : [],
        more: 0,
      },
      ...request,
    })
  }
  add({ url: '/src/main.tsx', answeredBy: 'passed-on' })
  add(
    { url: '/items?page=1', answeredBy: 'template', ...answer(200, { page: 1, total: 8 }) },
    'GET /items #1',
  )
  const order = {
    id: 7,
    state: 'open',
    customer: { name: 'Ada Lovelace', tags: [] },
    lines: [{ sku: 'A-1', quantity: 2, price: 19.9 }],
    note: null,
    paid: false,
  }
  add(
    {
      url: '/orders/7?include=lines',
      answeredBy: 'route',
      scenarios: ['new-customer'],
      ...answer(200, order),
    },
    'GET /orders/:id #1',
  )
  const cart = { operationName: 'Cart', operationType: 'query', variables: 'first: 20' } as const
  const items = answer(200, { data: { cart: { items: [{ sku: 'A-1', quantity: 2 }] } } })
  add({ url: '/graphql', method: 'POST', answeredBy: 'route', ...cart, ...items }, 'POST /graphql #3')
  const fault = answer(200, '', 'reset')
  add({ url: '/payment/methods', answeredBy: 'fault', duration: 30.4, ...fault }, 'GET /payment/methods #1')
  const slow = { status: 503, duration: 1204, ...answer(503, { error: { message: 'Failed on request.' } }) }
  add({ url: '/orders/7', method: 'DELETE', answeredBy: 'override', ...slow })
  add({ url: '/graphql', method: 'POST', answeredBy: 'refused', status: 403, ...answer(403, {}) })
  const document = `mutation Checkout($cart: ID!, $express: Boolean) {
  checkout(cart: $cart, express: $express) {
    order { id state }
    payment { status }
  }
}`
  const variables = { cart: 'c-17', express: 'yes' }
  const sent = JSON.stringify({ query: document, operationName: 'Checkout', variables })
  const message = 'No route of POST /graphql matches.'
  const errors = [{ message, path: ['checkout'], locations: [{ line: 2, column: 3 }] }]
  add({
    url: '/graphql',
    method: 'POST',
    operationName: 'Checkout',
    operationType: 'mutation',
    variables: 'cart: c-17, express: yes',
    answeredBy: 'nothing',
    status: 404,
    body: { size: sent.length, text: sent, isCut: false },
    headers: { host: 'localhost:5173', 'content-type': 'application/json', 'x-tenant': 'a' },
    ...answer(404, { errors, data: null }),
    decision: {
      answeredBy: 'nothing',
      endpoint: 'POST /graphql',
      scenarios: [],
      summary: 'No route matched. Closest: "checkout" (variables.express).',
      candidates: [
        candidate('POST /graphql #1', {
          unmet: [differs('variables.express', 'true', 'boolean', '"yes"')],
        }),
        candidate('POST /graphql #2', { unmet: [differs('scenario', 'payment-down', 'scenario')] }),
        candidate('POST /graphql #3', { unmet: [differs('operationName', 'Cart', 'string', '"Checkout"')] }),
      ],
      more: 0,
    },
  })
  const frame = ['  20 |   path: /orders', '> 21 |   respnse: { body: [] }', '     |   ^^^^^^^'].join('\n')
  return {
    routes,
    requests,
    known: [
      { name: 'payment-down', routes: ['POST /graphql #2', 'GET /payment/methods #2'] },
      { name: 'new-customer', routes: ['GET /payment/methods #2'] },
    ],
    diagnostics: [
      {
        code: 'key-unknown',
        severity: 'error',
        message: 'Unknown key "respnse".',
        fix: 'Did you mean "response"?',
        file: 'fixtures/orders.yaml',
        line: 21,
        column: 3,
        frame,
      },
      {
        code: 'scenario-unknown',
        severity: 'warning',
        message: 'No route has the scenario "payment-dwn".',
        fix: 'Did you mean "payment-down"?',
      },
    ],
  }
}

/** Each text replaced by one that would run a script if it was taken for HTML. The texts that the page decides by stay. */
export function withScripts<Value>(value: Value): Value {
  return replaceTexts(value, '') as Value
}

const decidedBy = ['answeredBy', 'answers', 'severity', 'operationType', 'method']

function replaceTexts(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, key))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, replaceTexts(child, name)]))
  }
  if (typeof value !== 'string' || decidedBy.includes(key)) return value
  // Ids stay unique, and a body of JSON stays one.
  const script = '<img src=x onerror="ran()"><script>ran()</script>'
  const errors = [{ message: script, path: [script] }]
  if (key === 'text') return JSON.stringify({ [script]: [script], query: script, errors })
  return `${script}${value}`
}
