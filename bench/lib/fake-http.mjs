import { Buffer } from 'node:buffer'

/*
 * A request and a response with only the members that a middleware uses, so that a call can be timed without a socket. The body
 * looks as if a body parser had already read it.
 */

class FakeRequest {
  readableEnded = true
  rawHeaders = []
  socket = {}
  resume() {
    return this
  }
  constructor({ method, url, headers = {}, body }) {
    this.method = method
    this.url = url
    this.headers = { host: 'localhost', accept: '*/*', ...headers }
    if (body === undefined) return
    this.body = Buffer.from(JSON.stringify(body))
    this.headers['content-type'] = 'application/json'
    this.headers['content-length'] = String(this.body.length)
  }
}

class FakeResponse {
  statusCode = 200
  headersSent = false
  destroyed = false
  setHeader() {
    return this
  }
  writeHead() {
    return this
  }
  hasHeader() {
    return false
  }
  getHeader() {
    return undefined
  }
  appendHeader() {
    return this
  }
  getHeaderNames() {
    return []
  }
  once() {
    return this
  }
  end(body) {
    this.sent = body
  }
}

/** @returns {import('node:http').IncomingMessage} */
export const fakeRequest = (request) => /** @type {any} */ (new FakeRequest(request))

/** @returns {import('node:http').ServerResponse & { sent?: unknown }} */
export const fakeResponse = () => /** @type {any} */ (new FakeResponse())

/**
 * What a middleware sends. Waits for it, since what answers GraphQL is imported with the first request.
 *
 * @param {import('node:http').RequestListener} middleware
 * @param {ReturnType<typeof fakeRequest>} request
 * @returns {Promise<string>}
 */
export function answerOf(middleware, request) {
  return new Promise((resolve, reject) => {
    const response = fakeResponse()
    response.end = (body) => resolve(String(body))
    middleware(request, response, (error) => reject(error ?? new Error('the request was passed on')))
  })
}
