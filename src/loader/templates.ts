import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Route } from '../core/fixture/route.ts'
import { defaultGraphQL } from '../core/graphql/settings.ts'
import { displayPath } from './paths.ts'
import { templateRoutes } from './template-routes.ts'

/** The entry of the option `fixtures` for the starter templates. A folder with this name is `./templates`. */
export const templatesEntry = 'templates'

/** The folder of the starter templates: `fixtures/` of this package, beside `dist/` and `src/`. */
export function templateFolder(): string {
  // Not by the name of the package: resolving it takes two milliseconds of each start.
  const own = dirname(fileURLToPath(import.meta.url))
  const places = ['../fixtures', '../../fixtures'].map((path) => resolve(own, path))
  return places.find((folder) => existsSync(folder)) ?? places[0]!
}

/** The files of the starter templates, in the order in which they are read: by path. */
export function templateFiles(): string[] {
  return ['graphql.yaml', 'items.yaml'].map((name) => join(templateFolder(), name))
}

/**
 * The routes of the starter templates, with their positions in the files of this package's folder `fixtures/`.
 *
 * @param root the folder that paths in messages are relative to
 */
export function findTemplates(root: string): Route[] {
  const folder = templateFolder()
  return templateRoutes.map((route) => {
    const file = displayPath(root, join(folder, route.source.file))
    return { ...route, source: { ...route.source, file } }
  })
}

/**
 * The routes of the templates to add to the project's own: the GraphQL ones at the paths of the option, and none for an
 * endpoint that the project has itself.
 */
export function placeTemplates(
  templates: readonly Route[],
  own: readonly Route[],
  graphqlPaths: readonly string[],
): Route[] {
  const endpointOf = ({ method, path }: Route) =>
    `${method ?? (graphqlPaths.includes(path) ? 'POST' : 'GET')} ${path}`
  // The routes of a scenario are not always there.
  const taken = new Set(own.filter(({ scenarios }) => !scenarios).map(endpointOf))
  return templates
    .flatMap((route) =>
      defaultGraphQL.paths.includes(route.path)
        ? graphqlPaths.map((path) => ({ ...route, path, source: { ...route.source } }))
        : [route],
    )
    .filter((route) => !taken.has(endpointOf(route)))
}
