/* Messages and headers against both versions of the protocol. clients.slow.test.ts has the official suite. */
import { describe, expect, it } from 'vitest'
import {
  answerMessage,
  type McpHeaders,
  type McpServer,
} from '../../../../src/inspector/server/agents/protocol.ts'

const server: McpServer = {
  title: 'Mock API of shop',
  version: '1.2.3',
  instructions: 'Ask.',
  toolNames: ['add'],
  call: (name, given) => Promise.resolve({ content: [], structuredContent: { name, given } }),
  listTools: () => [{ name: 'add' }],
  listResources: () => [{ uri: 'a:b' }],
  templates: [],
  read: (uri) => (uri === 'a:b' ? { text: 'text', mimeType: 'text/plain' } : undefined),
  listPrompts: () => [{ name: 'why' }],
  prompt: (name, given) =>
    name === 'why' ? { description: 'Why?', messages: [given ?? 'none'] } : undefined,
}

const own = (version: unknown = '2026-07-28', capabilities: unknown = {}) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})
const modern = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: own() },
})
const legacy = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const headersOf = (method: string, name?: string, version = '2026-07-28') => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})
const hints = { ttlMs: 3_600_000, cacheScope: 'public' }
const add = { name: 'add', arguments: { n: 1 } }
const added = { structuredContent: { name: 'add', given: { n: 1 } } }
const v2025 = { 'mcp-protocol-version': '2025-11-25' }

describe('results', () => {
  it.each<[what: string, message: object, headers: McpHeaders | undefined, result: object]>([
    ['server/discover', modern('server/discover'), headersOf('server/discover'), { ...hints, resultType: 'complete', supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'], capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: 'Ask.', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'unplugin-mock-api', title: 'Mock API of shop' } } }],
    ['server/discover over stdio', modern('server/discover'), undefined, { resultType: 'complete' }],
    ['tools/list', modern('tools/list'), headersOf('tools/list'), { ...hints, tools: [{ name: 'add' }], resultType: 'complete' }],
    ['tools/call', modern('tools/call', add), headersOf('tools/call', 'add'), { ...added, resultType: 'complete' }],
    ['tools/call, its name in Base64', modern('tools/call', add), headersOf('tools/call', '=?base64?YWRk?='), added],
    ['resources/list', modern('resources/list'), headersOf('resources/list'), { ...hints, resources: [{ uri: 'a:b' }] }],
    ['resources/templates/list', modern('resources/templates/list'), headersOf('resources/templates/list'), { ...hints, resourceTemplates: [] }],
    ['resources/read', modern('resources/read', { uri: 'a:b' }), headersOf('resources/read', 'a:b'), { ...hints, contents: [{ uri: 'a:b', text: 'text', mimeType: 'text/plain' }] }],
    ['prompts/list', modern('prompts/list'), headersOf('prompts/list'), { ...hints, prompts: [{ name: 'why' }] }],
    ['prompts/get', modern('prompts/get', { name: 'why', arguments: { a: '1' } }), headersOf('prompts/get', 'why'), { description: 'Why?', messages: [{ a: '1' }], resultType: 'complete' }],
    ['initialize', legacy('initialize', { protocolVersion: '2025-11-25' }), {}, { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 'unplugin-mock-api' }, instructions: 'Ask.' }],
    ['initialize with an older version', legacy('initialize', { protocolVersion: '2025-06-18' }), {}, { protocolVersion: '2025-06-18' }],
    ['initialize with an unknown version', legacy('initialize', { protocolVersion: '2024-11-05' }), {}, { protocolVersion: '2025-11-25' }],
    ['ping', legacy('ping', {}, 'a'), v2025, {}],
    ['tools/list of 2025', legacy('tools/list'), v2025, { tools: [{ name: 'add' }] }],
    ['tools/call of 2025 without a header', legacy('tools/call', add), {}, added],
    ['prompts/get of 2025', legacy('prompts/get', { name: 'why' }), v2025, { messages: ['none'] }],
    ['resources/read of 2025', legacy('resources/read', { uri: 'a:b' }), v2025, { contents: [{ uri: 'a:b', text: 'text', mimeType: 'text/plain' }] }],
  ])('%s', async (_, message, headers, result) => {
    const { status, message: answer } = await answerMessage(server, message, headers)
    expect(status).toBe(200)
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: (message as { id: unknown }).id, result })
  }) // prettier-ignore

  it('of 2025 have nothing of 2026', async () => {
    const { message } = await answerMessage(server, legacy('tools/list'), v2025)
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'add' }] } })
  })

  it.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])('%j is accepted', async (message) => {
    expect(await answerMessage(server, message, v2025)).toEqual({ status: 202 })
  })
})

describe('errors', () => {
  const badMeta = (_meta: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } })
  it.each<[what: string, message: unknown, headers: McpHeaders, status: number, code: number]>([
    ['nothing', undefined, {}, 400, -32600],
    ['a list', [legacy('ping')], {}, 400, -32600],
    ['another version of JSON-RPC', { ...legacy('ping'), jsonrpc: '1.0' }, {}, 400, -32600],
    ['an id that is null', legacy('ping', {}, null), {}, 400, -32600],
    ['an id that is a fraction', legacy('ping', {}, 1.5), {}, 400, -32600],
    ['params that are a list', { ...legacy('ping'), params: [] }, {}, 400, -32600],
    ['a method that is no text', { ...legacy('ping'), method: 1 }, {}, 400, -32600],
    ['an unknown method', modern('tools/lists'), headersOf('tools/lists'), 404, -32601],
    ['initialize in 2026', modern('initialize'), headersOf('initialize'), 404, -32601],
    ['ping in 2026', modern('ping'), headersOf('ping'), 404, -32601],
    ['a method like a property', modern('__proto__'), headersOf('__proto__'), 404, -32601],
    ['an unknown method in 2025', legacy('server/discover'), v2025, 200, -32601],
    ['no _meta in 2026', legacy('tools/list'), headersOf('tools/list'), 400, -32602],
    ['no version in _meta', badMeta({ 'io.modelcontextprotocol/clientCapabilities': {} }), headersOf('tools/list'), 400, -32602],
    ['no capabilities in _meta', badMeta(own('2026-07-28', null)), headersOf('tools/list'), 400, -32602],
    ['no header with the version', modern('tools/list'), { 'mcp-method': 'tools/list' }, 400, -32020],
    ['another version in the header', modern('tools/list'), headersOf('tools/list', undefined, '2025-11-25'), 400, -32020],
    ['another method in the header', modern('tools/list'), headersOf('tools/call'), 400, -32020],
    ['another tool in the header', modern('tools/call', add), headersOf('tools/call', 'reset'), 400, -32020],
    ['another resource in the header', modern('resources/read', { uri: 'a:b' }), headersOf('resources/read', 'a:c'), 400, -32020],
    ['no header with the tool', modern('tools/call', add), headersOf('tools/call'), 400, -32020],
    ['an unknown version', badMeta(own('1900-01-01')), headersOf('tools/list', undefined, '1900-01-01'), 400, -32022],
    ['an unknown tool', modern('tools/call', { name: 'sub' }), headersOf('tools/call', 'sub'), 200, -32602],
    ['a tool like a property', modern('tools/call', { name: 'constructor' }), headersOf('tools/call', 'constructor'), 200, -32602],
    ['an unknown prompt', modern('prompts/get', { name: 'who' }), headersOf('prompts/get', 'who'), 200, -32602],
    ['another prompt in the header', modern('prompts/get', { name: 'why' }), headersOf('prompts/get', 'who'), 400, -32020],
    ['an unknown resource', modern('resources/read', { uri: 'c' }), headersOf('resources/read', 'c'), 200, -32602],
  ])('%s', async (_, message, headers, status, code) => {
    const reply = await answerMessage(server, message, headers)
    expect([reply.status, reply.message]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }])
  }) // prettier-ignore

  it('an unknown version is told those that are known', async () => {
    const message = badMeta(own('1900-01-01'))
    const reply = await answerMessage(server, message, headersOf('tools/list', undefined, '1900-01-01'))
    expect(reply.message).toMatchObject({
      error: {
        data: {
          supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
          requested: '1900-01-01',
        },
      },
    })
  })
})
