import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../core/diagnostics/request-texts.ts'

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
