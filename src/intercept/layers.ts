/* What else answers the requests of an application: each layer tells the developer once. */
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'
import { createApiClient } from '../inspector/client/api-client.ts'

const layersKey = Symbol.for('unplugin-mock-api.layers')

/** What has answered a request here, in this page or process: by any copy of this package. */
interface Layers {
  names: Set<string>
  isTold: boolean
}

/**
 * Remembers that a layer has answered a request.
 *
 * @returns the diagnostic if it is not the only one, once
 */
export function noticeLayer(name: string): Diagnostic | undefined {
  const layers = ((globalThis as { [layersKey]?: Layers })[layersKey] ??= { names: new Set(), isTold: false })
  layers.names.add(name)
  if (layers.names.size < 2 || layers.isTold) return undefined
  layers.isTold = true
  return diagnoseRequest('layers-overlap', {}, { layers: [...layers.names] })
}

/** In a browser: whether the page comes from a dev server that answers from fixtures too. It is asked once. */
export async function findDevServer(layer: string): Promise<Diagnostic | undefined> {
  if (!isPage()) return undefined
  const api = createApiClient({
    base: `${location.origin}/__mock-api/api/`,
    headers: { accept: 'msw/passthrough' }, // MSW leaves it to the network
  })
  try {
    await api.call('GET /scenario')
  } catch {
    return undefined
  }
  return diagnoseRequest(
    'layers-overlap',
    {},
    { layers: [layer, 'the dev server (mockApi() in its config)'] },
  )
}

/** A page of a browser, not of jsdom or happy-dom, where Node's `process` is there too. */
function isPage(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return typeof document !== 'undefined' && process?.versions?.node === undefined
}
