import type { Readable } from 'node:stream'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { maxBackendAnswer, tooLarge } from '../core/answer/change-answer.ts'
import { decodeBody } from '../wire/node/read-body.ts'
import { bytesOf, setGiven } from '../wire/node/write-response.ts'

export interface AnswerHead {
  status: number
  reason: string
  /** Headers by lower-case name, without those of earlier middlewares. */
  headers: Readonly<Record<string, string | readonly string[]>>
}

export type Treatment = 'send' | 'copy' | 'hold'

export interface InterceptedAnswer extends AnswerHead {
  treatment: Treatment
  body: Buffer
  /** `left`: the client has disconnected. `broken`: the handler has broken the connection. */
  end: 'complete' | 'too-large' | 'broken' | 'left'
}

/**
 * Follows the answer of a later handler, and decides from its head what happens to it.
 * An answer that was held back leaves the response as it was, and nothing of its handler reaches the next one.
 *
 * @param limit bytes that are copied or held back; a larger body is passed on
 */
export function interceptAnswer(
  res: ServerResponse,
  treat: (head: AnswerHead) => Treatment,
  limit: number,
): Promise<InterceptedAnswer> {
  // They may be those of other middlewares, such as compression.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { writeHead, write, end, flushHeaders, destroy } = res
  const before: OutgoingHttpHeaders = { ...res.getHeaders() }
  const { statusCode, statusMessage } = res
  const chunks: Buffer[] = []
  let size = 0
  let head: AnswerHead | undefined
  let treatment: Treatment | undefined
  let ended: InterceptedAnswer['end'] | undefined
  const sources = new Set<Readable>()
  const addSource = (source: Readable) => {
    sources.add(source)
    // Vite's proxy leaves the client waiting if the backend breaks off.
    source.once('close', () => source.readableEnded || ended || res.destroy())
  }
  res.on('pipe', addSource)

  return new Promise((resolve) => {
    const settle = (how: InterceptedAnswer['end']) => {
      if (!head || !treatment) decide()
      const answer = { ...head!, treatment: treatment!, body: Buffer.concat(chunks), end: (ended = how) }
      res.off('close', onClose).off('pipe', addSource)
      if (treatment !== 'hold') {
        treatment = 'send'
        return resolve(answer)
      }
      for (const source of sources) source.unpipe(res).resume()
      // The end of a source lets proxies break the connection.
      setImmediate(() => {
        reset()
        resolve(answer)
      })
    }
    const onClose = () => settle(res.writableFinished ? 'complete' : 'left')
    res.once('close', onClose)

    function decide(reason?: string): Treatment {
      if (treatment) return treatment
      head = headOf(reason)
      return (treatment = treat(head))
    }

    function headOf(reason = res.statusMessage): AnswerHead {
      return { status: res.statusCode, reason, headers: changedHeaders(res, before) }
    }

    function reset(): void {
      Object.assign(res, { writeHead, write, end, flushHeaders, destroy })
      res.on('error', () => {}) // a handler that is still writing writes after the end
      const flags = removalFlags(res)
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      Object.assign(res, flags)
      for (const [name, value] of Object.entries(before)) res.setHeader(name, value!)
      res.statusCode = statusCode
      if (res.statusMessage !== statusMessage) res.statusMessage = statusMessage
    }

    function keep(chunk: unknown, encoding: unknown): void {
      if (chunk === undefined || chunk === null || size > limit || ended) return
      const bytes = bytesOf(chunk, encoding)
      size += bytes.length
      if (size <= limit) return void chunks.push(bytes)
      chunks.length = 0
      // A handler that writes by itself can't be stopped: what it writes is dropped.
      if (treatment !== 'hold' || sources.size > 0) settle('too-large')
    }

    const callBack = (given: readonly unknown[]) => {
      const done = given.find((one) => typeof one === 'function')
      if (done) process.nextTick(done)
    }

    res.writeHead = (status: number, ...rest: unknown[]) => {
      const apply = (...given: unknown[]) =>
        Reflect.apply(writeHead, res, [status, ...given]) as ServerResponse
      if (treatment === 'send' || treatment === 'copy') return apply(...rest)
      const reasons = typeof rest[0] === 'string' ? [rest[0]] : []
      setGiven(res, rest[reasons.length])
      res.statusCode = status
      return decide(reasons[0]) === 'hold' ? res : apply(...reasons)
    }

    res.write = ((chunk: unknown, ...rest: unknown[]) => {
      const how = decide()
      if (how !== 'send') keep(chunk, rest[0])
      if (how !== 'hold') return Reflect.apply(write, res, [chunk, ...rest]) as boolean
      callBack(rest)
      return true
    }) as ServerResponse['write']

    res.end = ((...given: unknown[]) => {
      const how = decide()
      const [chunk, encoding] = given
      if (how !== 'send' && typeof chunk !== 'function') keep(chunk, encoding)
      if (how !== 'hold') return Reflect.apply(end, res, given) as ServerResponse // complete when the client has it all
      callBack(given)
      if (!ended) settle(size > limit ? 'too-large' : 'complete')
      return res
    }) as ServerResponse['end']

    res.flushHeaders = () => {
      if (decide() !== 'hold') flushHeaders.call(res)
    }

    res.destroy = (...given: [Error?]) => {
      if (treatment === 'copy' && !ended) settle('broken')
      if (treatment === 'send' || treatment === 'copy') return destroy.apply(res, given)
      treatment = 'hold'
      head ??= headOf()
      if (!ended) settle('broken')
      return res
    }
  })
}

export function sendHeld(res: ServerResponse, { status, reason, headers, body }: InterceptedAnswer): void {
  if (res.headersSent || res.destroyed) return
  res.statusCode = status
  if (reason) res.statusMessage = reason
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.end(body)
}

function changedHeaders(res: ServerResponse, before: OutgoingHttpHeaders): AnswerHead['headers'] {
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (value === undefined || String(before[name]) === String(value)) continue
    headers[name.toLowerCase()] = Array.isArray(value) ? value : String(value)
  }
  return headers
}

/**
 * Node remembers the removal of headers, and then sends neither a length nor chunks.
 *
 * @see https://github.com/nodejs/node/blob/v22.12.0/lib/_http_outgoing.js#L801
 */
function removalFlags(res: ServerResponse): object {
  const { _removedConnection, _removedContLen, _removedTE, sendDate } = res as unknown as Record<
    string,
    unknown
  >
  if (_removedTE === undefined) return {} // HTTP/2
  return { _removedConnection, _removedContLen, _removedTE, sendDate }
}

export function decodeAnswer(answer: InterceptedAnswer): { bytes: Uint8Array } | { reason: string } {
  const { headers, body, end } = answer
  const coding = headers['content-encoding']
  const isPlain = coding === undefined || body.length === 0 // `HEAD` has the headers of `GET`
  if (end !== 'too-large' && isPlain) return { bytes: body }
  const decoded =
    end === 'too-large' ? { kind: end } : decodeBody(body, { 'content-encoding': coding }, maxBackendAnswer)
  if (decoded.kind === 'complete') return { bytes: decoded.bytes ?? body }
  if (decoded.kind === 'too-large') return { reason: tooLarge }
  const why =
    decoded.kind === 'encoding-corrupt'
      ? `not encoded as ${String(coding)}: ${decoded.reason}`
      : `encoded as ${String(coding)}`
  return { reason: `it is ${why}` }
}
