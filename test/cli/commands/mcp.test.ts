/* The command over standard input and output, with dev servers that run, that do not, and that begin later. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answerLines, type McpOptions } from '../../../src/cli/commands/mcp.ts'
import { createMiddleware } from '../../../src/connect.ts'
import { ownCertificate } from '../../hosts/certificate.ts'
import { closeServer, freePort, listen } from '../../hosts/serve.ts'
import { apiServer, startApiServer } from '../../inspector/server/api-server.ts'
import { folderWith } from '../test-terminal.ts'

interface Answer {
  id?: number
  error?: { code: number }
  result?: {
    isError?: boolean
    serverInfo?: { title: string }
    tools?: { name: string }[]
    content?: { text: string }[]
  }
}

/** An agent that sends messages, and gets their answers. */
function start(cwd: string, options: McpOptions) {
  const input = new PassThrough()
  const answers: Answer[] = []
  const terminal = {
    cwd,
    isInteractive: false,
    print: (text: string) => void answers.push(JSON.parse(text) as Answer),
    note: () => {},
    style: (_: unknown, text: string) => text,
    confirm: () => Promise.resolve(false),
  }
  const ended = answerLines(terminal, options, input)
  let id = 0
  async function ask(method: string, params: object = {}): Promise<Answer> {
    const own = ++id
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`)
    return vi.waitFor(
      () => answers.find((answer) => answer.id === own) ?? Promise.reject(new Error(method)),
      30_000,
    )
  }
  const call = async (name: string, args: object = {}) =>
    (await ask('tools/call', { name, arguments: args })).result!.content![0]!.text
  return { input, answers, ended, ask, call }
}

const shop = {
  'package.json': '{ "name": "shop-of-a-test" }',
  'fixtures/a.yaml': '- { name: one, path: /a, response: {} }\n',
}

async function serve(files: Record<string, string>) {
  const server = await apiServer(files)
  return { ...server, port: new URL(server.origin).port }
}

it('answers line by line until the input ends, changes too, and nothing else goes to the output', async () => {
  const server = await serve({ ...shop, 'fixtures/b.yaml': '- { path: /a, scenario: dark, response: {} }\n' })
  const { ask, call, input, ended, answers } = start(folderWith(shop), { url: server.origin })
  expect((await ask('initialize', { protocolVersion: '2025-11-25' })).result?.serverInfo?.title).toBe(
    'Mock API of shop-of-a-test',
  )
  const tools = (await ask('tools/list')).result!.tools!.map(({ name }) => name)
  expect(tools).toEqual(expect.arrayContaining(['list_requests', 'write_fixture', 'choose_server']))
  expect(await call('list_routes')).toContain('"GET /a #one"')
  expect(await call('set_scenario', { scenario: ['dark'] })).toContain('"scenario":["dark"]')
  expect(await call('set_scenario', { scenario: ['drak'] })).toContain('api-scenario-unknown')
  input.write('{\n\n')
  input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' })}\n`)
  expect(await ended).toBe(0)
  expect(answers.at(-2)).toMatchObject({ error: { code: -32700 } })
  expect(answers.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last', result: {} })
})

it('finds the dev server of the project on a port that its files name, among others', async () => {
  const [own, other] = await Promise.all([
    serve(shop),
    serve({ ...shop, 'package.json': '{ "name": "admin-of-a-test" }' }),
  ])
  const root = folderWith({
    'package.json': `{ "name": "shop-of-a-test", "scripts": { "dev": "vite --port ${own.port}" } }`,
    'vite.config.ts': `export default { server: { port: ${other.port} } }\n`,
  })
  await own.send('/a?own')
  const { call, input, ended } = start(root, {})
  expect(await call('list_requests')).toContain('/a?own')
  input.end()
  await ended
})

it('finds the dev server of the project on any port, and believes nothing else that is left there', async () => {
  const root = folderWith({ ...shop, 'node_modules/README': '' })
  const middleware = createMiddleware({ root, logLevel: 'silent' })
  const server = createHttpServer(middleware)
  const origin = await listen(server)
  onTestFinished(() => middleware.close())
  const clone = await serve(shop)
  await Promise.all([fetch(`${origin}/a?own`), clone.send('/a?clone')])
  const folder = join(root, 'node_modules/.cache/unplugin-mock-api/servers')
  const [file] = readdirSync(folder)
  const ended = '2147483647-5173-1.json' // no process has this number
  const nothing = { root, origin: 'http://127.0.0.1:1' }
  const elsewhere = { root, origin: 'https://example.invalid' }
  writeFileSync(join(folder, ended), JSON.stringify({ root, origin: clone.origin }))
  for (const [index, text] of [
    '{',
    '1',
    ...[{}, nothing, elsewhere].map((one) => JSON.stringify(one)),
  ].entries())
    writeFileSync(join(folder, `${process.pid}-1-${index}.json`), text)
  writeFileSync(join(folder, 'mine.json'), JSON.stringify({ root, origin: clone.origin }))
  writeFileSync(join(root, 'package.json'), `{ "name": "shop-of-a-test", "port": ${clone.port} }`)
  const { call, input, ended: done } = start(root, {})
  expect(await call('list_requests')).toContain('/a?own')
  expect(readdirSync(folder)).not.toContain(ended)
  await closeServer(server)
  expect(readdirSync(folder)).not.toContain(file)
  expect(readdirSync(folder)).toContain('mine.json')
  input.end()
  await done
})

it.each(['', 'a file'])('serves where it can not leave its address: %j', async (cache) => {
  const server = await serve({ ...shop, ...(cache && { 'node_modules/.cache': cache }) })
  expect((await server.send('/a')).status).toBe(200)
  expect(existsSync(join(server.project.root, 'node_modules'))).toBe(cache !== '')
})

it('asks which one is meant where several run', async () => {
  const [one, two] = await Promise.all([serve(shop), serve(shop)])
  const root = folderWith({
    'package.json': `{ "name": "shop-of-a-test", "scripts": { "a": "PORT=${one.port} x", "b": "x -p ${two.port}" } }`,
  })
  await two.send('/a?two')
  const { call, input, ended } = start(root, {})
  const question = await call('list_requests')
  for (const text of [
    'Several dev servers are running',
    one.origin.replace('127.0.0.1', 'localhost'),
    'choose_server',
  ])
    expect(question).toContain(text)
  await call('choose_server', { server: two.origin.replace('127.0.0.1', 'localhost') })
  expect(await call('list_requests')).toContain('/a?two')
  input.end()
  await ended
})

it('answers where no dev server runs, and where it has ended', async () => {
  const server = await startApiServer(shop)
  await server.close()
  const root = folderWith({ 'package.json': '{ "name": "no-server-of-this-name" }' })
  const { ask, call, input, ended } = start(root, { url: server.origin })
  expect((await ask('resources/list')).result).toBeDefined()
  expect(await call('list_routes')).toContain('Start it, and try again')
  const later = await serve(shop)
  const { call: callLater, ...rest } = start(root, { url: later.origin })
  expect(await callLater('list_routes')).toContain('"GET /a #one"')
  await later.close()
  expect(await callLater('list_routes')).toContain('There is no control API')
  expect(await callLater('list_routes')).toContain('Start it, and try again')
  for (const one of [input, rest.input]) one.end()
  await Promise.all([ended, rest.ended])
})

it.each(['with --url', 'on a port that its files name'])('asks a dev server over HTTPS, %s', async (how) => {
  const root = folderWith(shop)
  const middleware = createMiddleware({ root })
  const secure = createServer(await ownCertificate(), (req, res) => middleware(req, res))
  const address = new URL((await listen(secure)).replace('http:', 'https:'))
  onTestFinished(() => Promise.all([middleware.close(), closeServer(secure as never)]).then(() => {}))
  const scripts = `{ "name": "shop-of-a-test", "scripts": { "dev": "vite --port ${address.port}" } }`
  const own = how === 'with --url' ? root : folderWith({ 'package.json': scripts })
  const { call, input, ended } = start(own, how === 'with --url' ? { url: address.href } : {})
  expect(await call('list_routes')).toContain('"GET /a #one"')
  expect(await call('set_scenario', { scenario: ['drak'] })).toContain('api-scenario-unknown')
  input.end()
  await ended
})

it('with --serve, it answers from the fixture files until the input ends, also beside a server of another project', async () => {
  const [port, other] = [Number(await freePort()), await serve(shop)]
  const scripts = `{ "name": "no-server-of-this-name", "scripts": { "dev": "x -p ${other.port}" } }`
  const root = folderWith({ ...shop, 'package.json': scripts })
  const { call, input, ended } = start(root, { serve: true, port })
  expect(await call('list_routes')).toContain('"GET /a #one"')
  const asked = `http://localhost:${port}/a`
  expect((await fetch(asked)).status).toBe(200)
  expect(await call('list_requests')).toContain('"url":"/a"')
  input.end()
  expect(await ended).toBe(0)
  await expect(fetch(asked)).rejects.toThrow()
})
