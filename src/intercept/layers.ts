/* What else answers the requests of an application: each layer tells the developer once. */
import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'
import type { PackageLogger } from '../core/options/logger.ts'
import { createApiClient } from '../inspector/client/api-client.ts'

const layersKey = Symbol.for('unplugin-mock-api.layers')

/** What has answered a request here, in this page or process: by any copy of this package. */
interface Layers {
  names: Set<string>
  isTold: boolean
}

/** Remembers that a layer has answered a request. Warns if it is not the only one, once. */
export function noticeLayer(name: string, logger: PackageLogger): void {
  const layers = ((globalThis as { [layersKey]?: Layers })[layersKey] ??= { names: new Set(), isTold: false })
  layers.names.add(name)
  if (layers.names.size < 2 || layers.isTold) return
  layers.isTold = true
  warn([...layers.names], logger)
}

/** In a browser: warns if the page comes from a dev server that answers from fixtures too. To be called once. */
export async function noticeDevServer(layer: string, logger: PackageLogger): Promise<void> {
  if (!isPage()) return
  const api = createApiClient({
    base: `${location.origin}/__mock-api/api/`,
    headers: { accept: 'msw/passthrough' }, // MSW leaves it to the network
  })
  await api.call('GET /scenario').then(
    () => warn([layer, 'the dev server (mockApi() in its config)'], logger),
    () => {},
  )
}

function warn(layers: string[], logger: PackageLogger): void {
  logger.warn(formatDiagnostic(diagnoseRequest('layers-overlap', {}, { layers })))
}

/** A page of a browser, not of jsdom or happy-dom, where Node's `process` is there too. */
function isPage(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return typeof document !== 'undefined' && process?.versions?.node === undefined
}
