import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import { MockApiError } from '../core/diagnostics/format.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { displayPath } from '../loader/paths.ts'

/** The bundler's own message, without its colours. */
export function bundleFailed(bundler: string, error: unknown): MockApiError {
  const reason = reasonOf(error).replaceAll(/\x1B\[[\d;]*m/g, '')
  return new MockApiError([diagnoseSetup('bundle-failed', {}, { bundler, reason })])
}

/**
 * A fixture needs a part of Node, which the runtime of the bundle does not have.
 *
 * @param chain the modules that import each other, from the fixture file to the one that imports it
 */
export function nodeModule(root: string, module: string, chain: readonly string[]): MockApiError {
  const shown = chain.map((path) => displayPath(root, path))
  return new MockApiError([
    diagnoseSetup('fixture-needs-node', { file: shown[0] ?? '' }, { chain: [...shown, module] }),
  ])
}
