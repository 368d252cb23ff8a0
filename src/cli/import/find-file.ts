import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../exit-code.ts'
import type { Terminal } from '../terminal.ts'
import type { ImportOptions } from './import-options.ts'

/**
 * The path of a file that is named on the command line.
 *
 * @throws UsageError when it does not exist, or is a folder
 */
export function findFile({ cwd }: Terminal, name: string, { root = '.' }: ImportOptions): string {
  const path = resolve(cwd, root, name)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${path}.`)
  return path
}
