/** The package's middleware on `node:http`. Arguments: route set, number of routes. */
import { createServer } from 'node:http'
import { loadRoutes } from './load-routes.mjs'

const middleware = await loadRoutes(process.argv[2], Number(process.argv[3]))
const next = (res) => res.writeHead(404).end('{}')
createServer((req, res) => middleware(req, res, () => next(res))).listen(process.env.PORT, '127.0.0.1')
