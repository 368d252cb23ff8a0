import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ResolvedOptions } from '../core/options/options.ts'
import { UsageError, type Terminal } from './terminal.ts'

/**
 * The folder of the project, as `--root` names it.
 *
 * @throws UsageError when there is no such folder
 */
export function projectFolder({ cwd }: Terminal, root = '.'): string {
  const folder = resolve(cwd, root)
  const kind = kindOf(folder)
  if (kind !== 'folder')
    throw new UsageError(
      kind === 'file'
        ? `${folder} is a file. Name the folder of the project with --root.`
        : `There is no folder ${folder}.`,
    )
  return folder
}

/**
 * A file to read that is named on the command line.
 *
 * @throws UsageError when it does not exist, or is a folder
 */
export function fileToRead(folder: string, name: string): string {
  const path = resolve(folder, name)
  const kind = kindOf(path)
  if (kind === 'file') return path
  throw new UsageError(
    kind === 'folder' ? `${path} is a folder. Name a file in it.` : `There is no file ${path}.`,
  )
}

/**
 * The file or the folder to write to, as `--out` names it.
 *
 * @throws UsageError when it is there already, and is the other one
 */
export function placeToWrite(folder: string, out: string, wanted: 'file' | 'folder'): string {
  const path = resolve(folder, out)
  const kind = kindOf(path)
  if (kind !== 'nothing' && kind !== wanted)
    throw new UsageError(`${path} is a ${kind}. Name a ${wanted} with --out.`)
  return path
}

/** What to say when no fixture file was found. */
export function noFixtures(
  { fixtures, root }: Pick<ResolvedOptions, 'fixtures' | 'root'>,
  reason = '',
): string {
  return `There is no fixture file in ${fixtures.join(', ')} below ${root}.${reason} Name the folder with --fixtures.`
}

function kindOf(path: string): 'file' | 'folder' | 'nothing' {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? 'nothing' : found.isDirectory() ? 'folder' : 'file'
  } catch {
    return 'nothing' // a part of the path is a file
  }
}
