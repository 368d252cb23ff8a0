import { createServer, type Server } from 'node:http'
import connect from 'connect'
import express from 'express'
import { WebSocketServer } from 'ws'
import { createMiddleware, type MockMiddleware } from '../../src/connect.ts'
import type { Host } from './hosts.ts'
import { closeServer, echo, listen, recorder } from './serve.ts'

/** An application with WebSockets of its own, on the paths that are proxied elsewhere. */
function acceptAll(server: Server): void {
  const accepting = new WebSocketServer({ noServer: true })
  server.on('upgrade', (req, socket, head) => {
    if (!/^\/(theirs|chat|graphql)$/.test(req.url!))
      return socket.once('end', () => socket.destroy()).resume()
    accepting.handleUpgrade(req, socket, head, (ws) => ws.send('theirs'))
  })
}

function nodeHost(name: string, serve: (middleware: MockMiddleware) => Server): Host {
  return {
    name,
    hasHtmlFallback: false,
    hasBase: false,
    async start(project, { options, sockets } = {}) {
      const { log, logger } = recorder()
      const middleware = createMiddleware({ root: project.root, logger, ...options })
      const server = serve(middleware)
      if (sockets !== undefined) acceptAll(server)
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
