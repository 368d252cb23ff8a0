import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { attempt } from '../core/values/thrown.ts'

/** Where a bundler may be: project, working directory, the running command (a framework may depend on it). */
export function resolvePlaces(root: string): string[] {
  const command = process.argv[1]
  const folders = [
    root,
    process.cwd(),
    ...(command ? [dirname(attempt(() => realpathSync(command)) ?? command)] : []),
  ]
  return folders.map((folder) => join(folder, 'resolve-from-here.js'))
}
