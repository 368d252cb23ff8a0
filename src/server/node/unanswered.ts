import type { IncomingMessage, ServerResponse } from 'node:http'
import { scenarioNotices } from '../../core/answer/receive.ts'
import { isLogged } from '../../core/options/logger.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeMissing, describeUnanswered } from '../../core/table/similar.ts'
import type { CreateFeature } from './feature.ts'
import { isMiss, isOfDevServer, isOfScript, isPage, isPageOrNothing } from './miss.ts'

/** Number and length of the URLs that are compared; an application does not mistype more of them. */
const maxUrls = 1000
export const maxLength = 500

/**
 * Warns once per URL that nothing else answered: the response was a 404 or the fallback page of the dev server. Names the route that was
 * probably meant. Without one, only what a script has asked for is told, with the route to write.
 */
export const unanswered: CreateFeature = ({ options, rulesNow, recording, report }) => {
  const isTold = isLogged('warn', options.logLevel)
  const { bases } = rulesNow()
  const seen = new Set<string>()
  return {
    pass({ req, res, origin, rules, table, decision, isAsked }, next) {
      if (!decision && !isAsked && origin === '') {
        const { method = 'GET', url = '/' } = req
        const isOurs = !isOfDevServer(url)
        if (isOurs) scenarioNotices(rules, table, method, url, req).forEach(report)
        if (isOurs && isTold && !recording.of('') && !isKnown(url)) noticeLater(req, res, table)
      }
      next()
    },
  }

  function isKnown(url: string): boolean {
    if (seen.has(url) || seen.size >= maxUrls || url.length > maxLength) return true
    seen.add(url)
    return false
  }

  function noticeLater(req: IncomingMessage, res: ServerResponse, table: RouteTable): void {
    const { method = 'GET', url = '/' } = req
    res.once('finish', () => {
      if (!isMiss(req.headers, res)) return
      const notice =
        describeUnanswered(table, method, url, bases) ??
        (isOfScript(req) && isPageOrNothing(res)
          ? describeMissing(method, url, bases, isPage(res))
          : undefined)
      if (notice) report(notice)
    })
  }
}
