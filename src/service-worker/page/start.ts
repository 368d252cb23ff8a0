import { readScenarioNames, scenarioCookie } from '../../core/http/scenario-list.ts'
import { showBadge } from './badge.ts'
import { holdRequests } from './hold-requests.ts'
import { keepAlive, takeControl, type BuiltWorker } from './take-control.ts'

export interface PageOptions extends BuiltWorker {
  /** Whether the page shows that its answers are mocks. */
  badge: boolean
}

/**
 * Runs first in each page of a demo build. Requests wait until the worker answers them; if it can't, the console says why, and
 * they go to the network.
 */
export function startMockApi({ badge, ...worker }: PageOptions): void {
  keepScenarios(new URL(location.href))
  const shown = badge ? showBadge() : undefined
  const release = holdRequests()
  void takeControl(worker)
    .then(keepAlive, (error: unknown) => {
      shown?.fail()
      const reason = error instanceof Error ? error.message : String(error)
      console.error(
        `[mock-api] The mock API of this page is not available: ${reason}. Requests go to the network.`,
      )
    })
    .finally(release)
}

/** A page that is opened with `?mock-scenario=payment-down` stays in this scenario, as on a dev server. */
function keepScenarios({ searchParams }: URL): void {
  const values = searchParams.getAll('mock-scenario')
  if (values.length > 0) document.cookie = scenarioCookie(readScenarioNames(values.join()))
}
