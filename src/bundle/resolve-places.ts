import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
