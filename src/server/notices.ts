import { scenarioNotices } from '../core/answer/receive.ts'
import { isNavigation } from '../core/http/raw-request.ts'
import { describeCaught, isCatchAll } from '../core/table/similar.ts'
import type { Feature } from './feature.ts'

export const notices: Feature = {
  received({ found, raw, rules, report }) {
    scenarioNotices(rules, found.table, raw.method, raw.url, raw).forEach(report)
  },
  decided({ found, rules, report }, { by, diagnostic, raw, route }) {
    if (diagnostic) report(diagnostic)
    // A route for every path does not hide a mistyped path, unless the route asks the backend, which has more paths.
    const { table, match } = found
    if (by !== 'route' || !isCatchAll(match.endpoint) || isNavigation(raw.method, raw)) return
    if (
      route?.response.kind === 'backend' ||
      !rules.state.isFirstNotice(`caught ${raw.method} ${match.path}`)
    )
      return
    const similar = describeCaught(table, match, raw)
    if (similar) report(similar)
  },
}
