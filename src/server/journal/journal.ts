import { failsUnmatched } from '../../core/http/whose-state.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import { hasBody, readBody } from '../../wire/node/read-body.ts'
import { refuseElsewhere } from '../origins/refuse-elsewhere.ts'
import { tellMiss } from '../node/badge.ts'
import type { CreateFeature } from '../node/feature.ts'
import { notePassed } from './note-passed.ts'
import { isOfDevServer } from '../first-urls.ts'

/** Notes what passes on in the journal of the inspector. A test may forbid what would leave this machine. */
export const journal: CreateFeature = (host) => {
  const { options, rulesNow, inspector } = host
  const paths = { graphql: options.graphql, bases: rulesNow().bases }
  return {
    pass({ req, res, url, origin, decision, notes, isAsked }, next) {
      if (isAsked) return next()
      const kept = inspector?.journal
      const tell = origin === '' ? (id: number) => tellMiss(host, req, res, id) : () => {}
      if (decision) notes?.pass(req, res, decision, tell)
      if (origin !== '' && failsUnmatched(req.headers)) return refuseElsewhere(kept, req, res, url)
      const isNoted = origin !== '' || !isOfDevServer(req.url ?? '/') || kept?.keepsPassed
      if (decision || !kept || !isNoted) return next()
      const note = (received?: ReceivedBody) => {
        notePassed(kept, req, url, res, paths, tell, received)
        next()
      }
      if (!kept.keepsPassed || origin !== '' || !hasBody(req)) return note()
      readBody(req, options.bodyLimit)
        .then(note, () => note())
        .catch(next)
    },
  }
}
