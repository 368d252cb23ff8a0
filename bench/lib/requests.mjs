import assert from 'node:assert/strict'
import { failing, hero, itemsPage } from './answers.mjs'

/**
 * @typedef {object} Work One kind of request, and a check of its answer.
 * @property {string} name
 * @property {Buffer} bytes the whole request, as it goes over the wire
 * @property {(body: string) => void} verify throws when the answer is wrong
 */

/** @type {Work[]} */
export const works = [
  { name: 'page 2', bytes: get('/items?page=2'), verify: (body) => equal(body, itemsPage(2)) },
  { name: 'hero query', bytes: query('Hero'), verify: (body) => equal(body, hero) },
  { name: 'failing query', bytes: query('FailingQuery'), verify: (body) => equal(body, failing) },
  { name: 'not ours', bytes: get('/src/main.js'), verify: (body) => assert.match(body, /document\.body/) },
]

/** @param {string} path */
export function get(path) {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n`)
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {string} [headers] further header lines, each with its line break
 */
export function post(path, body, headers = '') {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\n` +
      `${headers}Content-Length: ${length}\r\n\r\n${text}`,
  )
}

/** @param {string} operationName */
function query(operationName) {
  return post('/graphql', {
    operationName,
    query: `query ${operationName} { hero { name heroFriends { id name } } }`,
    variables: {},
  })
}

function equal(body, expected) {
  assert.deepEqual(JSON.parse(body), expected)
}
