import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Decision } from '../../core/answer/decision.ts'
import { scenarioNotices } from '../../core/answer/receive.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeMissing, describeUnanswered } from '../../core/table/similar.ts'
import type { CreateFeature } from './feature.ts'
import { createFirstUrls, isOfDevServer } from '../first-urls.ts'
import { isNoAnswer, isOfScript, isPage, isPageOrNothing } from './no-answer.ts'

/**
 * Warns once per method and URL that nothing else answered: the response was a 404 or the fallback page of the dev server. Says why the
 * routes of its path do not answer, or names the route that was probably meant. Without one, only what a script has asked for is told,
 * with the route to write.
 */
export const unanswered: CreateFeature = ({ options, rulesNow, recording, report }) => {
  const isTold = isLogged('warn', options.logLevel)
  const { bases } = rulesNow()
  const isFirst = createFirstUrls()
  return {
    pass({ req, res, origin, rules, table, decision, isAsked }, next) {
      const { method = 'GET', url = '/' } = req
      const isOurs = !isAsked && origin === '' && (decision ? decision.explain : !isOfDevServer(url))
      if (isOurs && !decision) scenarioNotices(rules, table, method, url, req).forEach(report)
      if (isOurs && isTold && !recording.of('') && isFirst(method, url))
        noticeLater(req, res, table, decision)
      next()
    },
  }

  function noticeLater(
    req: IncomingMessage,
    res: ServerResponse,
    table: RouteTable,
    decision: Decision | undefined,
  ): void {
    // Later handlers may change the URL.
    const { method = 'GET', url = '/', headers } = req
    res.once('finish', () => {
      if (!isNoAnswer(headers, res)) return
      const notice =
        decision?.explain?.().diagnostic ??
        describeUnanswered(table, method, url, bases) ??
        (isOfScript({ url, headers }) && isPageOrNothing(res)
          ? describeMissing(method, url, bases, isPage(res))
          : undefined)
      if (notice) report(notice)
    })
  }
}
