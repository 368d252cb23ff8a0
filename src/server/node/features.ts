import { isAnsweredByBackend } from '../../backend/backend.ts'
import { otherOrigins } from '../origins/origins.ts'
import { badge } from './badge.ts'
import { type CreateFeature, connectionOf, siteOfOrigin } from './feature.ts'
import { inspector } from './inspector.ts'
import { journal } from '../journal/journal.ts'
import { sadPaths } from './sad-paths.ts'
import { unanswered } from './unanswered.ts'
import { upgradesOf, type UpgradeHandler } from '../upgrades/upgrade-handler.ts'
import { pageVisit } from '../../core/answer/receive.ts'
import { addCookie, addHeaders } from '../../wire/node/write-response.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Rules } from '../../core/answer/rules.ts'
import { decideOrigin } from '../../core/http/origin.ts'
import { splitOrigin } from '../../core/http/route-url.ts'
import { askingReal, withinRequest } from '../outgoing/outgoing.ts'

export function nodeFeatures(upgrades: UpgradeHandler): readonly CreateFeature[] {
  return [
    otherOrigins, // before the inspector: both are below /__mock-api
    inspector,
    upgradesOf(upgrades),
    pageScenario,
    sadPaths,
    // What passes on is noted first, then compared and recorded, and leaves in the name of its client.
    journal,
    badge,
    unanswered,
    compareWithBackend, // copies what recording passes on
    recordBackend,
    withinClient,
  ]
}

/** A page that is opened with `?mock-scenario=…` keeps the scenario, whoever sends the page. */
const pageScenario: CreateFeature = ({ rulesNow, store, report }) => ({
  arrive(req, res) {
    const { method = 'GET', url = '/' } = req
    const visit = pageVisit(rulesNow(), store.current!.table, method, url, req)
    if (visit) {
      visit.notices.forEach(report)
      addCookie(res, visit.cookie)
    }
    return false
  },
})

/** The backend is asked what a fixture has answered, after the page has its answer. What it answers anyway is compared as well. */
const compareWithBackend: CreateFeature = ({ reality, recording, site }) => ({
  written: (_, decision) => reality.answered(decision),
  pass({ req, res, origin, decision, isAsked }, next) {
    const isOurs = reality.isOn && decision && origin === '' && !isAsked
    if (isOurs && (recording.of('') || isAnsweredByBackend(req, site))) reality.passing(decision, res, next)
    else next()
  },
})

/** While a recording runs, answers of the backend, or of the third party that is recorded, become fixtures. */
const recordBackend: CreateFeature = ({ recording, site }) => ({
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

const withinClient: CreateFeature = ({ options, store }) =>
  options.outgoing === false
    ? {}
    : {
        pass({ req, origin }, next) {
          if (origin === '') withinRequest(req, store, next)
          else next()
        },
      }
