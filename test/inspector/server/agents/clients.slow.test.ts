/*
 * The official conformance suite, for both versions of the protocol, and clients that others wrote. Each is installed into a
 * temporary folder. The suite needs Node 22.
 */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerMessage, type McpServer } from '../../../../src/inspector/server/agents/protocol.ts'
import { closeServer, listen } from '../../../hosts/serve.ts'
import { npm } from '../../../installed/install.ts'
import { startApiServer, type ApiServer } from '../api-server.ts'

const execute = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'mcp-'))
const url = (origin: string) => `${origin}/__mock-api/mcp`

let app: ApiServer
beforeAll(async () => {
  app = await startApiServer({ 'fixtures/a.yaml': '- { name: one, path: /a, response: {} }\n' })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const own = ['conformance@0.2.0-alpha.12', 'sdk@1.32.2', 'inspector@2.12.0']
  await npm.add(folder, ...own.map((name) => `@modelcontextprotocol/${name}`))
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, maxRetries: 3 })
  await app.close()
})

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

async function conform(address: string, version: string, scenario: string): Promise<Check[]> {
  const out = mkdtempSync(join(folder, 'out-'))
  const main = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const args = ['server', '--url', address, '--spec-version', version, '--scenario', scenario, '-o', out]
  // It ends with 1 where a check fails, which is looked at below.
  await execute(process.execPath, [main, ...args], { maxBuffer: 10_000_000 }).catch(() => {})
  const [run] = readdirSync(out)
  return JSON.parse(readFileSync(join(out, run!, 'checks.json'), 'utf8')) as Check[]
}

const failuresOf = (checks: readonly Check[]) =>
  checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`)
const both = ['2025-11-25', '2026-07-28']

/** Tools of the suite that write a log, ask back, or need a capability of the client. No tool here does. */
const notOurs = /Not testable: server does not list the diagnostic tool/

describe.skipIf(process.version.startsWith('v20.'))('the conformance suite', () => {
  it.each([
    ...['server-initialize', 'ping'].map((scenario) => ['2025-11-25', scenario] as const),
    ...both.flatMap((version) =>
      ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'].map(
        (scenario) => [version, scenario] as const,
      ),
    ),
    ...['server-stateless', 'caching', 'http-header-validation', 'sep-2164-resource-not-found'].map(
      (scenario) => ['2026-07-28', scenario] as const,
    ),
  ])('%s, %s, at the endpoint', async (version, scenario) => {
    const checks = await conform(url(app.origin), version, scenario)
    expect(failuresOf(checks).filter((failure) => !notOurs.test(failure))).toEqual([])
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true)
  })

  /** Its scenarios for tools and resources need those that it names. */
  const text = { type: 'text', text: 'This is a simple text response for testing.' }
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const image = { type: 'image', data: pixel, mimeType: 'image/png' }
  const embedded = {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  }
  const results: Record<string, object> = {
    // One answer, and nothing before it: the suite looks for messages that a stream must not have.
    test_logging_tool: { content: [text] },
    test_streaming_elicitation: { content: [text] },
    test_simple_text: { content: [text] },
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' }] },
    test_embedded_resource: { content: [embedded] },
    test_multiple_content_types: { content: [text, image, embedded] },
    test_error_handling: {
      content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
      isError: true,
    },
  }
  const saying = (...content: object[]) => ({
    messages: content.map((one) => ({ role: 'user', content: one })),
  })
  const prompts: Record<string, (given: unknown) => object> = {
    test_simple_prompt: () => saying(text),
    test_prompt_with_arguments: (given) => saying({ type: 'text', text: JSON.stringify(given) }),
    test_prompt_with_embedded_resource: () => saying(embedded, text),
    test_prompt_with_image: () => saying(image, text),
  }
  const suite: McpServer = {
    title: 'Suite',
    version: '1',
    instructions: '',
    toolNames: Object.keys(results),
    call: (name) => Promise.resolve(results[name]!),
    listTools: () =>
      Object.keys(results).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
    listResources: () => [
      { uri: 'test://static-text', name: 'text' },
      { uri: 'test://static-binary', name: 'binary' },
    ],
    templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    read(uri) {
      const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
      if (id !== undefined)
        return {
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          mimeType: 'application/json',
        }
      if (uri === 'test://static-text')
        return { text: 'This is the content of the static text resource.', mimeType: 'text/plain' }
      return uri === 'test://static-binary' ? ({ blob: pixel, mimeType: 'image/png' } as never) : undefined
    },
    listPrompts: () => Object.keys(prompts).map((name) => ({ name, description: name })),
    prompt: (name, given) => prompts[name]?.(given),
  }
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        if (req.method !== 'POST') return res.writeHead(405).end()
        void answerMessage(suite, JSON.parse(Buffer.concat(chunks).toString()), req.headers).then(
          ({ status, message }) => {
            res
              .writeHead(status, { 'content-type': 'application/json' })
              .end(message && JSON.stringify(message))
          },
        )
      })
  })
  let origin: string
  beforeAll(async () => void (origin = await listen(server)))
  afterAll(() => closeServer(server))

  it.each(
    both.flatMap((version) =>
      ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error']
        .map((name) => [version, `tools-call-${name}`])
        .concat(
          ['text', 'binary'].map((name) => [version, `resources-read-${name}`]),
          [[version, 'resources-templates-read']],
          ['simple', 'with-args', 'embedded-resource', 'with-image'].map((name) => [
            version,
            `prompts-get-${name}`,
          ]),
        ),
    ),
  )('%s, %s, with its own tools', async (version, scenario) => {
    const checks = await conform(`${origin}/mcp`, version, scenario)
    expect(failuresOf(checks)).toEqual([])
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true)
  })

  it('without sessions, tools that could send more than their answer send nothing else', async () => {
    const checks = await conform(`${origin}/mcp`, '2026-07-28', 'server-stateless')
    // None needs a capability of the client, so there is no request to refuse for want of one.
    expect(failuresOf(checks).filter((failure) => !/test_missing_capability/.test(failure))).toEqual([])
    expect(
      checks.filter(({ id, status }) => status === 'SUCCESS' && /no-log|no-independent/.test(id)),
    ).toHaveLength(2)
  })
})

interface Sdk {
  Client: new (info: object) => {
    connect: (transport: object) => Promise<void>
    listTools: () => Promise<{ tools: object[] }>
    callTool: (call: object) => Promise<{ structuredContent: object }>
    readResource: (given: object) => Promise<{ contents: { text: string }[] }>
    close: () => Promise<void>
  }
  StreamableHTTPClientTransport: new (url: URL) => object
}

it('the first official client', async () => {
  const file = (name: string) =>
    pathToFileURL(join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client', name)).href
  const { Client } = (await import(file('index.js'))) as Sdk
  const { StreamableHTTPClientTransport } = (await import(file('streamableHttp.js'))) as Sdk
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url(app.origin))))
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  // It checks the answer with the output schema.
  const { structuredContent } = await client.callTool({ name: 'list_routes', arguments: { search: 'one' } })
  expect(structuredContent).toMatchObject({ routes: [{ id: 'GET /a #one' }] })
  const { contents } = await client.readResource({ uri: 'mock-api://docs/fixture-reference' })
  expect(contents[0]!.text).toContain('paginate')
  await client.close()
})

it('the command line of the MCP inspector', async () => {
  const cli = join(folder, 'node_modules/.bin/mcp-inspector')
  const ask = async (...args: string[]) =>
    (
      await execute(cli, ['--cli', url(app.origin), '--transport', 'http', ...args], {
        maxBuffer: 10_000_000,
      })
    ).stdout
  expect(await ask('--method', 'tools/list')).toContain('explain_request')
  expect(
    await ask('--method', 'tools/call', '--tool-name', 'list_routes', '--tool-arg', 'search=one'),
  ).toContain('GET /a #one')
})
