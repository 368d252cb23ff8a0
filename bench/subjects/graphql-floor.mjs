/** The floor of the GraphQL table: reads and parses the body, and writes prepared bytes. */
import { createServer } from 'node:http'
import { answer } from '../lib/graphql-data.mjs'

const body = Buffer.from(JSON.stringify({ data: answer }))
const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length)]

createServer((req, res) => {
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    const { query } = JSON.parse(Buffer.concat(chunks).toString())
    res.writeHead(query ? 200 : 400, headers)
    res.end(body)
  })
}).listen(process.env.PORT, '127.0.0.1')
