import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { nearestName } from '../core/values/spelling.ts'
import { attempt } from '../core/values/thrown.ts'
import type { FixtureState } from '../loader/fixture-state.ts'
import { createFixtureStore } from '../loader/fixture-store.ts'
import { UsageError, type Terminal } from './terminal.ts'

export function projectFolder({ cwd }: Terminal, root = '.'): string {
  return mustBe(resolve(cwd, root), 'folder', 'Name the folder of the project with --root.')
}

export function fileToRead(folder: string, name: string): string {
  if (/^https?:/i.test(name))
    throw new UsageError(`${name} is not a file. Download it first, as with curl -O, and name the file.`)
  return mustBe(resolve(folder, name), 'file', 'Name a file in it.')
}

/** @returns the absolute path, which may not exist yet */
export function placeToWrite(folder: string, out: string, wanted: 'file' | 'folder'): string {
  const path = resolve(folder, out)
  return kindOf(path) === undefined ? path : mustBe(path, wanted, `Name a ${wanted} with --out.`)
}

/** @throws UsageError when nothing is there, or a file where a folder is wanted, or a folder where a file is */
function mustBe(path: string, wanted: 'file' | 'folder', advice: string): string {
  const kind = kindOf(path)
  if (kind === wanted) return path
  if (kind) throw new UsageError(`${path} is a ${kind}. ${advice}`)
  const near = nearestName(basename(path), attempt(() => readdirSync(dirname(path))) ?? [])
  throw new UsageError(`There is no ${wanted} ${path}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
}

/**
 * Reads fixture files as a dev server does when it starts.
 *
 * @param graphql from which items of types are generated
 */
export async function readFixtures(
  options: ResolvedOptions,
  graphql = options.graphql,
): Promise<FixtureState> {
  const store = createFixtureStore(options, { graphql })
  await store.ready
  await store.close()
  return store.current!
}

export function noFixtures({ fixtures, root }: ResolvedOptions, reason = ''): string {
  return `There is no fixture file in ${fixtures.join(', ')} below ${root}.${reason} Name the folder with --fixtures.`
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const found = attempt(() => statSync(path)) // a part of the path may be a file
  return found && (found.isDirectory() ? 'folder' : 'file')
}
