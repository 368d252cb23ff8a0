import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of this package: found by its name, since the source and the built files are in different places. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json'))
}

/** Where the built files of the entries are that a worker may import, whatever copy of the package the project has. */
export function workerEntries(): Record<string, string> {
  const entries = ['fetch', 'fixture', 'service-worker']
  return Object.fromEntries(
    entries.map((name) => [`unplugin-mock-api/${name}`, join(packageFolder(), `dist/${name}.js`)]),
  )
}

/** The chunk of `createFetchHandler` that needs the whole of graphql-js. */
export const schemaChunk = /[\\/]create-checker-[A-Z0-9]+\.js$/

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
