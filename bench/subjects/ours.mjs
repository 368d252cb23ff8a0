/** The package's middleware on bare `node:http`, with its starter templates; with `off`, without its inspector. */
import { createServer } from 'node:http'
import { createMiddleware } from 'unplugin-mock-api/connect'
import { mainScript } from '../lib/answers.mjs'

const middleware = createMiddleware({ logLevel: 'error', inspector: process.argv[2] !== 'off' })
const body = Buffer.from(mainScript)
const headers = ['content-type', 'text/javascript', 'content-length', String(body.length)]

createServer((req, res) => {
  middleware(req, res, () => {
    res.writeHead(200, headers)
    res.end(body)
  })
}).listen(process.env.PORT, '127.0.0.1')
