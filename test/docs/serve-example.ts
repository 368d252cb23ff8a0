import type { MiddlewareOptions } from '../../src/connect.ts'
import { serveFiles, type Served } from '../hosts/of-test.ts'

const installed = 'node_modules/unplugin-mock-api'
/** What fixture files import of the package. */
const packageFiles = {
  [`${installed}/package.json`]: '{ "type": "module", "exports": { "./fixture": "./fixture.js" } }',
  [`${installed}/fixture.js`]: 'export const defineFixture = (fixture) => fixture',
}

/** Serves a project with the files of an example, without a bundler and without anything after the middleware. */
export function serveExample(
  files: Record<string, string>,
  options: MiddlewareOptions = {},
): Promise<Served> {
  return serveFiles({ ...packageFiles, ...files }, options, (middleware) => middleware)
}
