import { isSecret, looksLikeToken } from '../core/request/redact.ts'

/** Headers of one connection or one transfer. They are not part of the answer, so nothing is said about them. */
const ofConnection =
  /^(?::.*|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|content-length|content-encoding|content-md5|digest|content-digest|repr-digest|alt-svc|http2-settings|accept-ranges|x-mock-route)$/

/** Headers whose values differ with each answer. */
const ofOneAnswer =
  /^(?:date|age|expires|etag|last-modified|.*(?:request|correlation|trace|span|transaction|operation|activity)-?id|traceparent|tracestate|b3|x-b3-.*|cf-.*|x-amzn?-.*|fly-.*|x-vercel-.*|x-(?:runtime|response-time|timer|served-by|cache.*|varnish|azure-ref|fb-debug)|server-timing|via|nel|report-to|reporting-endpoints|x-?ratelimit-(?:remaining|reset|used)|ratelimit.*)$/

/** Headers that servers add to each answer, whatever it is. */
const ofServer =
  /^(?:server|x-powered-by|x-aspnet.*|x-generator|cache-control|pragma|vary|access-control-.*|timing-allow-origin|strict-transport-security|content-security-policy.*|x-(?:content-type-options|frame-options|xss-protection|dns-prefetch-control|download-options|permitted-cross-domain-policies|robots-tag)|referrer-policy|permissions-policy|feature-policy|document-policy|cross-origin-.*|origin-agent-cluster|expect-ct|p3p)$/

/**
 * Why a header of an answer is left out; `undefined` when it is kept, and `''` when there is nothing to say about it.
 *
 * @param name in lower case
 */
export function whyLeftOut(name: string, value: string): string | undefined {
  if (ofConnection.test(name) || !/^[!#$%&'*+\-.^`|~\w]+$/.test(name)) return ''
  if (/^access-control-/.test(name)) return 'servers add it to each answer' // `-allow-credentials` is not one
  if (isSecret({ source: 'headers', path: [name] }) || looksLikeToken(value)) return 'it is a credential'
  if (ofOneAnswer.test(name)) return 'its value differs with each answer'
  if (ofServer.test(name)) return 'servers add it to each answer'
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(value)) return 'its value has control characters'
  return undefined
}
