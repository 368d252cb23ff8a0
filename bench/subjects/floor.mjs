/** The floor on bare `node:http`: reads and parses the body, and writes prepared bytes. */
import { createServer } from 'node:http'
import { failing, hero, itemsPage, mainScript } from '../lib/answers.mjs'

const json = 'application/json; charset=utf-8'
const page2 = prepare(JSON.stringify(itemsPage(2)), json)
const heroes = prepare(JSON.stringify(hero), json)
const failures = prepare(JSON.stringify(failing), json)
const script = prepare(mainScript, 'text/javascript')

createServer((req, res) => {
  if (req.url === '/items?page=2') return send(res, page2)
  if (req.url !== '/graphql') return send(res, script)
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    const { operationName } = JSON.parse(Buffer.concat(chunks).toString())
    send(res, operationName === 'FailingQuery' ? failures : heroes)
  })
}).listen(process.env.PORT, '127.0.0.1')

function prepare(text, type) {
  const body = Buffer.from(text)
  return { body, headers: ['content-type', type, 'content-length', String(body.length)] }
}

function send(res, { body, headers }) {
  res.writeHead(200, headers)
  res.end(body)
}
