/* A dev server of `persist-collections.test.ts` in a process of its own: adds items when it is told to, and prints their ids. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createMiddleware } from '../../dist/connect.js'

const [root, count] = process.argv.slice(2)
const middleware = createMiddleware({ root, watch: false, logLevel: 'error' })
const server = createServer(middleware).listen(0, '127.0.0.1')
await Promise.all([middleware.ready, once(server, 'listening')])
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const ids = []
for (let i = 0; i < Number(count); i++) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/orders`, init)
  ids.push((await answer.json()).id)
}
process.stdout.write(`${JSON.stringify(ids)}\n`)
process.exit()
