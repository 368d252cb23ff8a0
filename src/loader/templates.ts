import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Route } from '../core/fixture/route.ts'
import { defaultGraphQL } from '../core/graphql/settings.ts'

/** The folder of the starter templates: `fixtures/` of this package, found by its name from wherever this code runs. */
export const templateFolder = join(
  dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json')),
  'fixtures',
)

/** The entry of the option `fixtures` that stands for the starter templates. A folder of this name is `./templates`. */
export const templatesEntry = 'templates'

/**
 * The routes of the templates that answer beside the project's own: the GraphQL ones at the paths that the option gives, and
 * none of an endpoint that the project has itself.
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
