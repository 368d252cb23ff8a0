import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of this package, by its name: source and built files are in different places. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json'))
}

export function readPackageFile(name: string): string {
  return readFileSync(join(packageFolder(), name), 'utf8')
}
