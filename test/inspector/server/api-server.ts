import { createServer } from 'node:http'
import { createMiddleware } from '../../../src/connect.ts'
import type { MiddlewareOptions } from '../../../src/core/options/options.ts'
import { closeServer, listen } from '../../hosts/serve.ts'
import { createTestProject, type TestProject } from '../../hosts/test-project.ts'

export interface ApiServer {
  origin: string
  project: TestProject
  /** Sends a request to the application. */
  send: (path: string, init?: RequestInit) => Promise<Response>
  /** Calls the control API with the header that it wants. */
  call: <Answer = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; headers: Headers; body: Answer }>
  close: () => Promise<void>
}

/** A mock server over `node:http` whose fixture files are given by name. */
export async function startApiServer(
  files: Record<string, string> = {},
  options: MiddlewareOptions = {},
): Promise<ApiServer> {
  const project = createTestProject(files)
  const logger = { info() {}, warn() {}, error() {} }
  const middleware = createMiddleware({ root: project.root, logger, ...options })
  const server = createServer(middleware)
  const origin = await listen(server)
  await middleware.ready
  return {
    origin,
    project,
    send: (path, init) => fetch(`${origin}${path}`, init),
    async call(method, path, body, headers) {
      const response = await fetch(`${origin}/__mock-api/api/${path}`, {
        method,
        headers: { 'x-mock-api': '1', 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: (await response.json()) as never }
    },
    async close() {
      await middleware.close()
      await closeServer(server)
      project.close()
    },
  }
}
