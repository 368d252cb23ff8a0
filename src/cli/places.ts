import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import type { FixtureState } from '../loader/fixture-state.ts'
import { createFixtureStore } from '../loader/fixture-store.ts'
import { UsageError, type Terminal } from './terminal.ts'

export function projectFolder({ cwd }: Terminal, root = '.'): string {
  const folder = resolve(cwd, root)
  const kind = kindOf(folder)
  if (kind === 'folder') return folder
  throw new UsageError(
    kind === 'file'
      ? `${folder} is a file. Name the folder of the project with --root.`
      : `There is no folder ${folder}.`,
  )
}

export function fileToRead(folder: string, name: string): string {
  const path = resolve(folder, name)
  const kind = kindOf(path)
  if (kind === 'file') return path
  throw new UsageError(
    kind === 'folder' ? `${path} is a folder. Name a file in it.` : `There is no file ${path}.`,
  )
}

/** @throws UsageError when a file stands where a folder is wanted, or a folder where a file is */
export function placeToWrite(folder: string, out: string, wanted: 'file' | 'folder'): string {
  const path = resolve(folder, out)
  const kind = kindOf(path)
  if (kind === undefined || kind === wanted) return path
  throw new UsageError(`${path} is a ${kind}. Name a ${wanted} with --out.`)
}

/** As a dev server reads them when it starts. */
export async function readFixtures(options: ResolvedOptions): Promise<FixtureState> {
  const store = createFixtureStore(options)
  await store.ready
  await store.close()
  return store.current!
}

export function noFixtures({ fixtures, root }: ResolvedOptions, reason = ''): string {
  return `There is no fixture file in ${fixtures.join(', ')} below ${root}.${reason} Name the folder with --fixtures.`
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && (found.isDirectory() ? 'folder' : 'file')
  } catch {
    return undefined // a part of the path is a file
  }
}
