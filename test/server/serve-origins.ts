import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { Options } from '../../src/core/options/options.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import { startMockServer, type MockServer } from '../../src/server/mock-server.ts'
import { viteOrigins } from '../../src/server/origin-policies.ts'
import { closeServer, listen, recorder } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'

interface Serving {
  /** Gets the origins of the server, over HTTP/1.1 and over HTTP/2. */
  fixture: (own: string, ownHttp2: string) => string
  options?: Options
  base?: string
  facts?: Parameters<MockServer['createHandler']>[2]
  otherOrigins?: string[]
  before?: (res: ServerResponse, own: string) => void
  /** Answers what is passed on. */
  next?: (res: ServerResponse) => void
}

/** A dev server with a mock server whose origins are those of its fixtures. */
export async function serveOrigins(serving: Serving) {
  const { fixture, options, base = '', facts, otherOrigins = [], before, next = (res) => res.end() } = serving
  const { log, logger } = recorder()
  const [web, http2] = [createServer(), createHttp2Server()]
  const [origin, http2Origin] = [await listen(web), await listen(http2 as never)]
  const project = createTestProject({ 'fixtures/a.yaml': fixture(origin, http2Origin) })
  const server = startMockServer(resolveOptions({ watch: false, ...options }, { root: project.root, logger }))
  await server.store.ready
  const originsNow = () => [...server.origins(), ...otherOrigins]
  const handle = server.createHandler(base, viteOrigins, { ...facts, originsNow })
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    before?.(res, origin)
    handle(req, res, () => next(res))
  }
  web.on('request', answer)
  http2.on('request', answer as never)
  const close = async () => {
    await server.close()
    await Promise.all([closeServer(web), new Promise((resolve) => http2.close(resolve))])
    project.close()
  }
  return { project, web, origin, http2: http2Origin, log, logger, close }
}
