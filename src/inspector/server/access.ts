import type { IncomingMessage } from 'node:http'
import { isAllowedHost, refuseHost, type OriginPolicy } from '../../core/http/origin.ts'
import { headerText, hostIn } from '../../core/http/raw-request.ts'
import { originFolder } from '../../core/http/route-url.ts'
import { isSecure, otherMachine } from '../../wire/node/this-machine.ts'
import { HttpError } from './json.ts'

/** Required for every change: no page of another site can send this header unasked. */
const ownHeader = 'x-mock-api'

/**
 * The control API shows what an application sends, and writes files, so CORS settings do not open it to other
 * sites. Links from other sites may lead to the page itself. Agents need the header only for tools that change something.
 * @throws HttpError
 */
export function checkAccess(
  req: IncomingMessage,
  origins: OriginPolicy,
  use: 'api' | 'page' | 'agents' | 'origins' = 'api',
): void {
  const { headers, method = 'GET' } = req
  const host = hostIn(headers)
  if (host !== undefined && !isSecure(req) && !isAllowedHost(origins, host)) {
    const { code, message, fix } = refuseHost(origins, host).refused
    throw new HttpError(403, code, { message, fix })
  }
  const site = headerText(headers, 'sec-fetch-site') // pages can't set it
  const isLink = use === 'page' && headerText(headers, 'sec-fetch-mode') === 'navigate'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink)
    throw otherSite(headers.origin)
  const origin = headerText(headers, 'origin')
  const isSameHost = (text: string) => URL.canParse(text) && new URL(text).host === host?.toLowerCase()
  const isOther = origin !== undefined && site !== 'same-origin' && !isSameHost(origin)
  // "null" is a page in a sandbox, whatever else is said of it.
  if (isOther || origin === 'null') throw otherSite(origin)
  if (use !== 'origins' && isForeignPage(headers.referer)) throw otherSite('another origin')
  const isReading = method === 'GET' || method === 'HEAD'
  if (!isReading && use === 'api') checkOwnHeader(req)
}

/** @throws HttpError */
export function checkOwnHeader({ headers, method }: IncomingMessage): void {
  if (headers[ownHeader] !== undefined) return
  throw new HttpError(403, 'api-header-missing', {
    message: `The control API only accepts ${method} requests with the header "${ownHeader}".`,
    fix: `Send the header "${ownHeader}: 1", or use createClient of unplugin-mock-api/client.`,
  })
}

function otherSite(origin = 'another site'): HttpError {
  return new HttpError(403, 'api-origin-refused', {
    message: `The control API does not answer pages of ${origin}.`,
    fix: 'Send the request from a page of the dev server itself, or from a program outside the browser.',
  })
}

/** Whether the page is from another origin, passed on by the dev server. */
function isForeignPage(referrer = ''): boolean {
  return URL.canParse(referrer) && new URL(referrer).pathname.includes(originFolder)
}

/**
 * A dev server open to the network lets others look and switch what answers, but neither write nor send requests.
 * @throws HttpError
 */
export function checkThisMachine({ socket }: IncomingMessage, what: string): void {
  const address = otherMachine(socket)
  if (address === undefined) return
  throw new HttpError(403, 'api-machine-refused', {
    message: `Only the machine of the dev server may ${what}, and this request comes from ${address}.`,
    fix: 'Open the inspector on that machine, or copy the text.',
  })
}
