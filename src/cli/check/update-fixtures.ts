import { planEdits, type PlannedEdits } from '../../backend/compare/plan-edits.ts'
import type { FoundDifference } from '../../backend/compare/found.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { writeChanges } from '../../files/changes.ts'
import { refusalOf, type FileError } from '../../files/file-error.ts'
import { ownFolders } from '../../loader/find/find-fixtures.ts'
import { describeFileChanges } from '../changes.ts'
import type { Terminal } from '../terminal.ts'

/** Writes what is certain of the differences into fixture files. At a terminal, it shows that and asks before. */
export async function updateFixtures(
  terminal: Terminal,
  differences: readonly FoundDifference[],
  options: ResolvedOptions,
): Promise<PlannedEdits & { refusal?: FileError }> {
  const planned = planEdits(differences, options)
  const { changes } = planned
  if (changes.length > 0 && terminal.isInteractive) {
    terminal.note(describeFileChanges(changes, terminal.style))
    if (!(await terminal.confirm('Write this?'))) return planEdits([], options)
  }
  const refusal = refusalOf(() => writeChanges(changes, ownFolders(options)))
  return refusal ? { ...planEdits([], options), refusal } : planned
}
