import type { Feature } from './feature.ts'
import { scenarioNotices } from '../core/answer/receive.ts'
import { isNavigation } from '../core/http/raw-request.ts'
import { describeCaught, isCatchAll } from '../core/table/similar.ts'

/** Streams and WebSockets may wait for the answer of another route, which counts when it is due. */
const emitAnswers: Feature = {
  written({ hub }, decision) {
    if (!hub.isHeard()) return
    const emit = () => hub.emitAnswer(decision)
    if (decision.wait === 0) return emit()
    const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(emit, decision.wait)
    timer.unref?.()
  },
}

const notices: Feature = {
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

/** Features of all hosts. Notices come first, so that the log says why before anything else happens. */
export const features: readonly Feature[] = [notices, emitAnswers]
