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
export const schemaChunk = /[\\/]web-create-checker-[A-Z0-9]+\.js$/
