import { createMiddleware } from 'unplugin-mock-api/connect'
import { routesOf } from '../lib/route-sets.mjs'
import { makeProject } from '../lib/project.mjs'

/**
 * The package's middleware with a fixture file of `count` routes, or with the starter templates where `count` is 0.
 *
 * @param {string} set @param {number} count
 */
export async function loadRoutes(set, count) {
  const files = count > 0 ? { 'fixtures/routes.json': JSON.stringify(routesOf(set, count)) } : {}
  const root = makeProject(files)
  const middleware = createMiddleware({ root, watch: false, logLevel: 'error' })
  await middleware.ready
  return middleware
}
