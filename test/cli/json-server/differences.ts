import { isDeepStrictEqual } from 'node:util'
import type { Received } from './compare.ts'
import type { Sent } from './requests.ts'

type Rule = (sent: Sent, theirs: Received, ours: Received) => boolean

const is =
  (method: RegExp, path: RegExp): Rule =>
  (sent) =>
    method.test(sent.method) && path.test(sent.path)

/** By the first column of the table in docs/migrating/json-server.md. */
export const differences: readonly (readonly [row: RegExp, rule: Rule])[] = [
  [/^`404`/, (_, theirs, ours) => theirs.status === 404 && ours.status === 404 && isDeepStrictEqual(theirs.body, {})],
  [/GET \/db/, is(/GET|OPTIONS/, /^\/(?:db|posts)$/)],
  [/profile/, is(/./, /^\/profile/)],
  [/existing id/, (sent, theirs, ours) => sent.method === 'POST' && theirs.status === 500 && [400, 409].includes(ours.status)],
  [/write without/, ({ method, body }) => method !== 'GET' && (body === undefined || Array.isArray(body)) && method !== 'DELETE'],
  [/DELETE \/posts\/1/, (sent, theirs, ours) => sent.method === 'DELETE' && theirs.status === 200 && ours.status === 200],
  [/DELETE \/posts\/1/, is(/GET/, /^\/comments\?postId=1$/)], // what belonged to it
  [
    /GET \/posts\/99\/comments/,
    (sent, theirs, ours) =>
      /^\/posts\/\d+\/comments$/.test(sent.path) && isDeepStrictEqual(theirs.body, []) && ours.status === 404,
  ],
  [/POST \/posts\/1\/comments/, is(/POST/, /^\/posts\/1\/comments$/)],
  [/POST \/posts\/1\/comments/, (_, theirs) => JSON.stringify(theirs.body).includes('"Nested","postId":"1"')],
  [/A new id/, (sent) => sent.method === 'POST' && sent.path === '/posts'],
  [/title_like/, is(/GET/, /_like=(?:%5EAmber|A\.\*r|\()$/)],
  [/age_ne/, is(/GET/, /age_ne/)],
  [/missing field/, is(/GET/, /_sort=age/)],
  [/_sort=-views/, is(/GET/, /_sort=-/)],
  [/_start=3/, is(/GET/, /\?_start=3$/)],
  [/_limit=x/, is(/GET/, /(?:_limit|_start|_page)=(?:x|-1|0)?(?:$|&)/)],
  [/one page/, (_, theirs, ours) => theirs.headers['link'] === '' && isDeepStrictEqual(theirs.body, ours.body)],
  [/_embed=none/, is(/GET/, /_embed=(?:none|posts&_embed=comments)/)],
] // prettier-ignore
