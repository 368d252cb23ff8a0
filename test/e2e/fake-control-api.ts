import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type {
  Edit,
  EditRequest,
  Overrides,
  RealDifference,
  RequestDetails,
  StreamEvent,
} from '../../src/inspector/api/api.ts'
import { servePage } from '../../src/inspector/server/serve-page.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import type { Inspected } from './inspected-requests.ts'

export type FakeServer = Awaited<ReturnType<typeof startFakeServer>>

const newText = `- name: checkout
  method: POST
  path: /graphql
  when:
    operationName: Checkout
    variables: { express: 'yes' }
`

/** The inspector's page, served as it is, and a control API that says what a test wants. */
export async function startFakeServer(inspected: Inspected, others: Record<string, () => unknown> = {}) {
  const { routes, requests, diagnostics, known } = inspected
  const streams = new Set<ServerResponse>()
  /** What was sent to the API with PUT and POST: method, path and body. */
  const sent: [method: string, path: string, body: unknown][] = []
  let overrides: Overrides = {}
  let scenario: string[] = []
  let isStopped = false

  const report = ({ event, data }: StreamEvent) => {
    for (const stream of streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const stateChanged = () => report({ event: 'state', data: { scenario, overrides } })

  const proposeEdit = (body: unknown): Edit => {
    const {
      route,
      file = route === undefined ? 'fixtures/checkout-2.yaml' : 'fixtures/checkout.yaml',
      text,
    } = body as EditRequest
    return {
      file,
      text: text ?? newText,
      // The file changes while the text is typed.
      version: text === undefined ? 'before' : 'after',
      diff: "@@ -5,3 +5,3 @@\n     operationName: Checkout\n-    variables: { express: true }\n+    variables: { express: 'yes' }",
      diagnostics: [],
      answer: { answeredBy: 'route', route: { id: 'POST /graphql #1', name: 'checkout', file, line: 2 } },
      notes: route === undefined ? ['The answer is an example: nothing has answered this request.'] : [],
      files: ['fixtures/checkout.yaml', 'fixtures/orders.yaml'],
    }
  }
  const answers: Record<string, (body: unknown, query: URLSearchParams) => unknown> = {
    'GET requests': (_, query) => ({
      requests: requests
        .filter(({ answeredBy }) => query.has('passed') || answeredBy !== 'passed-on')
        .filter(({ body, response }) =>
          JSON.stringify([body, response])
            .toLowerCase()
            .includes(query.get('search') ?? ''),
        )
        .toReversed(),
      capacity: 500,
    }),
    'GET routes': () => ({ routes }),
    'GET diagnostics': () => ({ diagnostics }),
    'GET graphql-schema': () => ({
      sdl: 'type Query { hero: Hero } type Hero { name: String friends: [Hero] }',
    }),
    'GET scenario': () => ({ scenario, known }),
    'GET overrides': () => overrides,
    'GET record': () => ({
      recording: false,
      folder: 'fixtures/recorded',
      answers: 0,
      files: [],
      omitted: [],
    }),
    'GET reality': () => ({
      target: 'https://staging.example',
      compare: true,
      total: 1,
      compared: 1,
      accepted: 0,
      differences: [difference],
    }),
    'PUT scenario': (body) => ({ scenario } = body as { scenario: string[] }),
    'PUT overrides': (body) => (overrides = body as Overrides),
    'POST reset': () => ([overrides, scenario] = [{}, []]),
    'POST explain': () => requests.at(-1)!.decision,
    'POST edit': proposeEdit,
    'PUT edit': (body) => ({ file: (body as Edit).file, line: 6 }),
    'DELETE edit': () => ({ file: 'fixtures/checkout.yaml', line: 6 }),
    'POST import': (body) => ({
      kind: 'a HAR file',
      summary: '2 answers written to 1 file.',
      files: [{ file: 'fixtures/imported/orders.yaml', routes: 2 }],
      isWritten: !(body as { dryRun?: boolean }).dryRun,
      omitted: [{ what: 'a request', why: 'it is an image of the page', where: 'GET /logo.png', count: 1 }],
    }),
    'POST open': () => ({ opened: 'it' }),
    'GET sad-paths': () => ({ sadPaths: [], more: 0 }),
    ...others,
  }

  async function serveApi(req: IncomingMessage, res: ServerResponse, path: string, query: URLSearchParams) {
    if (path === 'requests/stream') {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 100\n\n')
      streams.add(res)
      res.once('close', () => streams.delete(res))
      return stateChanged()
    }
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    if (req.method !== 'GET') sent.push([req.method!, path, body])
    const [, id] = path.split('/')
    const found = answers[`${req.method} ${path}`]?.(body, query)
    const answer = found ?? requests.find((request) => String(request.id) === id)
    if (req.method === 'PUT' || path === 'reset') stateChanged()
    const error = { message: 'There is no such request.', code: 'none', fix: 'The server was started again.' }
    res.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(answer ?? { error }))
  }

  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://localhost')
    const path = pathname.slice('/__mock-api/'.length)
    if (isStopped) return void req.socket.destroy()
    if (!pathname.startsWith('/__mock-api/')) return void res.end('{}') // a request that is sent again
    if (path.startsWith('api/')) return void serveApi(req, res, path.slice(4), searchParams)
    void servePage(req, res, `/${path}`).then((isServed) => isServed || res.writeHead(404).end())
  })
  const url = `${await listen(server)}/__mock-api/`
  return {
    /** Where the inspector is. */
    url,
    sent,
    report,
    /** Records a request, and reports it to open pages. */
    add(request: RequestDetails) {
      requests.push(request)
      report({ event: 'request', data: request })
    },
    /** Ends the open streams, and refuses everything until `start`. */
    stop() {
      isStopped = true
      for (const stream of streams) stream.destroy()
    },
    start: () => void (isStopped = false),
    close: () => closeServer(server),
  }
}

const difference: RealDifference = {
  ...{
    id: 'GET /users/:id key-gone zip',
    code: 'against-key-gone',
    severity: 'error',
    route: 'GET /users/:id #',
  },
  ...{ message: `"${'zip'.repeat(100)}" is gone.`, fix: 'Rename it.', endpoint: 'GET /users/:id' },
  ...{ file: 'fixtures/users.yaml', line: 7, column: 3, sent: ['GET /users/1'], alsoIn: ['GET /users'] },
  ...{ ours: '{ "zip": "<b>8010</b>" }', theirs: '{ "postalCode": "8010" }', canTake: true },
}
