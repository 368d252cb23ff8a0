import { resolve } from 'node:path'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { MockServer } from '../../server/mock-server.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { formatPlace } from '../../core/diagnostics/format.ts'

/** An error in a fixture file, as the overlay in the page shows it. */
export interface OverlayError {
  /** `file:line:column`, relative to the project's root if it is inside. */
  place: string
  /** The same with an absolute path, for a link that opens the editor. */
  link: string
  /** Message, frame and fix. */
  text: string
}

/** Maximum number of errors in the overlay; the terminal shows all of them. */
const maxShown = 10

/** The current errors of the fixture files. */
export function overlayErrors({ store, options }: MockServer): OverlayError[] {
  const errors = store.current?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  return errors.slice(0, maxShown).map((error) => toOverlayError(error, options.root))
}

function toOverlayError(diagnostic: Diagnostic, root: string): OverlayError {
  const place = formatPlace(diagnostic)
  const text = formatDiagnostic(diagnostic).slice(place.length).trimStart()
  return { place, link: place && resolve(root, place), text }
}
