import { formatDiagnostic } from '../core/diagnostics/format.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'
import type { PackageLogger } from '../core/options/logger.ts'
import { createApiClient } from '../inspector/client/api-client.ts'
import { inProcess } from '../wire/in-process.ts'

/** Shared by all copies of this package in the page or process. */
const layers = inProcess('layers', () => ({ names: new Set<string>(), isTold: false }))

export function noticeLayer(name: string, logger: PackageLogger): void {
  layers.names.add(name)
  if (layers.names.size < 2 || layers.isTold) return
  layers.isTold = true
  warn([...layers.names], logger)
}

/** To be called once. Warns if the page's dev server answers from fixtures too. */
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

/** Whether this is a page in a browser, and not jsdom or happy-dom, which have Node's `process`. */
function isPage(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return typeof document !== 'undefined' && process?.versions?.node === undefined
}
