import type { IncomingMessage, ServerResponse } from 'node:http'
import { cookiesHeader } from '../../core/http/route-url.ts'
import { HttpError } from '../../inspector/server/json.ts'
import { beforeHead } from '../../wire/node/write-response.ts'

/*
 * What other origins answer comes from the dev server's own origin below `originFolder`. It is data for pages of the
 * application, and never a page, a frame or a worker of that origin, nor a setting of it.
 */

/** Parts of a page, by `sec-fetch-dest`. A script runs only in the page that has asked for it. */
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
  throw new HttpError(403, 'origin-page-refused', {
    message:
      'The dev server passes answers of other origins on to scripts of its pages, and does not show them as a page, a frame or a worker.',
    fix: 'Open the address that follows "/origin/", or request it with fetch or curl.',
  })
}

/**
 * Headers that act on more than their own answer, by what they would do to the origin of the dev server. Most have a
 * variant that only reports. Cookies and redirects are changed together with the request.
 */
const ofOrigin = new Set(
  [
    // What browsers keep for the origin or its host, whatever has loaded the answer
    'clear-site-data', // deletes its cookies, storage and caches
    'strict-transport-security', // requires HTTPS, on every port of the host
    'alt-svc', // sends its requests to another server
    'nel report-to reporting-endpoints', // reports its requests to others
    'accept-ch critical-ch', // changes the headers of its requests
    'set-login', // says whether its user is logged in
    'secure-session-registration secure-session-challenge', // binds its session to the device
    'use-as-dictionary', // keeps what its later answers are compressed with
    'attribution-reporting-register-source attribution-reporting-register-trigger', // for advertising
    'shared-storage-write observe-browsing-topics', // for advertising
    // What a document or a worker of the origin may do
    'service-worker-allowed', // controls more of its pages
    'refresh speculation-rules supports-loading-mode', // opens or loads other pages
    'origin-agent-cluster document-isolation-policy activate-storage-access', // isolates its pages, or does not
    'cross-origin-opener-policy cross-origin-embedder-policy cross-origin-resource-policy', // the same
    'content-security-policy integrity-policy connection-allowlist', // forbids what its pages load
    'permissions-policy feature-policy document-policy require-document-policy', // forbids features
    'x-frame-options', // forbids frames
  ].flatMap((names) => names.split(' ')),
)

const held = {
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The browser asks the user for a password of the dev server, or sends that of the operating system by itself. */
const asksForPassword = /(?:^|,)\s*(?:basic|digest|negotiate|ntlm)\b/i

/** Replaces headers that act on the whole origin, whatever the third party or the route says. */
export function holdAnswer(res: ServerResponse): void {
  beforeHead(res, () => {
    for (const name of res.getHeaderNames())
      if (ofOrigin.has(name.replace(/-report-only$/, ''))) res.removeHeader(name)
    if (asksForPassword.test(String(res.getHeader('www-authenticate')))) res.removeHeader('www-authenticate')
    for (const [name, value] of Object.entries(held)) res.setHeader(name, value)
  })
}
