import { createServer, type RequestListener } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'
import { createMiddleware } from '../../../src/connect.ts'
import type { MiddlewareOptions } from '../../../src/core/options/options.ts'
import type { RequestDetails, RequestList } from '../../../src/inspector/api/api.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { createTestProject } from '../../hosts/test-project.ts'

export type ApiServer = Awaited<ReturnType<typeof startApiServer>>

/** A mock server over `node:http` whose fixture files are given by name. */
export async function startApiServer(
  files: Record<string, string> = {},
  options: MiddlewareOptions = {},
  next?: RequestListener,
) {
  const project = createTestProject(files)
  const logger = { info() {}, warn() {}, error() {} }
  const middleware = createMiddleware({ root: project.root, logger, ...options })
  const server = createServer((req, res) => middleware(req, res, next && (() => next(req, res))))
  const origin = await listen(server)
  await middleware.ready

  /** Calls the control API with the header that it wants. */
  async function call<Answer = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) {
    const response = await fetch(`${origin}/__mock-api/api/${path}`, {
      method,
      headers: { 'x-mock-api': '1', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
  }
  const requests = async (query = '') => (await call<RequestList>('GET', `requests${query}`)).body.requests
  const last = async (query = '') => (await requests(query))[0]!
  return {
    origin,
    project,
    call,
    /** The recorded requests. */
    requests,
    last,
    /** The text of a file of the project. */
    read: (file: string) => readFileSync(join(project.root, file), 'utf8'),
    details: async () => (await call<RequestDetails>('GET', `requests/${(await last()).id}`)).body,
    /** Sends a request to the application. */
    send: (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init),
    /** Sends it JSON. */
    post: (path: string, value: unknown, headers: Record<string, string> = {}) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof value === 'string' ? value : JSON.stringify(value),
      }),
    close: async () => {
      await middleware.close()
      await closeServer(server)
      project.close()
    },
  }
}

/** The same, until the test has finished. */
export async function apiServer(...parameters: Parameters<typeof startApiServer>): Promise<ApiServer> {
  const server = await startApiServer(...parameters)
  onTestFinished(server.close)
  return server
}

/** The same, for all tests of a block. The result has its properties from then on. */
export function apiServerOnce(...parameters: Parameters<typeof startApiServer>): ApiServer {
  const server = {} as ApiServer
  beforeAll(async () => Object.assign(server, await startApiServer(...parameters)).close)
  return server
}
