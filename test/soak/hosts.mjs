/* The hosts that the soak runs in: the built package, and behind it an echo that shows what was passed on. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createMiddleware } from '../../dist/connect.js'
import mockApi from '../../dist/vite.js'

/**
 * Each starts one server.
 *
 * @typedef {{ server: import('node:http').Server, ready: Promise<unknown>, close: () => Promise<void> }} Running
 * @type {Record<string, (root: string, options: object) => Promise<Running>>}
 */
export const hosts = {
  async node(root, options) {
    const middleware = createMiddleware({ root, ...options })
    const server = createServer((req, res) =>
      middleware(req, res, () => echo(req, res, () => respond(res, 404, 'not ours'))),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const close = async () => {
      await middleware.close()
      await new Promise((resolve) => server.close(resolve))
    }
    return { server, ready: middleware.ready, close }
  },

  async vite(root, options) {
    const { createServer: createViteServer } = await import('vite')
    const { warn } = options.logger
    const vite = await createViteServer({
      root,
      configFile: false,
      clearScreen: false,
      customLogger: {
        info() {},
        warn,
        error: warn,
        warnOnce: warn,
        clearScreen() {},
        hasErrorLogged: () => false,
      },
      cacheDir: join(root, '.cache'),
      plugins: [
        mockApi(options),
        { name: 'echo', configureServer: ({ middlewares }) => void middlewares.use(echo) },
      ],
      optimizeDeps: { noDiscovery: true },
      server: { host: '127.0.0.1', port: 0 },
    })
    await vite.listen()
    return { server: vite.httpServer, ready: Promise.resolve(), close: () => vite.close() }
  },
}

/** Answers requests that were passed on with their own body. */
function echo(req, res, next) {
  const { url = '/' } = req.originalUrl === undefined ? req : { url: req.originalUrl }
  if (!/^\/(?:echo|only|graphqls|itemz|orders|version)\b/.test(url)) return next()
  res.setHeader('x-passed-on', req.method)
  req.on('error', () => {}) // the client may leave
  req.pipe(res)
}

function respond(res, status, text) {
  res.writeHead(status, { 'content-type': 'text/plain' })
  res.end(text)
}
