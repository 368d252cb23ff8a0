import { createServer } from 'node:http'
import { createMiddleware, type MiddlewareOptions } from '../../src/connect.ts'
import { closeServer, listen, recorder } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'

/** A project with the files of an example, served without a bundler. */
export interface ServedExample {
  origin: string
  log: string[]
  close: () => Promise<void>
}

const installed = 'node_modules/unplugin-mock-api'
/** What fixture files import of the package. */
const packageFiles = {
  [`${installed}/package.json`]: '{ "type": "module", "exports": { "./fixture": "./fixture.js" } }',
  [`${installed}/fixture.js`]: 'export const defineFixture = (fixture) => fixture',
}

export async function serveExample(
  files: Record<string, string>,
  options: MiddlewareOptions = {},
): Promise<ServedExample> {
  const project = createTestProject({ ...packageFiles, ...files })
  const { log, logger } = recorder()
  const middleware = createMiddleware({ root: project.root, logger, watch: false, ...options })
  await middleware.ready
  const server = createServer(middleware)
  return {
    origin: await listen(server),
    log,
    async close() {
      await middleware.close()
      await closeServer(server)
      project.close()
    },
  }
}
