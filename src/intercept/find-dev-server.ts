import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'

/** In a browser: whether the page comes from a dev server that answers from fixtures too. It is asked once. */
export async function findDevServer(layer: string): Promise<Diagnostic | undefined> {
  if (!isPage()) return undefined
  try {
    const response = await fetch(new URL('/__mock-api/api/scenario', location.origin), {
      headers: { 'x-mock-api': '1', accept: 'msw/passthrough' }, // MSW leaves it to the network
    })
    const isOurs = (response.headers.get('content-type') ?? '').startsWith('application/json')
    if (!response.ok || !isOurs) return undefined
    return diagnoseRequest(
      'layers-overlap',
      {},
      { layers: [layer, 'the dev server (mockApi() in its config)'] },
    )
  } catch {
    return undefined
  }
}

/** A page of a browser, not of jsdom or happy-dom, where Node's `process` is there too. */
function isPage(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return typeof document !== 'undefined' && process?.versions?.node === undefined
}
