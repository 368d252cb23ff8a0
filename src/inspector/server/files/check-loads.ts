import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { withPlainEnds } from '../../../files/text-file.ts'
import type { FixtureState } from '../../../loader/fixture-state.ts'
import { displayPath } from '../../../loader/paths.ts'
import { showDiagnostic } from '../../explain.ts'
import type { InspectedServer } from '../context.ts'
import { HttpError } from '../json.ts'
import { hasNoRoutesYet, unwritable } from './edit-file.ts'
import { isError } from '../../../core/diagnostics/severity.ts'

/**
 * Reads a text as the server would, before it is written: a file that loads is never replaced by one that does not. A file
 * with errors may keep some of them, since they are corrected one after the other.
 *
 * @throws HttpError
 */
export async function checkLoads(
  { store, options }: InspectedServer,
  path: string,
  text: string,
): Promise<void> {
  const before = store.current!
  const file = displayPath(options.root, path)
  const after = await store.check(path, withPlainEnds(text))
  const isBroken = before.diagnostics.some((one) => one.file === file && one.severity === 'error')
  const wrong = newDiagnostics(before, after, file).find(isError)
  if (wrong && !isBroken) throw invalidFixture(wrong, options.root)
  if (!hasNoRoutesYet(after, file) && !after.own.some(({ shown }) => shown === file))
    throw unwritable(
      `the text for ${file} is not a list of routes`,
      'Write a list of routes, as in - path: /items.',
    )
}

/** Problems of the file, and of other files that the change breaks. */
export function newDiagnostics(before: FixtureState, after: FixtureState, file: string): Diagnostic[] {
  const known = new Set(before.diagnostics.map((one) => JSON.stringify(one)))
  return after.diagnostics.filter((one) => one.file === file || !known.has(JSON.stringify(one)))
}

/** @param text what the place is in, if it is not the file of the diagnostic */
export function invalidFixture(diagnostic: Diagnostic, root: string, text = diagnostic.file): HttpError {
  const { message, fix, line = 1, column = 1, frame } = showDiagnostic(diagnostic, root)
  const place = `line ${line}, column ${column}`
  return new HttpError(
    400,
    'api-fixture-invalid',
    `${message} (${place} of ${text})${frame ? `\n${frame}\n` : ''}`,
    fix,
  )
}
