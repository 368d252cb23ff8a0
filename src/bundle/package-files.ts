import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of this package: found by its name, since the source and the built files are in different places. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json'))
}

/**
 * Where a bundler or its dev server is looked for: in the project, in the working directory, and where the running command
 * is installed (a framework may have the bundler as a dependency of its own). For `createRequire`.
 */
export function resolvePlaces(root: string): string[] {
  const command = process.argv[1]
  const folders = [root, process.cwd(), ...(command ? [dirname(realPath(command))] : [])]
  return folders.map((folder) => join(folder, 'resolve-from-here.js'))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
