import { createServer, type Server } from 'node:http'
import connect from 'connect'
import express from 'express'
import { createMiddleware, type MockMiddleware } from '../../src/connect.ts'
import type { Host } from './hosts.ts'
import { closeServer, echo, listen, recorder } from './serve.ts'

function nodeHost(name: string, serve: (middleware: MockMiddleware) => Server): Host {
  return {
    name,
    hasHtmlFallback: false,
    hasBase: false,
    async start(project, { options } = {}) {
      const { log, logger } = recorder()
      const middleware = createMiddleware({ root: project.root, logger, ...options })
      const server = serve(middleware)
      const origin = await listen(server)
      return {
        origin,
        log,
        async close() {
          await middleware.close()
          await closeServer(server)
        },
      }
    },
  }
}

/** Servers that use the middleware directly. */
export const nodeHosts: Host[] = [
  nodeHost('node:http', (middleware) =>
    createServer((req, res) => middleware(req, res, () => echo(req, res))),
  ),
  nodeHost('connect', (middleware) => {
    const app = connect()
    app.use(middleware)
    app.use(echo)
    return createServer(app)
  }),
  nodeHost('Express 5', (middleware) => {
    const app = express()
    app.use(middleware)
    app.use(echo)
    return createServer(app)
  }),
]
