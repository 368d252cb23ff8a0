import type { IncomingMessage } from 'node:http'
import { isEventStream } from '../writer/exchange/read-events.ts'
import type { ReceivedBody } from '../core/http/body.ts'
import { hostIn, isNavigation, type Headers } from '../core/http/raw-request.ts'
import type { ResolvedRecord } from '../core/options/resolve-options.ts'
import { headerList, headerPairs } from '../core/response/prepare-response.ts'
import { schemeOf } from '../wire/node/this-machine.ts'
import { globs } from '../loader/find/search-files.ts'
import type { Exchange, Header } from '../writer/exchange/exchange.ts'
import { pathOnServer, type OwnLinks } from '../writer/exchange/own-links.ts'
import { proxiedStarts } from './proxies.ts'
import { decodeAnswer, type AnswerHead, type InterceptedAnswer } from './intercept-answer.ts'

/** Decides who gets a request that no route answers. `host-first`: the dev server may have a file for it. */
export function createRecordability({ include, exclude }: Pick<ResolvedRecord, 'include' | 'exclude'>) {
  const isIncluded = globs()([...include], { dot: true })
  const isExcluded = globs()([...exclude], { dot: true })
  return (req: IncomingMessage, url: string): 'backend' | 'host-first' | 'host' => {
    const { method = 'GET', headers } = req
    const path = url.split('?', 1)[0]!
    if (headers.upgrade !== undefined || method === 'CONNECT' || method === 'TRACE') return 'host'
    if (exclude.length > 0 && isExcluded(path)) return 'host'
    if (include.length > 0) return isIncluded(path) ? 'backend' : 'host'
    // Scripts, styles and images have other destinations; what scripts fetch themselves is `empty`.
    const isPartOfPage = (headers['sec-fetch-dest'] ?? 'empty') !== 'empty'
    if (isNavigation(method, { headers }) || isPartOfPage || ofDevServers.test(path)) return 'host'
    return method === 'GET' || method === 'HEAD' ? 'host-first' : 'backend'
  }
}

/** Pages, for which tools ask as for data, and paths of the dev servers' clients. */
const ofDevServers =
  /^\/(?:$|@vite|@id|@fs|@react-refresh|__|node_modules\/|\.well-known\/|webpack-dev-server|rsbuild-hmr)|\.hot-update\.|\.(?:map|html)$/

/** Whether the dev server itself has something for a path: neither a 404 nor the page that it has for every path. */
export function isOfHost({ status, headers }: AnswerHead): boolean {
  return status !== 404 && !String(headers['content-type'] ?? '').startsWith('text/html')
}

/** `''` when nothing is lost; `undefined` if the answer can be recorded. */
export function whyNotRecorded({ method }: IncomingMessage, { status, headers }: AnswerHead) {
  if (method === 'OPTIONS') return '' // nothing is lost
  const type = headers['content-type']
  if (/^multipart\//i.test(String(type)) && !isEventStream(type)) return 'it is sent in parts'
  if (status === 206) return 'it is a part of a file'
  return undefined
}

/** @param url path and query as the backend knows them */
export function toExchange(
  req: IncomingMessage,
  url: string,
  received: ReceivedBody | undefined,
  answer: InterceptedAnswer,
  { proxy, target }: { proxy?: unknown; target?: string | undefined } = {},
): Exchange | { why: string } {
  const isOpenEnded = isEventStream(answer.headers['content-type'])
  if (!isOpenEnded && (answer.end === 'broken' || answer.end === 'left')) return { why: 'it was broken off' }
  if (received && received.kind !== 'complete') return { why: 'the body of the request can not be read' }
  const body = decodeAnswer(answer)
  if ('reason' in body) return { why: body.reason }
  if (isFallback(req, answer, body.bytes)) return { why: 'it is a page of an application' }
  const ownLinks = ownLinksOf(req, proxy, target)
  return {
    method: req.method ?? 'GET',
    url,
    requestHeaders: linesOf(req.headers),
    requestBody: received?.bytes,
    status: answer.status,
    responseHeaders: linesOf(answer.headers).map(([name, text]) => [name, withOwnUrls(name, text, ownLinks)]),
    responseBody: body.bytes,
    ownLinks,
  }
}

/** Servers of single-page applications answer every path with their page, which no script has asked for. */
function isFallback(
  { headers: { accept = '' } }: IncomingMessage,
  { status, headers }: AnswerHead,
  body: Uint8Array,
): boolean {
  if (status !== 200 || !/^text\/html\b/i.test(String(headers['content-type'])) || /html/.test(accept))
    return false
  const html = new TextDecoder().decode(body)
  return /<!doctype html|<html\b/i.test(html.slice(0, 1000)) && /<script\b/i.test(html)
}

function linesOf(headers: Headers): Header[] {
  return headerPairs({ headers: headerList(headers) })
}

/** URLs of this server, and of the backends behind it; the origin of this request comes first. */
function ownLinksOf(req: IncomingMessage, proxy: unknown, target: string | undefined): OwnLinks {
  const own = ['http', 'https'].map((scheme): [unknown, string] => [`${scheme}://${hostIn(req.headers)}`, ''])
  return {
    scheme: schemeOf(req),
    starts: [...own, [target, ''] as const, ...proxiedStarts(proxy, req)].flatMap(([from, prefix]) => {
      if (!URL.canParse(String(from))) return []
      const { origin, pathname } = new URL(String(from))
      return [[`${origin}${withSlash(pathname)}`, withSlash(prefix)] as const]
    }),
  }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

/** Redirects and links to the backend become relative: they fit whatever server answers later. */
function withOwnUrls(name: string, text: string, links: OwnLinks): string {
  if (name === 'link')
    return text.replace(/<([^<>]*)>/g, (_, url: string) => `<${pathOnServer(url, links) ?? url}>`)
  if (!/^(?:content-)?location$/.test(name)) return text
  return pathOnServer(URL.canParse(text) ? new URL(text).href : text, links) ?? text
}
