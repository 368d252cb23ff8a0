import { failsUnmatched } from '../../core/http/client.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import { hasBody, readBody } from '../../wire/node/read-body.ts'
import { refuseElsewhere } from '../origins/refuse-elsewhere.ts'
import { tellMiss } from './badge.ts'
import type { CreateFeature } from './feature.ts'
import { recordPassed } from './recorder.ts'
import { isOfDevServer } from './unanswered.ts'

/** Notes what passes on in the journal of the inspector. A test may forbid what would leave this machine. */
export const journal: CreateFeature = (host) => {
  const { options, rulesNow, inspector } = host
  const paths = { graphql: options.graphql, bases: rulesNow().bases }
  return {
    pass({ req, res, url, origin, decision, recorder, isAsked }, next) {
      if (isAsked) return next()
      const kept = inspector?.journal
      if (decision) recorder?.pass(res, decision)
      if (origin !== '' && failsUnmatched(req.headers)) return refuseElsewhere(kept, req, res, url)
      const isNoted = origin !== '' || !isOfDevServer(req.url ?? '/') || kept?.recordsPassed
      if (decision || !kept || !isNoted) return next()
      const tell = origin === '' ? (id: number) => tellMiss(host, req, res, id) : () => {}
      const note = (received?: ReceivedBody) => {
        recordPassed(kept, req, url, res, paths, tell, received)
        next()
      }
      if (!kept.recordsPassed || origin !== '' || !hasBody(req)) return note()
      readBody(req, options.bodyLimit)
        .then(note, () => note())
        .catch(next)
    },
  }
}
