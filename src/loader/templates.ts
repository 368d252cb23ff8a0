import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The entry of the option `fixtures` for the starter templates. A folder with this name is `./templates`. */
export const templatesEntry = 'templates'

/** The starter templates: files of `fixtures/` of this package, beside `dist/` and `src/`. */
export function templateFiles(): string[] {
  // Not resolved by the name of the package: that takes two milliseconds of each start.
  const own = dirname(fileURLToPath(import.meta.url))
  const places = ['../fixtures', '../../fixtures'].map((path) => resolve(own, path))
  const folder = places.find((place) => existsSync(place)) ?? places[0]!
  return ['graphql.yaml', 'items.yaml'].map((name) => join(folder, name))
}

/** Whether a file is a starter template as `init` has written it: its first line names the schema. */
export function isStarterTemplate(file: string): boolean {
  const template = templateFiles().find((one) => basename(one) === basename(file))
  const restOf = (path: string) => readFileSync(path, 'utf8').replace(/^.*/, '')
  return template !== undefined && existsSync(file) && restOf(file) === restOf(template)
}
