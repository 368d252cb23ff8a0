import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Rules } from '../../core/answer/rules.ts'
import { decideOrigin } from '../../core/http/origin.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import { addHeaders } from '../../wire/node/write-response.ts'
import { askingReal } from '../outgoing/outgoing.ts'
import { connectionOf, type CreateFeature, siteOfOrigin } from './feature.ts'

/** While a recording runs, answers of the backend, or of the third party that is recorded, become fixtures. */
export const recordBackend: CreateFeature = ({ recording, site }) => ({
  pass({ req, res, url, origin, rules, decision, received, isAsked }, next) {
    const recorded = isAsked ? undefined : recording.of(origin)
    if (!recorded) return next()
    const sent = { req, res, next, received }
    if (origin !== '') {
      req.url = url.slice(origin.length)
      return askingReal(() => recorded.pass(sent, siteOfOrigin(site)))
    }
    // A refused request must not reach the backend either.
    const isOurs = decision
      ? splitOrigin(url).origin === '' && !decision.diagnostic
      : isAccepted(req, res, rules)
    if (isOurs) recorded.pass(sent, site)
    else next()
  },
})

/** Pages of other sites must not reach the backend. */
function isAccepted(req: IncomingMessage, res: ServerResponse, { bases, origins }: Rules): boolean {
  const { method = 'GET', url = '/', headers } = req
  if (!bases.some((base) => base === '' || url.startsWith(`${base}/`))) return false
  const origin = decideOrigin(origins!, { method, headers }, connectionOf(req, res))
  if (!origin.refused) addHeaders(res, origin.headers)
  return !origin.refused
}
