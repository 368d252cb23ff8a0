import type { NodeHost } from '../node/feature.ts'

export interface OriginsServer {
  host: NodeHost
  originsNow: () => readonly string[]
  /** Origins that open pages send here, also when their last route is gone. */
  served: Set<string>
  /** Paths below which the server is, the application's first. */
  mounts: readonly string[]
}

/** Path, below that of the server, of the script that its pages run first. */
export const scriptPath = '/__mock-api/origins.js'
