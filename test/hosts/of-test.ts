/* What stands for one test, and is gone after it. */
import { createServer, type RequestListener } from 'node:http'
import { beforeAll, onTestFinished } from 'vitest'
import { createMiddleware, type MiddlewareOptions, type MockMiddleware } from '../../src/connect.ts'
import type { Send } from '../contract.ts'
import { sendTo } from '../http.ts'
import { closeServer, echo, listen, recorder } from './serve.ts'
import { createTestProject, type TestProject } from './test-project.ts'

export function projectOfTest(files?: Record<string, string>, create = createTestProject): TestProject {
  const project = create(files)
  onTestFinished(project.close)
  return project
}

/** A project that the middleware serves over `node:http`. */
export interface Served {
  project: TestProject
  origin: string
  send: Send
  log: string[]
  close: () => Promise<void>
}

type Wrap = (middleware: MockMiddleware) => RequestListener
const echoing: Wrap = (middleware) => (req, res) => middleware(req, res, () => echo(req, res))

/** Serves fixture files without watching them. What the middleware passes on is echoed, unless `wrap` says otherwise. */
export async function serveFiles(
  files: Record<string, string> = {},
  options: MiddlewareOptions = {},
  wrap = echoing,
): Promise<Served> {
  const project = createTestProject(files)
  const { log, logger } = recorder()
  const middleware = createMiddleware({ root: project.root, watch: false, logger, ...options })
  await middleware.ready
  const server = createServer(wrap(middleware))
  const origin = await listen(server)
  return {
    project,
    origin,
    send: sendTo(origin),
    log,
    async close() {
      await middleware.close()
      await closeServer(server)
      project.close()
    },
  }
}

/** The same, until the test has finished. */
export async function serve(...parameters: Parameters<typeof serveFiles>): Promise<Served> {
  const served = await serveFiles(...parameters)
  onTestFinished(served.close)
  return served
}

/** The same, for all tests of a block. The result has its properties from then on. */
export function serveOnce(...parameters: Parameters<typeof serveFiles>): Served {
  const served = {} as Served
  beforeAll(async () => Object.assign(served, await serveFiles(...parameters)).close)
  return served
}
