import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { maxBackendAnswer } from '../core/answer/change-answer.ts'
import type { BackendAnswer } from '../core/answer/decision.ts'
import { ClientLeft } from '../core/http/body.ts'
import type { ResolvedRecord } from '../core/options/resolve-options.ts'
import { redactText } from '../core/redact/redact.ts'
import { oncePerObject } from '../core/values/collections.ts'
import { unansweredResponses } from '../wire/node/request-handler.ts'
import {
  askUncached,
  replaceBody,
  send,
  switched,
  wayOf,
  type BackendSite,
  type PassedRequest,
  type Way,
} from './backend.ts'
import {
  decodeAnswer,
  interceptAnswer,
  type AnswerHead,
  type InterceptedAnswer,
  type Treatment,
} from './intercept-answer.ts'

/** The whole answer is read, so that another one can be sent in its place. @throws ClientLeft */
export async function askBackend(
  sent: PassedRequest,
  body: Uint8Array | undefined,
  record: ResolvedRecord,
  site: BackendSite,
): Promise<BackendAnswer> {
  const { req } = sent
  const { url } = req
  const headers = { ...req.headers }
  askUncached(req)
  delete req.headers.range
  delete req.headers['if-range']
  const asked = { ...sent, received: body ? replaceBody(req, body) : sent.received }
  const treat = () => 'hold' as const
  const { way, answer, failure } = await follow(asked, record, site, treat)
  // The handlers on the way may have changed both.
  Object.assign(req.headers, headers)
  if (url !== undefined) req.url = url
  if (answer.end === 'left') throw new ClientLeft()
  const target = way === 'target' ? record.target : undefined
  if (failure !== undefined) return { kind: 'unreachable', target, reason: failure }
  const instead = unansweredResponses.has(sent.res) ? 'nothing' : ofDevServer(answer, way, site)
  if (instead !== undefined) return { kind: 'unknown', instead }
  const decoded = decodeAnswer(answer)
  if ('reason' in decoded) return { kind: 'unreadable', ...decoded }
  return { kind: 'complete', status: answer.status, headers: answer.headers, body: decoded.bytes }
}

/** With a `failure`, nothing has been sent if the answer was held back. */
export async function follow(
  sent: PassedRequest,
  record: ResolvedRecord,
  site: BackendSite,
  treat: (head: AnswerHead) => Treatment,
): Promise<{ way: Way; answer: InterceptedAnswer; failure: string | undefined }> {
  const way = wayOf(sent.req, record, site)
  let failure: string | undefined
  const fail = (reason: string) => void (failure ??= reason)
  const treatSendable = (head: AnswerHead) => {
    failure ??= whyUnsendable(head)
    return failure === undefined ? treat(head) : 'hold'
  }
  const intercepted = interceptAnswer(sent.res, treatSendable, maxBackendAnswer)
  const { headers } = sent.req
  const marks = underWay(site)
  const mark = `mock-api-${randomUUID()}`
  // Proxies leave the client waiting.
  const onStart = (event: unknown) => {
    const { request } = event as { request: ClientRequest }
    if (!String(request.getHeader('via')).includes(mark)) return
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      fail(switched)
      if (!sent.res.headersSent && !sent.res.destroyed) sent.res.end()
    })
  }
  const own = headers.via?.match(/mock-api-[\da-f-]+/g)?.find((one) => marks.has(one))
  if (own === undefined) {
    marks.set(mark, fail)
    if (way !== 'next') headers.via = `${headers.via === undefined ? '' : `${headers.via}, `}1.1 ${mark}`
    subscribe('http.client.request.start', onStart)
    send(sent, way, record, site, fail)
  } else {
    for (const failOne of [fail, marks.get(own)!]) failOne('it is this server itself')
    sent.res.end()
  }
  const answer = await intercepted
  marks.delete(mark)
  unsubscribe('http.client.request.start', onStart)
  if (answer.end === 'broken') fail('it has broken off its answer')
  return { way, answer, failure: failure ?? (way === 'proxy' ? failureOfProxy(answer) : undefined) }
}

/** Requests of a server on their way to its backend: one that comes back has the mark in its header `via`. */
const underWay = oncePerObject<BackendSite, Map<string, (reason: string) => void>>(() => new Map())

/** Why Node would throw when it passes the head on, although it accepted it from the backend. */
function whyUnsendable({ status, reason }: AnswerHead): string | undefined {
  if (status < 200 || status > 999) return `its status is ${status}`
  return /[\0-\x08\x0a-\x1f\x7f]/.test(reason) ? 'its reason phrase has control characters' : undefined
}

/** The dev server's own content for a path that is not proxied; `undefined` if another handler has answered. */
export function ofDevServer(
  { status, headers }: AnswerHead,
  way: Way,
  { hasPages, nextIsBackend }: BackendSite,
): 'page' | 'nothing' | undefined {
  if (way !== 'next' || nextIsBackend) return undefined
  const type = headers['content-type']
  const isPage = String(type).startsWith('text/html')
  if (status === 404) return isPage || type === undefined ? ('nothing' as const) : undefined
  return isPage && hasPages ? ('page' as const) : undefined
}

/**
 * Why the proxy of a dev server has failed: Vite answers an empty text, http-proxy-middleware a sentence.
 *
 * @see https://github.com/vitejs/vite/blob/v8.0.0/packages/vite/src/node/server/middlewares/proxy.ts
 * @see https://github.com/chimurai/http-proxy-middleware/blob/v3.0.5/src/plugins/default/error-response-plugin.ts
 */
function failureOfProxy({ status, headers, body }: InterceptedAnswer): string | undefined {
  if (status < 500) return undefined
  const text = body.subarray(0, 300).toString()
  const told = `the proxy of the dev server has answered with HTTP ${status}`
  if (text.startsWith('Error occurred while trying to proxy')) return `${told}: ${redactText(text)}`
  return text === '' && String(headers['content-type']).startsWith('text/plain') ? told : undefined
}
