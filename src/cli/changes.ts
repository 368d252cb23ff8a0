import { diffText } from '../files/diff-text.ts'
import type { FileChange } from '../files/changes.ts'
import { withPlainEnds } from '../files/text-file.ts'
import type { Terminal } from './terminal.ts'

export function describeFileChanges(changes: readonly FileChange[], style: Terminal['style']): string {
  return changes.map((change) => describeChange(change, style)).join('\n\n')
}

const shownLines = 6

/** A unified diff; for a new file, its first lines. */
function describeChange({ name, before, after }: FileChange, style: Terminal['style']): string {
  if (before === undefined) {
    const lines = after.trimEnd().split('\n')
    const more = lines.length - shownLines
    const shown = (more > 1 ? lines.slice(0, shownLines) : lines).map((line) => style('green', `+${line}`))
    if (more > 1) shown.push(style('dim', `  … and ${more} more lines`))
    return [style('bold', `${name} (new)`), ...shown].join('\n')
  }
  const colours = { '@': 'dim', '+': 'green', '-': 'red' } as const
  const lines = diffText(withPlainEnds(before), withPlainEnds(after))
    .split('\n')
    .map((line) => {
      const colour = colours[line.charAt(0) as keyof typeof colours]
      return colour ? style(colour, line) : line
    })
  return [style('bold', name), ...lines].join('\n')
}
