import { existsSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entry, har, json } from '../import/har.ts'
import { folderWith, runIn } from '../test-terminal.ts'

const origin = 'https://api.example.com'

const read = (root: string, name: string) => readFileSync(join(root, 'fixtures', name), 'utf8')

const order = `- path: /orders/:id
  example: { params: { id: 7 } }
  response: { body: { id: { $from: params.id, as: number } } }
`

const entries: { what: string; entries: unknown[]; args?: string[]; files: Record<string, string> }[] = [
  { what: 'a request of fetch', entries: [entry({ url: `${origin}/orders/7`, type: 'fetch' })], files: { 'orders-id.yaml': order } },
  {
    what: 'a request without a type, as in Firefox',
    entries: [entry({ url: `${origin}/orders/7`, headers: [{ name: 'Sec-Fetch-Dest', value: 'empty' }] })],
    files: { 'orders-id.yaml': order },
  },
  {
    what: 'content in base64',
    entries: [
      entry({
        url: `${origin}/orders/7`,
        content: { ...json({ id: 7 }), text: btoa('{"id":7}'), encoding: 'base64' },
      }),
    ],
    files: { 'orders-id.yaml': order },
  },
  {
    what: 'text in another charset, which is decoded already',
    entries: [
      entry({
        url: `${origin}/a`,
        type: 'xhr',
        content: { size: 2, mimeType: 'text/plain; charset=iso-8859-1', text: 'é' },
      }),
    ],
    files: { 'a.yaml': '- path: /a\n  response: { body: é }\n' },
  },
  {
    what: 'a body beside the file, as Playwright writes it',
    entries: [
      entry({
        url: `${origin}/orders/7`,
        content: { size: 8, mimeType: 'application/json', _file: 'beside.json' },
      }),
    ],
    files: { 'orders-id.yaml': order },
  },
  {
    what: 'bodies of requests beside the file, as Playwright writes them',
    entries: [
      entry({ method: 'POST', url: `${origin}/o`, postData: { mimeType: 'application/json', text: '', params: [], _file: 'beside.json' } }),
      entry({ method: 'POST', url: `${origin}/o`, postData: { mimeType: 'application/json', text: '{"id":8}' }, status: 400 }),
    ],
    files: {
      'o.post.yaml': `- method: POST
  path: /o
  example: { body: { id: 7 } }
  response: { body: { id: { $from: body.id, else: 7 } } }

- method: POST
  path: /o
  when: { body: { id: 8 } }
  response: { status: 400, body: { id: 7 } }
`,
    },
  },
  {
    what: 'a form that is a list of fields',
    entries: [
      entry({
        method: 'POST',
        url: `${origin}/f`,
        postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '1' }] },
      }),
      entry({
        method: 'POST',
        url: `${origin}/f`,
        postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '2' }] },
        status: 400,
      }),
    ],
    files: {
      'f.post.yaml': `- method: POST
  path: /f
  example: { body: { a: '1' } }
  response: { body: { id: 7 } }

- method: POST
  path: /f
  when: { body: { a: '2' } }
  response: { status: 400, body: { id: 7 } }
`,
    },
  },
  {
    what: 'requests in the order in which they started',
    entries: [
      entry({ url: `${origin}/n`, content: json(2), started: '2026-01-01T00:00:02.000Z' }),
      entry({ url: `${origin}/n`, content: json(1), started: '2026-01-01T00:00:01.000Z' }),
    ],
    files: { 'n.yaml': '- path: /n\n  response: [{ body: 1 }, { body: 2 }]\n' },
  },
  {
    what: 'only some URLs',
    entries: [entry({ url: `${origin}/v1/orders/7` }), entry({ url: 'https://ads.example.com/track' })],
    args: ['--url', 'api.example.com*/v1/', '--base', '/v1'],
    files: { 'orders-id.yaml': order },
  },
  {
    what: 'other origins than that of the page, which the browser names',
    entries: [
      entry({ url: 'https://shop.example/orders/7' }),
      entry({ url: `${origin}/orders/7`, headers: [{ name: 'Origin', value: 'https://shop.example' }] }),
      entry({ url: `${origin}/orders/8`, headers: [{ name: 'origin', value: 'https://shop.example' }] }),
      entry({
        method: 'POST',
        url: `${origin}/gql`,
        headers: [{ name: 'origin', value: 'https://shop.example' }],
        postData: { mimeType: 'application/json', text: '{"query":"query Hero { hero }"}' },
      }),
    ],
    args: ['--base', '/orders'],
    files: {
      '7.yaml': '- path: /7\n  response: { body: { id: 7 } }\n',
      'api-example-com-gql-hero.yaml': `- url: https://api.example.com/gql
  when: { operationName: Hero }
  response: { body: { id: 7 } }
`,
      'api-example-com-orders-id.yaml': `- url: https://api.example.com/orders/:id
  example: { params: { id: 7 } }
  response: { body: { id: { $from: params.id, as: number } } }

- url: https://api.example.com/orders/:id
  when: { params: { id: 8 } }
  response: { body: { id: 7 } }
`,
    },
  },
  {
    what: 'an origin that is the application\'s own',
    entries: [
      entry({ url: `${origin}/orders/7`, headers: [{ name: 'origin', value: 'https://shop.example' }] }),
      entry({ url: 'https://shop.example/me', content: json({ me: 1 }) }),
    ],
    args: ['--origin', 'https://API.example.com:443'],
    files: { 'orders-id.yaml': order, 'shop-example-me.yaml': '- url: https://shop.example/me\n  response: { body: { me: 1 } }\n' },
  },
  {
    what: 'only some types',
    entries: [
      entry({ url: `${origin}/orders/7`, type: 'fetch' }),
      entry({ url: `${origin}/p`, type: 'document', content: { size: 1, mimeType: 'text/html', text: 'a' } }),
    ],
    args: ['--only', 'document'],
    files: { 'p.yaml': '- path: /p\n  response: { headers: { content-type: text/html }, body: a }\n' },
  },
] // prettier-ignore

test.for(entries)('$what', async ({ entries, args = [], files }) => {
  const root = folderWith({ 'a.har': har(entries), 'beside.json': '{"id":7}' })
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har', ...args])
  expect({ exitCode, names: readdirSync(join(root, 'fixtures')) }, stderr).toEqual({
    exitCode: 0,
    names: Object.keys(files),
  })
  for (const [name, content] of Object.entries(files)) expect(read(root, name)).toBe(content)
})

test.for<[what: string, entry: unknown, line: string]>([
  ['a page', entry({ url: `${origin}/p`, type: 'document' }), 'a request: it is a page (GET https://api.example.com/p)'],
  ['a script by its content', entry({ url: `${origin}/a.js`, headers: [null as never], content: { mimeType: 'text/javascript', text: '1' } }), 'a request: it is a script (GET https://api.example.com/a.js)'],
  ['a favicon', entry({ url: `${origin}/f.ico`, type: 'other', content: { mimeType: 'image/x-icon', text: '' } }), 'a request: it is an image of the page (GET https://api.example.com/f.ico)'],
  ['a WebSocket', entry({ url: 'wss://api.example.com/s', type: 'websocket' }), 'a request: WebSockets are not imported (GET wss://api.example.com/s)'],
  ['an aborted request', entry({ url: `${origin}/a`, status: 0, content: { size: 0 } }), 'a request: it has no answer (GET /a)'],
  ['a body that is missing', entry({ url: `${origin}/a`, content: { size: 9, mimeType: 'application/json' } }), 'entry 1: its body is not in the file: export it "with content" (GET https://api.example.com/a)'],
  ['an entry that is no object', null, 'entry 1: it is not an object (an unknown request)'],
  ['an entry without a response', { request: { method: 'GET', url: `${origin}/a` } }, 'entry 1: its response is not an object (GET https://api.example.com/a)'],
  ['no request whose body is missing', entry({ method: 'POST', url: `${origin}/a`, headers: [{ name: 'Content-Length', value: '9' }] }), 'a request body: it is not in the file, so requests that differ in it alone share a route (POST https://api.example.com/a)'],
  ['the body of a request outside of the folder', entry({ method: 'POST', url: `${origin}/a`, postData: { text: '', _file: '../a.json' } }), 'entry 1: its body is in ../a.json, outside of the folder (POST https://api.example.com/a)'],
  ['a body outside of the folder', entry({ url: `${origin}/a`, content: { _file: '../a.json' } }), 'entry 1: its body is in ../a.json, outside of the folder (GET https://api.example.com/a)'],
  ['a body in a hidden file', entry({ url: `${origin}/a`, content: { _file: '.env' } }), 'entry 1: its body is in .env, a hidden file (GET https://api.example.com/a)'],
  ['a body in a link that leads out', entry({ url: `${origin}/a`, content: { _file: 'link' } }), 'entry 1: its body is in link, outside of the folder (GET https://api.example.com/a)'],
  ['a body in a folder', entry({ url: `${origin}/a`, content: { _file: 'sub' } }), 'entry 1: its body is in sub, which is not a file (GET https://api.example.com/a)'],
])('%s is skipped, and the rest is not', async ([, one, line]) => {
  const root = folderWith({
    'a.har': har([one, entry({ url: `${origin}/orders/7` })]),
    '.env': 'SECRET=1',
    'sub/a.txt': '',
  })
  symlinkSync(import.meta.filename, join(root, 'link'))
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har'])
  expect(stderr.split('\n')).toContain(`  ${line}`)
  expect(exitCode).toBe(0)
  expect(read(root, 'orders-id.yaml')).toBe(order)
}) // prettier-ignore

const orders = har([entry({ url: `${origin}/orders/7` })])

test('bodies of paths that are like fixture files are written under names of which nothing is said', async () => {
  const big = (path: string, mimeType: string) => {
    const text = mimeType.endsWith('json') ? '{"id":12345678901234567890}' : 'a'.repeat(9000)
    return entry({ url: `${origin}${path}`, type: 'fetch', content: { size: text.length, mimeType, text } })
  }
  const paths = [big('/big.json', 'application/json'), big('/x.cjs', 'text/plain'), big('/orders.yaml', 'text/plain'), big('/y.ts', 'application/node')]
  const root = folderWith({ 'a.har': har(paths) })
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har'])
  expect(exitCode).toBe(0)
  expect(stderr).not.toContain('fixture-name-unknown')
  const texts = readdirSync(join(root, 'fixtures')).filter((name) => name.endsWith('.txt'))
  expect(texts).toHaveLength(4)
}) // prettier-ignore

test('a file that ends in the middle gives what it has', async () => {
  const text = har([entry({ url: `${origin}/orders/7` }), entry({ url: `${origin}/orders/8` })])
  const root = folderWith({ 'a.har': text.slice(0, -80) })
  const { stderr } = await runIn(root, ['import', 'har', 'a.har'])
  expect(stderr).toContain('the rest of the file: it ends in the middle, after 1 entries')
  expect(read(root, 'orders-id.yaml')).toBe(order)
})

const plugin = { devDependencies: { 'unplugin-mock-api': '1' } }
test.each([
  ['a project with the plugin', plugin, [], 'start the dev server, which answers from these files.'],
  ['a folder of it', plugin, ['--out', 'fixtures/har'], 'start the dev server, which answers from these files.'],
  ['another folder', plugin, ['--out', 'mocks'], 'start the dev server, which answers from these files, once the option "fixtures" names mocks.'],
  ['any other', {}, [], 'run "npx unplugin-mock-api init", which adds the plugin to your dev server.'],
])('names the next step: %s', async (_, manifest, args, next) => {
  const root = folderWith({ 'package.json': JSON.stringify(manifest), 'a.har': har([entry({ url: `${origin}/n` })]) })
  const { stderr } = await runIn(root, ['import', 'har', 'a.har', ...args])
  // Progress is told where it takes long.
  expect(stderr.replace(/^(?:Reading|Comparing): .*\n/gm, '')).toBe(`\nNext: ${next}\n`)
}) // prettier-ignore

test('the first line of each file names the schema, where the package is installed', async () => {
  const schema = 'node_modules/unplugin-mock-api/fixture.schema.json'
  const root = folderWith({ [schema]: '{}', 'app/a.har': har([entry({ url: `${origin}/n`, content: json(1) })]) })
  const args = ['import', 'har', 'a.har', '--root', 'app', '--out', 'mocks/har']
  expect((await runIn(join(root, 'app'), args.toSpliced(3, 2))).exitCode).toBe(0)
  expect(readFileSync(join(root, 'app/mocks/har/n.yaml'), 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/node_modules\/unplugin-mock-api\/fixture\.schema\.json\n- path: \/n\n/,
  )
  expect((await runIn(join(root, 'app'), args.toSpliced(3, 2))).stdout).toContain('1 route, unchanged')
}) // prettier-ignore

test.each([
  ['fixture files', json(1), 0, '', ['n.yaml']],
  ['files of bodies, which no fixture file could name', { size: 1, mimeType: 'application/pdf', text: 'AA==', encoding: 'base64' }, 2, 'Name a folder in it with --out', undefined],
])('outside of the project: %s', async (_, content, exitCode, message, files) => {
  const root = folderWith({ 'app/a.har': har([entry({ url: `${origin}/n`, content })]) })
  const args = ['import', 'har', 'a.har', '--root', 'app', '--out']
  const ran = await runIn(root, [...args, '../made'])
  expect(ran.exitCode).toBe(exitCode)
  expect(existsSync(join(root, 'made')) ? readdirSync(join(root, 'made')) : undefined).toEqual(files)
  expect(ran.stderr).toContain(message)
  expect((await runIn(root, [...args, '.'])).exitCode).toBe(0)
}) // prettier-ignore

test('a file with other content is replaced only with --force, or after a yes', async () => {
  const root = folderWith({ 'a.har': orders, 'fixtures/orders-id.yaml': '- path: /mine\n' })
  const refused = await runIn(root, ['import', 'har', 'a.har'])
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toContain('--force replaces them')
  expect(refused.stdout).toBe('fixtures/orders-id.yaml  1 route, kept\n')
  const declined = await runIn(root, ['import', 'har', 'a.har'], false)
  expect(declined.questions).toEqual(['Replace fixtures/orders-id.yaml?'])
  expect(read(root, 'orders-id.yaml')).toBe('- path: /mine\n')
  expect((await runIn(root, ['import', 'har', 'a.har'], true)).exitCode).toBe(0)
  expect(read(root, 'orders-id.yaml')).toBe(order)
  const again = await runIn(root, ['import', 'har', 'a.har'])
  expect(again).toMatchObject({
    exitCode: 0,
    stdout: 'fixtures/orders-id.yaml  1 route, unchanged\n',
  })
  writeFileSync(join(root, 'fixtures/orders-id.yaml'), '')
  expect((await runIn(root, ['import', 'har', 'a.har', '--force'])).stdout).toContain('replaced')
})

test('a file that is saved while the question is open stays', async () => {
  const root = folderWith({ 'a.har': orders, 'fixtures/orders-id.yaml': '- path: /mine\n' })
  const save = () => {
    writeFileSync(join(root, 'fixtures/orders-id.yaml'), '- path: /mine-again\n')
    return true
  }
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har'], save)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it has changed since')])
  expect(read(root, 'orders-id.yaml')).toBe('- path: /mine-again\n')
})

test('--dry-run prints the files', async () => {
  const root = folderWith({ 'a.har': orders })
  const { exitCode, stdout } = await runIn(root, ['import', 'har', 'a.har', '--dry-run'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `# fixtures/orders-id.yaml\n${order}\n` })
  expect(existsSync(join(root, 'fixtures'))).toBe(false)
})

test('routes that clash with those in the folder are reported', async () => {
  const root = folderWith({
    'a.har': har([entry({ url: `${origin}/n` })]),
    'fixtures/mine.yaml': '- path: /n\n',
  })
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('default route')
})

const operation = (url: string) => {
  const text = JSON.stringify({ operationName: 'Hero', query: 'query Hero { a }' })
  return entry({ method: 'POST', url, postData: { mimeType: 'application/json', text } })
}

test('operations at another path need an option, which is said', async () => {
  const root = folderWith({ 'a.har': har([operation(`${origin}/api/graphql`)]) })
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har'])
  expect(exitCode).toBe(0)
  expect(stderr).toContain('Set the option graphql: { path: ["/api/graphql"] } of the plugin')
  expect(read(root, 'api-graphql-hero.yaml')).toContain('when: { operationName: Hero }')
})

test('a path is below the base only where a segment ends', async () => {
  const root = folderWith({
    'a.har': har(['api/v2/graphql', 'apis/graphql'].map((path) => operation(`${origin}/${path}`))),
  })
  const { stderr } = await runIn(root, ['import', 'har', 'a.har', '--base', '/api/'])
  expect(stderr).toContain('Set the option graphql: { path: ["/v2/graphql"] } of the plugin')
  expect(readdirSync(join(root, 'fixtures'))).toEqual(['v2-graphql-hero.yaml'])
})

test.each([
  ['/api/orders', '/orders'],
  ['/orders', '/orders'],
])('%s of a recording, with the base of the plugin, becomes %s', async (recorded, path) => {
  const root = folderWith({
    'a.har': har([entry({ url: `${origin}${recorded}` })]),
    'vite.config.js':
      "import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi({ base: '/api' })] }",
  })
  await runIn(root, ['import', 'har', 'a.har'])
  expect(read(root, 'orders.yaml')).toContain(`- path: ${path}\n`)
})

test('more than 300 MB of bodies are refused, those of requests included', async () => {
  const root = folderWith({
    'a.har': har([
      entry({ url: `${origin}/a`, content: { _file: 'large.bin' } }),
      entry({ method: 'POST', url: `${origin}/a`, postData: { text: 'a' }, content: {} }),
    ]),
    'large.bin': '',
  })
  truncateSync(join(root, 'large.bin'), 300_000_000) // a hole: it takes no room
  const { exitCode, stderr } = await runIn(root, ['import', 'har', 'a.har'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('The bodies in the HAR file have more than 300 MB.')
})

test.for([
  { what: 'a file that is missing', name: 'b.har', content: orders, exitCode: 2, message: 'There is no file' },
  { what: 'a file that is not a HAR file', name: 'a.har', content: '<html>', exitCode: 1, message: 'is not a HAR file' },
  { what: 'a file without entries', name: 'a.har', content: '{}', exitCode: 1, message: 'has no requests. In a HAR file' },
  { what: 'an empty file', name: 'a.har', content: '', exitCode: 1, message: 'is not a HAR file' },
])('$what', async ({ name, content, exitCode, message }) => {
  const root = folderWith({ 'a.har': content })
  const ran = await runIn(root, ['import', 'har', name])
  expect(ran.exitCode).toBe(exitCode)
  expect(ran.stderr).toContain(message)
}) // prettier-ignore
