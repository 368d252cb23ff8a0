import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** By its name: source and built files are in different places. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json'))
}

/** Project, working directory and the running command, since a framework may depend on the bundler. For `createRequire`. */
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
