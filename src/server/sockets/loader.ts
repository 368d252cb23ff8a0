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
  return {
    load: () => (loading ??= import('./sockets.ts').then(({ Sockets }) => new Sockets(bodyLimit))),
    reload: (table) => void loading?.then((sockets) => sockets.reload(table)),
    close: () => void loading?.then((sockets) => sockets.close()),
  }
}
