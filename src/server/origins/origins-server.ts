import type { Rules } from '../../core/answer/rules.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { FixtureStore } from '../../loader/fixture-store.ts'
import type { NodeHost } from '../node/node-port.ts'

export interface OriginsServer {
  store: FixtureStore
  host: NodeHost
  rulesNow: () => Rules
  report: (diagnostic: Diagnostic) => void
  /** Of all mock servers of the host. */
  originsNow: () => readonly string[]
  /** Those that open pages send here, also when their last route is gone. */
  served: Set<string>
}

/** Below the path of the server: what its pages run first. */
export const scriptPath = '/__mock-api/origins.js'
