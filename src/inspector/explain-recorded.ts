import type { RawRequest } from '../core/http/raw-request.ts'
import { matchEndpoint, matchInScenarios, type EndpointMatch } from '../core/table/match.ts'
import type { RouteTable } from '../core/table/route-table.ts'
import { describeCaught, describeUnanswered, isCatchAll } from '../core/table/similar.ts'
import { formatDuration, formatSize } from '../core/values/describe-value.ts'
import type { AnsweredBy, Explanation } from './api/api.ts'
import {
  explainDecision,
  explainWithoutRoutes,
  readRequest,
  showDiagnostic,
  summariseRefusal,
} from './explain.ts'
import { errorsOf, type JournalEntry } from './journal.ts'
import { rawRequestOf, showAnsweredBy } from './show.ts'

interface RoutesNow {
  table: RouteTable
  /** The folder of the project. */
  root: string
}

export function whyUnanswered(
  { table, root }: RoutesNow,
  bases: readonly string[],
  method: string,
  url: string,
) {
  const hint = describeUnanswered(table, method, url, bases)
  const isInactive = hint?.code === 'scenario-inactive'
  const inactive = isInactive ? matchInScenarios(table, method, url, bases)?.endpoint : undefined
  return { reason: hint && showDiagnostic(hint, root), inactive }
}

/** Which path was probably meant, where only a route for every path has answered. */
function caught({ table }: RoutesNow, match: EndpointMatch, raw: RawRequest, by: AnsweredBy) {
  if (by === 'passed-on' || !isCatchAll(match.endpoint)) return undefined
  return describeCaught(table, match, raw)
}

/** Bytes of a body that is read again when a fixture file has changed, which happens for hundreds of requests at once. */
const maxExplained = 65_536

/**
 * Predicates that were called are not called again.
 *
 * @param bases absent for an explanation that is kept when the fixture file has changed
 */
export function explainRecorded(
  known: RoutesNow,
  entry: JournalEntry,
  bases?: readonly string[],
  callsPredicates = false,
): Explanation {
  const { match, body, scenarios, decided, method, url } = entry
  if (entry.explanation) return entry.explanation
  const answeredBy = showAnsweredBy(entry.answeredBy, entry.route)
  const raw = rawRequestOf(entry)
  const diagnostic = entry.diagnostic ?? (match && caught(known, match, raw, answeredBy))
  const reason = diagnostic && showDiagnostic(diagnostic, known.root)
  if (!match) {
    const isOpen = !reason && entry.isUnanswered && bases
    // Routes for it have been saved since: one that looks similar is of the same endpoint.
    if (isOpen && matchEndpoint(known.table, method, url, bases))
      return explainWithoutRoutes(
        answeredBy,
        'No route had the method and path of this request. Routes have them now: send it again to see why none matches.',
        { scenarios },
      )
    const why = isOpen ? whyUnanswered(known, bases, method, url) : { reason }
    return explainWithoutRoutes(answeredBy, 'No route has the method and path of this request.', {
      scenarios,
      ...why,
    })
  }
  const without = (summary: string) =>
    explainWithoutRoutes(answeredBy, summary, { scenarios, endpoint: match.endpoint, reason })
  if (entry.isAborted && answeredBy === 'passed-on')
    return without('The client disconnected before its request was read.')
  if (decided?.by === 'refused' && !decided.operation) return without(summariseRefusal(raw, reason))
  if (body && (body.size > body.bytes.length || (!bases && body.size > maxExplained)))
    return without(`The body has ${formatSize(body.size)}, too much to compare the routes with it again.`)
  const read = readRequest(match, raw, decided?.operation?.index)
  if ('refused' in read) return without(`The body could not be read: ${read.refused}.`)
  const explained = explainDecision(match, read.request, {
    answeredBy,
    decided: decided ?? { by: 'passed-on' },
    reason,
    errors: errorsOf(entry),
    scenarios,
    callsPredicates,
  })
  const delay = entry.wait > 0 ? ` Its answer is delayed by ${formatDuration(entry.wait)}.` : ''
  return { ...explained, summary: explained.summary + delay }
}
