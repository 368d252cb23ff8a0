import type { IncomingMessage, ServerResponse } from 'node:http'
import { cookiesHeader } from '../../core/http/route-url.ts'
import { HttpError } from '../../inspector/server/json.ts'
import { beforeHead } from '../../wire/node/write-response.ts'

/*
 * What other origins answer comes from the dev server's own origin below `originFolder`. It is data for pages of the
 * application, and never a page, a frame or a worker of that origin, nor a setting of it.
 */

/** What a page loads as a part of itself, by `sec-fetch-dest`. A script runs only in the page that has asked for it. */
const loaded = /^(?:audio|empty|font|image|json|script|style|text|track|video)$/

/** @throws HttpError when the answer would become a page, a frame or a worker */
export function checkLoaded({ headers }: IncomingMessage): void {
  const { accept = '', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers
  // Over plain HTTP under another name than localhost, and in older versions, browsers send neither.
  const isUnnamed = mode === undefined && destination === undefined
  const isLoaded = isUnnamed
    ? !/text\/html/i.test(accept) || headers[cookiesHeader] !== undefined
    : /^(?:no-)?cors$/.test(String(mode ?? 'cors')) && loaded.test(String(destination ?? 'empty'))
  if (isLoaded && headers['service-worker'] === undefined) return
  throw new HttpError(
    403,
    'origin-page-refused',
    'The dev server passes answers of other origins on to scripts of its pages, and does not show them as a page, a frame or a worker.',
    'Open the address that follows "/origin/", or request it with fetch or curl.',
  )
}

/** Each also has a variant that only reports. Cookies and redirects are changed where the request is. */
const ofOrigin = new Set([
  // Kept by the browser for the whole origin or host, whatever has loaded the answer
  'clear-site-data', // deletes cookies, storage and caches
  'strict-transport-security', // HTTPS only, for every port of the host
  'alt-svc', // another server for later requests
  'nel', // reports failed requests to somebody
  'report-to', // where reports go
  'reporting-endpoints', // where reports go
  'accept-ch', // what browsers tell about the device
  'critical-ch', // what browsers tell about the device
  'set-login', // whether the user is logged in
  'use-as-dictionary', // what later answers are compressed with
  'secure-session-registration', // binds a session to the device
  'secure-session-challenge', // of such a session
  'attribution-reporting-register-source', // for advertisements
  'attribution-reporting-register-trigger', // for advertisements
  'shared-storage-write', // for advertisements
  'observe-browsing-topics', // for advertisements
  // Of a document or worker of the origin
  'refresh', // leads to another page
  'service-worker-allowed', // lets a worker answer for more paths
  'origin-agent-cluster', // for all documents of the origin
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
  'document-isolation-policy',
  'document-policy',
  'require-document-policy',
  'permissions-policy',
  'feature-policy',
  'integrity-policy',
  'connection-allowlist',
  'content-security-policy', // `held` has another one
  'x-frame-options',
  'speculation-rules', // pages to load in advance
  'supports-loading-mode', // whether others may do so
  'activate-storage-access', // cookies in frames of other sites
])

const held = {
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The browser asks the user for a password of the dev server, or sends that of the operating system by itself. */
const asksForPassword = /(?:^|,)\s*(?:basic|digest|negotiate|ntlm)\b/i

/** Whatever the third party or the route says. */
export function holdAnswer(res: ServerResponse): void {
  beforeHead(res, () => {
    for (const name of res.getHeaderNames())
      if (ofOrigin.has(name.replace(/-report-only$/, ''))) res.removeHeader(name)
    if (asksForPassword.test(String(res.getHeader('www-authenticate')))) res.removeHeader('www-authenticate')
    for (const [name, value] of Object.entries(held)) res.setHeader(name, value)
  })
}
