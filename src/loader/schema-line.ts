import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { toPosix } from '../files/paths.ts'

const schemaFile = 'node_modules/unplugin-mock-api/fixture.schema.json'

/** The first line of a fixture file: editors complete and check with it. Empty where the package is not installed. */
export function schemaLine(path: string): string {
  const folder = dirname(path)
  const packages = packagesOf(folder)
  return packages === undefined ? '' : `# yaml-language-server: $schema=${schemaFrom(folder, packages)}\n`
}

/** @param packages the folder whose `node_modules` has the package */
export function schemaFrom(folder: string, packages: string): string {
  return toPosix(relative(folder, join(packages, schemaFile)))
}

/** The folder whose `node_modules` has this package: in a workspace it may be a parent. */
export function packagesOf(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, schemaFile))) return folder
    if (folder === dirname(folder)) return undefined
  }
}
