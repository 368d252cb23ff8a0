import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where a bundler may be: project, working directory, the running command (a framework may depend on it). */
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
