/** The package on bare `node:http`, in one way of answering GraphQL: `fixed`, `located`, `shaped` or `checked`. */
import { createServer } from 'node:http'
import { makeMiddleware } from '../lib/graphql-middleware.mjs'

const middleware = await makeMiddleware(process.argv[2])
createServer((req, res) => middleware(req, res, () => res.writeHead(404).end())).listen(
  process.env.PORT,
  '127.0.0.1',
)
