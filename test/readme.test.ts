/* Runs every example of the README: commands, configs, fixture files, and the answers that it shows. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createNetServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { resolveOptions, type MiddlewareOptions, type Options } from '../src/core/options/options.ts'
import { createProjectInPackage, type TestProject } from './hosts/test-project.ts'
import { sendTo } from './http.ts'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language: language!,
  text: text!,
  /** The file that the first line names. */
  file: /^(?:#|\/\/) (\S+\.\w+)$/m.exec(text!.split('\n')[0]!)?.[1],
}))
const block = (file: string) => blocks.find((candidate) => candidate.file === file)!.text

function origin(server: ViteDevServer): string {
  return `http://127.0.0.1:${(server.httpServer!.address() as AddressInfo).port}`
}

async function startVite(root: string): Promise<ViteDevServer> {
  const server = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
  })
  return server.listen()
}

it('the commands for a clone exist', () => {
  for (const command of ['npm ci && npm run dev', 'npm ci && npm test']) {
    expect(blocks.map(({ text }) => text.trim())).toContain(command)
    expect(scripts).toHaveProperty(command.split(' ').at(-1)!)
  }
})

describe('the Vite config', () => {
  let server: ViteDevServer
  let project: TestProject
  beforeAll(async () => {
    project = createProjectInPackage({ 'vite.config.ts': block('vite.config.ts') })
    server = await startVite(project.root)
  })
  afterAll(async () => {
    await server.close()
    project.close()
  })

  const curls = blocks.flatMap(({ text }, index) =>
    text.startsWith('curl ') ? [{ command: text.trim(), index }] : [],
  )
  it.each(curls)('$command', async ({ command, index }) => {
    const { body, url } = /^curl (?:-d '(?<body>.*)' )?'?http:\/\/localhost:5173(?<url>[^']*)'?$/.exec(
      command,
    )!.groups!
    const response = await sendTo(origin(server))({
      method: body ? 'POST' : 'GET',
      url: url!,
      ...(body && { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    })
    expect(response.status).toBe(200)
    expect(JSON.parse(response.text)).toEqual(JSON.parse(blocks[index + 1]!.text))
  })
  it('the README has two curl commands', () => expect(curls).toHaveLength(2))
})

it.each(['webpack.config.mjs', 'rspack.config.mjs', 'rsbuild.config.ts'])(
  '%s is the same file as in the playground',
  (file) => {
    const config = block(file).split('\n').slice(1).join('\n')
    const playground = readFileSync(join(packageRoot, 'playground', file), 'utf8')
    // The playground has a fixture file besides, which breaks a line.
    const own = playground.replace("mockApi({ fixtures: ['templates', 'fixtures'] })", 'mockApi()')
    const inOneLine = (text: string) => text.replace(/,?\s+/g, '')
    expect(inOneLine(config)).toBe(inOneLine(own))
  },
)

it('the worker', async () => {
  const project = createProjectInPackage({ 'worker.ts': block('worker.ts') })
  type Worker = { default: { fetch: (request: Request) => Promise<Response> } }
  const { default: worker } = (await import(join(project.root, 'worker.ts'))) as Worker
  project.close()
  const found = await worker.fetch(new Request('http://localhost/orders/1'))
  expect([found.status, await found.json()]).toEqual([200, { id: 7 }])
  expect((await worker.fetch(new Request('http://localhost/other'))).status).toBe(404)
})

it('the connect server', async () => {
  const probe = createNetServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const project = createProjectInPackage({ 'server.mjs': block('server.js').replace('3000', String(port)) })
  const child = spawn(process.execPath, ['server.mjs'], { cwd: project.root, stdio: 'ignore' })
  try {
    const send = sendTo(`http://127.0.0.1:${port}`)
    const response = await vi.waitFor(() => send({ url: '/items?page=2' }), 30_000)
    expect(JSON.parse(response.text)).toMatchObject({ page: 2, has_more: true })
  } finally {
    child.kill()
    project.close()
  }
})

describe('the fixture files', () => {
  let server: ViteDevServer
  let project: TestProject
  beforeAll(async () => {
    project = createProjectInPackage({
      'vite.config.ts': block('vite.config.ts'),
      'fixtures/orders.yaml': block('fixtures/orders.yaml'),
      'fixtures/greeting.ts': block('fixtures/greeting.ts'),
      'fixtures/invoice.txt': 'Invoice\n',
      'fixtures/search.yaml': block('fixtures/search.yaml'),
      'fixtures/lists.yaml': block('fixtures/lists.yaml'),
      'fixtures/heroes.yaml': block('fixtures/heroes.yaml'),
      'fixtures/checkout.yaml': block('fixtures/checkout.yaml'),
      'fixtures/payment.yaml': block('fixtures/payment.yaml'),
      'fixtures/people.json': '[{"id":1},{"id":2},{"id":3}]',
    })
    server = await startVite(project.root)
  })
  afterAll(async () => {
    await server.close()
    project.close()
  })

  const search = { method: 'POST', url: '/orders/search' }
  const json = { 'content-type': 'application/json' }
  const graphql = { method: 'POST', url: '/graphql', headers: json }
  it.each([
    { request: { url: '/orders/7' }, status: 200, body: { id: 7, state: 'open' } },
    { request: { url: '/orders/404' }, status: 404, body: { code: 'not_found' } },
    {
      request: {
        ...search,
        headers: { ...json, 'x-tenant': 'a' },
        body: '{"filter":{"state":"open"},"page":1}',
      },
      status: 200,
      body: [{ id: 7 }],
    },
    {
      request: { ...search, headers: { ...json, 'x-tenant': 'a' }, body: '{"filter":{"state":"closed"}}' },
      status: 404,
      body: {
        error: {
          code: 'route-unmatched',
          routes: [{ route: 'open orders of tenant a', selector: 'body.filter.state' }],
        },
      },
    },
    {
      request: { url: '/orders' },
      status: 200,
      body: { page: 1, has_more: true, data: [{ id: 5 }, { id: 6 }] },
    },
    {
      request: { url: '/orders?page=2' },
      status: 200,
      body: { page: 2, has_more: false, data: [{ id: 7 }] },
    },
    { request: { url: '/orders/7/invoice' }, status: 200, body: 'Invoice\n' },
    {
      request: {
        method: 'POST',
        url: '/graphql',
        headers: json,
        body: JSON.stringify({
          query: 'mutation RenameOrder($id: ID!) {\n  renameOrder(id: $id)\n}',
          variables: { id: '7' },
        }),
      },
      status: 200,
      body: { data: { renameOrder: null }, errors: [{ locations: [{ line: 2, column: 3 }] }] },
    },
    { request: { url: '/search?q=Nothing', headers: { 'x-tenant': 'b' } }, status: 200, body: [] },
    {
      request: { url: '/search?q=some', headers: { 'x-tenant': 'b' } },
      status: 404,
      body: { error: { routes: [{ selector: 'query.q' }] } },
    },
    {
      request: {
        method: 'POST',
        url: '/search',
        headers: json,
        body: '{"state":"new","lines":[{"sku":"y","amount":99},{"sku":"x","amount":10}]}',
      },
      status: 200,
      body: [{ id: 7 }],
    },
    {
      request: { url: '/people?offset=1' },
      status: 200,
      body: { offset: 1, count: 3, has_more: false, results: [{ id: 2 }, { id: 3 }] },
    },
    {
      request: {
        ...graphql,
        body: JSON.stringify({
          query:
            'query ($big: Boolean = false) { all: heroes { id ...D ... on Human { height @skip(if: $big) } } } fragment D on Droid { does: primaryFunction }',
          variables: { big: true },
        }),
      },
      status: 200,
      body: { data: { all: [{ id: '2001', does: 'Astromech' }, { id: '1000' }] } },
    },
    {
      request: {
        ...graphql,
        body: JSON.stringify({ query: 'query Q {\n hero(episode:EMPIRE){name __typename}}' }),
      },
      status: 200,
      body: { data: { hero: { name: 'Luke Skywalker' } } },
    },
    {
      request: {
        ...graphql,
        body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ecf4edb46db4"}}}',
      },
      status: 200,
      body: { data: { heroes: [] } },
    },
    { request: { url: '/checkout/rates' }, status: 200, body: [] },
    { request: { url: '/checkout/stock' }, status: 200, body: { left: 3 } },
    { request: { url: '/checkout/report' }, status: 200, body: { lines: [1, 2, 3] } },
    { request: { url: '/checkout/quota' }, status: 200, body: { left: 1 } },
    { request: { url: '/checkout/quota' }, status: 200, body: { left: 1 } },
    { request: { url: '/checkout/quota' }, status: 429, body: { error: { code: 'rate-limited' } } },
    { request: { method: 'POST', url: '/payment' }, status: 201, body: { paid: true } },
    {
      request: { method: 'POST', url: '/payment', headers: { 'x-mock-scenario': 'payment-down' } },
      status: 503,
      body: { code: 'provider_down' },
    },
    { request: { url: '/payment/7' }, status: 200, body: { state: 'pending' } },
    { request: { url: '/payment/7' }, status: 200, body: { state: 'pending' } },
    { request: { url: '/payment/7' }, status: 200, body: { state: 'paid' } },
    { request: { url: '/payment/7' }, status: 200, body: { state: 'paid' } },
    { request: { url: '/payment/8' }, status: 200, body: { state: 'pending' } },
    { request: { url: '/greeting/Ada' }, status: 200, body: { text: 'Hello, Ada!' } },
    { request: { url: '/greeting/Ada?word=Ciao' }, status: 200, body: { text: 'Ciao, Ada!' } },
    { request: { url: `/greeting/${'a'.repeat(21)}` }, status: 422, body: { code: 'too_long' } },
  ])('$request.method $request.url', async ({ request, status, body }) => {
    const response = await sendTo(origin(server))(request)
    expect(response.status).toBe(status)
    if (typeof body === 'string') expect(response.text).toBe(body)
    else expect(JSON.parse(response.text)).toMatchObject(body)
  })

  it('POST /checkout breaks the connection', async () => {
    await expect(sendTo(origin(server))({ method: 'POST', url: '/checkout' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
  })

  it('take the place of the templates', async () => {
    const response = await sendTo(origin(server))({ url: '/items', headers: { accept: 'text/html' } })
    expect(response.text).toContain('the page of the project')
  })
})

describe('the options', () => {
  const section = readme.slice(readme.indexOf('## Options'), readme.indexOf('## What happens'))
  const rowsOf = (text: string) =>
    [...text.matchAll(/^\| `([\w.]+)` +\| (.*?) +\|/gm)].map(([, key, value]) => ({
      key: key!,
      value: value!,
    }))
  const graphqlRows = rowsOf(readme).filter(({ key }) => key.startsWith('graphql.'))
  const rows = [...rowsOf(section), ...graphqlRows]
  const logger = { info() {}, warn() {}, error() {} }
  const resolved = resolveOptions({}, { root: '/project', logger })
  const { paths, ...graphql } = resolved.graphql
  const graphqlDefaults = { path: paths[0], ...graphql }
  const defaults: Record<string, unknown> = {
    ...resolved,
    ...Object.fromEntries(Object.entries(graphqlDefaults).map(([key, value]) => [`graphql.${key}`, value])),
    fixtures: resolved.fixtures[0],
    inspector: resolved.inspector.dev,
    logLevel: 'info',
  }

  it.each(rows.filter(({ value }) => value.startsWith('`')))(
    '$key has the default $value',
    ({ key, value }) => {
      const text = typeof defaults[key] === 'string' ? `'${defaults[key]}'` : String(defaults[key])
      expect(`\`${text}\``).toBe(value)
    },
  )

  it('the README lists all options', () => {
    const every: Required<MiddlewareOptions & Options> = {
      root: '.',
      fixtures: '.',
      base: '',
      enabled: true,
      unmatched: 'error',
      navigation: 'answer',
      scenario: [],
      bodyLimit: 1,
      functionTimeout: 1,
      routeHeader: true,
      graphql: {},
      logLevel: 'info',
      logger,
      watch: true,
      inspector: true,
      record: true,
      build: 'service-worker',
      cors: true,
      allowedHosts: true,
    }
    const expected = Object.keys(every).filter((key) => key !== 'graphql')
    expect(
      rowsOf(section)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(expected.toSorted())
    const own = Object.keys(graphqlDefaults).map((key) => `graphql.${key}`)
    expect(graphqlRows.map(({ key }) => key).toSorted()).toEqual(own.toSorted())
  })
})

it('the message about a wrong key is the one that the terminal shows', async () => {
  const { createMiddleware } = await import('../src/connect.ts')
  const project = createProjectInPackage({ 'fixtures/orders.yaml': '- path: /orders/:id\n  respnse: {}\n' })
  const errors: string[] = []
  const logger = { info() {}, warn() {}, error: (message: string) => void errors.push(message) }
  const middleware = createMiddleware({ root: project.root, logger, watch: false })
  await middleware.ready
  await middleware.close()
  project.close()
  expect(errors).toEqual([`[mock-api] ${blocks.find(({ language }) => language === 'txt')!.text.trimEnd()}`])
})
