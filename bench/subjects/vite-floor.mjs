/** The floor in Vite: a middleware that only answers, at the position of a mock plugin's middleware. */
import { failing, hero, itemsPage } from '../lib/answers.mjs'

const page2 = prepare(itemsPage(2))
const heroes = prepare(hero)
const failures = prepare(failing)

export default function floor() {
  return {
    name: 'floor',
    configureServer(server) {
      server.middlewares.use(answer)
    },
  }
}

function answer(req, res, next) {
  if (req.url === '/items?page=2') return send(res, page2)
  if (req.url !== '/graphql') return next()
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    const { operationName } = JSON.parse(Buffer.concat(chunks).toString())
    send(res, operationName === 'FailingQuery' ? failures : heroes)
  })
}

function prepare(value) {
  const body = Buffer.from(JSON.stringify(value))
  return { body, length: String(body.length) }
}

function send(res, { body, length }) {
  res.setHeader('content-type', 'application/json; charset=utf-8')
  res.setHeader('content-length', length)
  res.end(body)
}
