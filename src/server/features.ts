import type { Feature } from './feature.ts'
import { changedScenarios, changeScenarios } from '../core/answer/change-scenarios.ts'
import type { Decision } from '../core/answer/decision.ts'
import { scenarioNotices } from '../core/answer/receive.ts'
import { isNavigation } from '../core/http/raw-request.ts'
import { unknownScenarios } from '../core/state/mock-state.ts'
import { describeCaught, isCatchAll } from '../core/table/similar.ts'

/** Answers change scenarios just before they are sent, and streams and WebSockets that wait for one get it afterwards. */
const effects: Feature = {
  decided({ found, rules, report }, decision) {
    const names = changedScenarios(decision)
    if (names.length === 0) return
    unknownScenarios(rules, found.table, { names, by: 'key "then"' }).forEach(report)
    whenDue(decision, () => changeScenarios(decision, rules.state))
  },
  written({ hub }, decision) {
    if (hub.isHeard()) whenDue(decision, () => hub.emitAnswer(decision))
  },
}

function whenDue({ wait }: Decision, run: () => void): void {
  if (wait === 0) return run()
  const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(run, wait)
  timer.unref?.()
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
export const features: readonly Feature[] = [notices, effects]
