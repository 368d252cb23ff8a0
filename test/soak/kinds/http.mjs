/* Requests as bytes, and what their answers must be. A check returns what is wrong, or nothing. */

/** @returns {Buffer} */
export function request(method, path, { headers = {}, body, version = '1.1' } = {}) {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const lines = [
    `${method} ${path} HTTP/${version}`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(bytes && !headers['transfer-encoding'] ? [`content-length: ${bytes.length}`] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return bytes ? Buffer.concat([head, bytes]) : head
}

export const json = { 'content-type': 'application/json' }

export function post(path, value, headers = {}) {
  const body = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)
  return request('POST', path, { headers: { ...json, ...headers }, body })
}

/** A chunked body, as clients send it when they do not know its length. */
export function chunked(body, chunkLength, trailers = '') {
  const bytes = Buffer.from(body)
  const parts = []
  for (let at = 0; at < bytes.length; at += chunkLength) {
    const chunk = bytes.subarray(at, at + chunkLength)
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailers}\r\n`)])
}

/** Text as it is, everything else as the JSON text that must come. */
export function answers(status, body, headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (answer) => {
    if (answer.status !== status) return `status ${status} expected`
    if (answer.text !== text) return `body ${text.slice(0, 300)} expected`
    const wrong = Object.entries(headers).find(([name, value]) => answer.headers[name] !== value)
    return wrong && `header ${wrong.join(': ')} expected`
  }
}

/** Errors of the package, by their code. */
export function refuses(status, code) {
  return (answer) => {
    if (answer.status !== status) return `status ${status} expected`
    const { error, errors } = JSON.parse(answer.text)
    return (error ?? errors?.[0]?.extensions)?.code === code ? undefined : `code ${code} expected`
  }
}

/** Errors of GraphQL, by their message. */
export function failsWith(message) {
  return (answer) => {
    if (answer.status !== 200) return 'status 200 expected'
    const { errors, data } = JSON.parse(answer.text)
    if (data !== undefined) return 'no data expected'
    return errors?.[0]?.message.startsWith(message) ? undefined : `an error "${message}" expected`
  }
}
