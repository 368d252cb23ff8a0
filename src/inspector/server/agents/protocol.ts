import { isRecord } from '../../../core/values/values.ts'
import { reasonOf } from '../../../core/values/thrown.ts'

/*
 * The Model Context Protocol, as far as a server of tools, resources and prompts needs it: every answer is one JSON object, and nothing
 * is remembered between two requests. Version 2026-07-28 has no sessions; in the versions before, they are optional.
 * Own code since the rest is large: bundled, @modelcontextprotocol/server 2.4 has 470 KB and tmcp 1.20 109 KB, most of it for
 * sessions and streams. The official conformance suite passes (clients.slow.test.ts).
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */

const modernVersion = '2026-07-28'
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26']
const supportedVersions = [modernVersion, ...legacyVersions]

const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
}

/** Methods of an MCP server. Each returns the result without the parts that the protocol adds. */
export interface McpServer {
  /** Clients show it next to the name of the package. */
  title: string
  version: string
  instructions: string
  toolNames: readonly string[]
  /** Never rejects: what went wrong is a result, too. */
  call: (name: string, given: unknown) => Promise<object>
  listTools: () => object[]
  listResources: () => object[]
  templates: readonly object[]
  /** `undefined` for an unknown one. */
  read: (uri: string) => { text: string; mimeType: string } | undefined
  listPrompts: () => object[]
  /** `undefined` for an unknown one, and for wrong arguments. */
  prompt: (name: string, given: unknown) => object | undefined
}

export interface McpReply {
  /** The status over HTTP. */
  status: number
  /** Absent for a notification. */
  message?: object
}

/** Headers by lower-case name. Absent over standard input. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>

class McpError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status = 400,
    readonly data?: object,
  ) {
    super(message)
  }
}

/** @param message a parsed message of a client */
export async function answerMessage(
  server: McpServer,
  message: unknown,
  headers?: McpHeaders,
): Promise<McpReply> {
  const id = isRecord(message) && isId(message['id']) ? message['id'] : undefined
  try {
    if (!isRecord(message) || message['jsonrpc'] !== '2.0')
      throw new McpError(codes.request, 'The body must be one JSON-RPC 2.0 message.')
    // A notification, or an answer to a request that this server has not sent.
    if (!('id' in message) || !('method' in message)) return { status: 202 }
    const { method } = message
    const params = message['params'] ?? {}
    if (id === undefined || typeof method !== 'string' || !isRecord(params))
      throw new McpError(
        codes.request,
        'A request has a method, an id that is a text or an integer, and params that are an object.',
      )
    const isModern = checkVersion(method, params, headers)
    const result = await resultOf(server, method, params, isModern)
    return { status: 200, message: { jsonrpc: '2.0', id, result } }
  } catch (error) {
    return errorReply(error, id)
  }
}

function errorReply(error: unknown, id: string | number | undefined): McpReply {
  const { code, message, status, data } =
    error instanceof McpError ? error : new McpError(codes.internal, reasonOf(error), 500)
  const shown = { code, message, ...(data && { data }) }
  return { status, message: { jsonrpc: '2.0', ...(id !== undefined && { id }), error: shown } }
}

/** Refuses what is no message, or may not be sent. */
export function refuse(status: number, message: string, isJson = true): McpReply {
  return errorReply(new McpError(isJson ? codes.request : codes.parse, message, status), undefined)
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isInteger(id)
}

const ownKey = (name: string) => `io.modelcontextprotocol/${name}`

/** @returns whether the request has its version in itself, as since 2026-07-28 */
function checkVersion(method: string, params: Record<string, unknown>, headers?: McpHeaders): boolean {
  const meta = isRecord(params['_meta']) ? params['_meta'] : {}
  const inBody = meta[ownKey('protocolVersion')]
  const inHeader = headers?.['mcp-protocol-version']
  const isLegacy = inHeader === undefined || legacyVersions.includes(String(inHeader))
  if (inBody === undefined && isLegacy) return false
  if (inBody === undefined || !isRecord(meta[ownKey('clientCapabilities')])) {
    const missing = ownKey(inBody === undefined ? 'protocolVersion' : 'clientCapabilities')
    throw new McpError(codes.params, `params._meta must have "${missing}".`)
  }
  if (headers) checkHeaders(method, params, headers, inBody)
  if (inBody !== modernVersion)
    throw new McpError(codes.unsupportedVersion, 'Unsupported protocol version', 400, {
      supported: supportedVersions,
      requested: inBody,
    })
  return true
}

function checkHeaders(
  method: string,
  params: Record<string, unknown>,
  headers: McpHeaders,
  version: unknown,
) {
  const named = ['tools/call', 'resources/read', 'prompts/get'].includes(method)
  const expected: Record<string, unknown> = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(named && { 'mcp-name': params['name'] ?? params['uri'] }),
  }
  for (const [name, value] of Object.entries(expected)) {
    const sent = decodeHeader(headers[name])
    if (sent !== value)
      throw new McpError(
        codes.headerMismatch,
        `Header mismatch: ${name} is ${JSON.stringify(sent) ?? 'missing'}, and the body has ${JSON.stringify(value) ?? 'nothing'}.`,
      )
  }
}

/** A value that is not plain ASCII comes as `=?base64?…?=`. */
function decodeHeader(value: string | string[] | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?([A-Za-z\d+/]*=*)\?=$/.exec(String(value)) ?? []
  return encoded === undefined ? value?.toString() : Buffer.from(encoded, 'base64').toString()
}

const capabilities = { tools: {}, resources: {}, prompts: {} }

/** Milliseconds for which the lists stay as they are: until the package is updated. */
const listsFor = { ttlMs: 3_600_000, cacheScope: 'public' }

async function resultOf(
  server: McpServer,
  method: string,
  params: Record<string, unknown>,
  isModern: boolean,
): Promise<object> {
  const { title, version, instructions } = server
  const serverInfo = { name: 'unplugin-mock-api', title, version }
  const complete = (result: object, hints?: object) =>
    isModern
      ? { resultType: 'complete', ...result, ...hints, _meta: { [ownKey('serverInfo')]: serverInfo } }
      : result
  if (method === 'tools/list') return complete({ tools: server.listTools() }, listsFor)
  if (method === 'resources/list') return complete({ resources: server.listResources() }, listsFor)
  if (method === 'resources/templates/list')
    return complete({ resourceTemplates: server.templates }, listsFor)
  if (method === 'prompts/list') return complete({ prompts: server.listPrompts() }, listsFor)
  if (method === 'prompts/get') return complete(getPrompt(server, params))
  if (method === 'tools/call') return complete(await callTool(server, params))
  if (method === 'resources/read') return complete(readResource(server, params), listsFor)
  if (isModern && method === 'server/discover')
    return complete({ supportedVersions, capabilities, instructions }, listsFor)
  if (!isModern && method === 'ping') return {}
  if (!isModern && method === 'initialize') {
    const asked = params['protocolVersion']
    const protocolVersion = legacyVersions.find((one) => one === asked) ?? legacyVersions[0]
    return { protocolVersion, capabilities, serverInfo, instructions }
  }
  throw new McpError(codes.method, `Method not found: ${method}`, isModern ? 404 : 200)
}

async function callTool(server: McpServer, { name, arguments: given }: Record<string, unknown>) {
  if (given !== undefined && !isRecord(given))
    throw new McpError(codes.params, 'The arguments of a tool are an object.', 200)
  if (typeof name === 'string' && server.toolNames.includes(name)) return server.call(name, given)
  throw new McpError(
    codes.params,
    `Unknown tool: ${String(name)}. There are ${server.toolNames.join(', ')}.`,
    200,
  )
}

function readResource(server: McpServer, { uri }: Record<string, unknown>): object {
  const read = typeof uri === 'string' ? server.read(uri) : undefined
  if (read) return { contents: [{ uri, ...read }] }
  throw new McpError(codes.params, `Unknown resource: ${String(uri)}`, 200, { uri })
}

function getPrompt(server: McpServer, { name, arguments: given }: Record<string, unknown>): object {
  const prompt = typeof name === 'string' ? server.prompt(name, given) : undefined
  if (prompt) return prompt
  throw new McpError(codes.params, `Unknown prompt, or an argument is missing: ${String(name)}`, 200)
}
