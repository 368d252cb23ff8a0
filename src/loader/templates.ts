import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Route } from '../core/fixture/route.ts'
import { defaultGraphQL } from '../core/graphql/settings.ts'

/** The folder of the starter templates: `fixtures/` of this package, resolved by the name of the package. */
export const templateFolder = join(
  dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json')),
  'fixtures',
)

/** The entry of the option `fixtures` for the starter templates. A folder with this name is `./templates`. */
export const templatesEntry = 'templates'

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
  const taken = new Set(own.map(endpointOf))
  return templates
    .flatMap((route) =>
      defaultGraphQL.paths.includes(route.path) ? graphqlPaths.map((path) => ({ ...route, path })) : [route],
    )
    .filter((route) => !taken.has(endpointOf(route)))
}
