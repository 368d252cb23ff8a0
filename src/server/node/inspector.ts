import type { Server } from 'node:http'
import { loadGraphQL } from '../../core/graphql/later.ts'
import type { Endpoint, RouteTable } from '../../core/table/route-table.ts'
import { Journal } from '../../inspector/journal.ts'
import type { InspectedServer, ServeInspector, Site } from '../../inspector/server/context.ts'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import type { CreateFeature, ServedInspector } from './feature.ts'
import { leaveAddress } from '../../files/running-servers.ts'

export const inspector: CreateFeature = ({ inspector: own, options }) =>
  own
    ? {
        attach(server) {
          own.servers.add(server)
          const leave = leaveAddress(options.root, server)
          return () => {
            own.servers.delete(server)
            leave()
          }
        },
        arrive(req, res, next) {
          const isOwn = own.isFor(req.url ?? '/')
          if (isOwn) own.serve(req, res, next)
          return isOwn
        },
      }
    : {}

/** The middlewares of one mock server share one journal. The inspector is loaded with its first request. */
export function createInspectorLoader(
  server: Omit<InspectedServer, 'journal'>,
): (mounts: readonly string[], site: Site) => ServedInspector {
  const servers = new Set<Server>()
  let journal: Journal | undefined
  let loading: Promise<ServeInspector> | undefined

  return (mounts, site) => {
    if (!journal) {
      journal = new Journal(() => performance.now())
      releaseOldEndpoints({ ...server, journal })
    }
    const inspected = { ...server, journal }
    const folders = [...new Set(mounts)].map((mount) => `${mount}/${inspectorFolder}`)
    return {
      journal,
      servers,
      isFor: (url) => pathInInspector(url, folders) !== undefined,
      serve(req, res, next) {
        const path = pathInInspector(req.url ?? '/', folders)!
        loading ??= loadInspector().then(({ createInspector }) => createInspector(inspected))
        loading.then((serve) => serve(req, res, path, site)).catch(next)
      },
    }
  }
}

/** The inspector reads operations again that others have answered. */
async function loadInspector() {
  await loadGraphQL()
  return import('../../inspector/server/serve.ts')
}

/** The journal keeps the endpoints of the current and the previous table, and of older ones what they explain. */
function releaseOldEndpoints(server: InspectedServer): void {
  const { store, journal } = server
  /** The sources of an unchanged file are the same objects in the next table. */
  const sourcesOf = (table?: RouteTable) => new Set(table?.endpoints.map(({ routes }) => routes[0]!.source))
  let sources = sourcesOf()
  void store.ready.then(() => (sources = sourcesOf(store.current?.table)))
  store.onReload(({ table }) => {
    const before = sources
    sources = sourcesOf(table)
    const isKept = ({ routes: [first] }: Endpoint) => sources.has(first!.source) || before.has(first!.source)
    if (!journal.hasOld(isKept)) return
    loadInspector()
      .then(({ explainEntry }) => journal.release(isKept, (entry) => explainEntry(server, entry)))
      .catch(() => {}) // their tables stay for a while
  })
}

/** The part of a URL after `/__mock-api`; `undefined` for any other URL. */
function pathInInspector(url: string, folders: readonly string[]): string | undefined {
  const folder = folders.find((one) => url.startsWith(one) && /^(?:[/?]|$)/.test(url.slice(one.length)))
  return folder === undefined ? undefined : url.slice(folder.length)
}
