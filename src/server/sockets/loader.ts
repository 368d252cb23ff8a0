import type { RouteTable } from '../../core/table/route-table.ts'
import type { Sockets } from './sockets.ts'

export interface SocketLoader {
  /** With the first WebSocket: no other request needs `ws`. */
  load: () => Promise<Sockets>
  reload: (table: RouteTable) => void
  close: () => void
}

export function createSocketLoader(bodyLimit: number): SocketLoader {
  let loading: Promise<Sockets> | undefined
  // Whoever asked for it has reported a failure, such as a package that was installed anew meanwhile.
  const loaded = (use: (sockets: Sockets) => void) => void loading?.then(use, () => {})
  return {
    load: () => (loading ??= import('./sockets.ts').then(({ Sockets }) => new Sockets(bodyLimit))),
    reload: (table) => loaded((sockets) => sockets.reload(table)),
    close: () => loaded((sockets) => sockets.close()),
  }
}
