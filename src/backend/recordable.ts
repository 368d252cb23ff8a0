import type { IncomingMessage } from 'node:http'
import picomatch from 'picomatch'
import { isNavigation } from '../core/http/negotiate.ts'
import type { ResolvedRecord } from '../core/options/record-options.ts'
import type { AnswerHead } from './intercept-answer.ts'

/**
 * What is done with a request that no route answers: it goes to the backend, or to the dev server first, which may have a
 * file for it, or it is not meant for the backend.
 */
export type Recordability = 'backend' | 'host-first' | 'host'

/** Makes the function that decides which requests are for the backend. */
export function createRecordability({
  include,
  exclude,
}: Pick<ResolvedRecord, 'include' | 'exclude'>): (req: IncomingMessage, url: string) => Recordability {
  const isIncluded = picomatch([...include], { dot: true })
  const isExcluded = picomatch([...exclude], { dot: true })
  return (req, url) => {
    const { method = 'GET', headers } = req
    const path = url.split('?', 1)[0]!
    if (headers.upgrade !== undefined || method === 'CONNECT' || method === 'TRACE') return 'host'
    if (exclude.length > 0 && isExcluded(path)) return 'host'
    if (include.length > 0) return isIncluded(path) ? 'backend' : 'host'
    if (isNavigation(method, headers.accept) || isPartOfPage(headers) || ofDevServers.test(path))
      return 'host'
    return method === 'GET' || method === 'HEAD' ? 'host-first' : 'backend'
  }
}

/** Whether a browser loads it as a script, a style, an image, and so on. What scripts fetch themselves is `empty`. */
function isPartOfPage(headers: IncomingMessage['headers']): boolean {
  const destination = headers['sec-fetch-dest']
  return typeof destination === 'string' && destination !== 'empty'
}

/** Pages, which tools ask for like data, and paths that the clients of the dev servers ask for. */
const ofDevServers =
  /^\/(?:$|@vite|@id|@fs|@react-refresh|__|node_modules\/|\.well-known\/|webpack-dev-server|rsbuild-hmr)|\.hot-update\.|\.(?:map|html)$/

/** Whether the dev server itself has something for a path: neither a 404 nor the page that it has for every path. */
export function isOfHost({ status, headers }: AnswerHead): boolean {
  return status !== 404 && !String(headers['content-type'] ?? '').startsWith('text/html')
}
