import { once } from 'node:events'
import { connect } from 'node:net'

/*
 * A load generator that needs less CPU time than the servers: it sends prepared bytes over keep-alive connections, one request
 * at a time on each, and parses an answer only to find its end.
 */

const connectionCount = 16

/**
 * Sends one request after another on several connections, bounded in time and in count.
 *
 * @param {number} port
 * @param {Buffer | (() => Buffer)} request a function creates a new one each time
 * @param {{ milliseconds: number, count?: number }} limits
 * @returns {Promise<{ perSecond: number, count: number }>}
 */
export async function load(port, request, { milliseconds, count = 1_000_000 }) {
  const sockets = await Promise.all(Array.from({ length: connectionCount }, () => open(port)))
  const nextRequest = typeof request === 'function' ? request : () => request
  const start = performance.now()
  const end = start + milliseconds
  let sent = 0
  let answered = 0
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve, reject) => {
          const next = () => {
            if (sent >= count || performance.now() >= end) return resolve(undefined)
            sent++
            socket.write(nextRequest())
          }
          onAnswer(socket, () => {
            answered++
            next()
          })
          socket.on('error', reject).on('close', () => reject(new Error(`port ${port} closed a connection`)))
          next()
        }),
    ),
  )
  const seconds = (performance.now() - start) / 1000
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  return { perSecond: answered / seconds, count: answered }
}

/**
 * Sends one request and reads the answer's body.
 *
 * @param {number} port
 * @param {Buffer | (() => Buffer)} request
 * @returns {Promise<string>}
 */
export async function ask(port, request) {
  const asker = await openAsker(port)
  try {
    return await asker.ask(typeof request === 'function' ? request() : request)
  } finally {
    asker.close()
  }
}

/**
 * One connection on which requests are sent one by one.
 *
 * @param {number} port
 */
export async function openAsker(port) {
  const socket = await open(port)
  let settle = { resolve: (_body) => {}, reject: (_error) => {} }
  onAnswer(socket, (answer) => settle.resolve(bodyOf(answer)))
  socket.on('error', (error) => settle.reject(error))
  socket.on('close', () => settle.reject(new Error('the connection was closed')))
  return {
    /** @param {Buffer} request @returns {Promise<string>} */
    ask: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Calls back with each whole answer. */
function onAnswer(socket, callback) {
  let pending = null
  socket.on('data', (chunk) => {
    const data = pending ? Buffer.concat([pending, chunk]) : chunk
    if (isWhole(data)) {
      pending = null
      callback(data)
    } else pending = data
  })
}

function isWhole(data) {
  const headEnd = data.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(data.latin1Slice(0, headEnd))
  if (length) return data.length >= headEnd + 4 + Number(length[1])
  return data.length >= headEnd + 7 && data.latin1Slice(data.length - 7) === '\r\n0\r\n\r\n'
}

function bodyOf(answer) {
  const headEnd = answer.indexOf('\r\n\r\n')
  const head = answer.latin1Slice(0, headEnd)
  let body = answer.subarray(headEnd + 4)
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return body.toString()
  const parts = []
  for (;;) {
    const lineEnd = body.indexOf('\r\n')
    const size = Number.parseInt(body.latin1Slice(0, lineEnd), 16)
    if (size === 0) return Buffer.concat(parts).toString()
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    body = body.subarray(lineEnd + 4 + size)
  }
}
