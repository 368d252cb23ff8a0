import type { IncomingMessage, ServerResponse } from 'node:http'
import { reasonOf } from '../../core/values/thrown.ts'
import { createApi } from './control-api.ts'
import type { InspectedServer, ServeInspector, Site } from './context.ts'
import { checkAccess } from './guard.ts'
import { Problem } from './problem.ts'
import { servePage } from './serve-page.ts'
import { writeJson } from './write-json.ts'

/** Makes what serves everything below `/__mock-api`. It is loaded with the first such request. */
export function createInspector(server: InspectedServer): ServeInspector {
  const api = createApi(server)

  async function serve(req: IncomingMessage, res: ServerResponse, path: string, site: Site): Promise<void> {
    if (path === '/api' || path.startsWith('/api/') || path.startsWith('/api?')) {
      checkAccess(req, site.origins)
      return api(req, res, path.slice('/api'.length), site)
    }
    checkAccess(req, site.origins, true)
    const name = path.split('?', 1)[0]!
    // Without the slash, the page's own links would lead beside it.
    if (name === '') return redirect(res, `__mock-api/${path}`)
    if (await servePage(req, res, name.slice(1))) return
    throw new Problem(
      404,
      'page-not-found',
      `The inspector has nothing at ${name}.`,
      'Open /__mock-api/, or ask the control API below /__mock-api/api/.',
    )
  }

  return (req, res, path, site) => {
    serve(req, res, path, site).catch((error: unknown) => {
      const problem = error instanceof Problem ? error : unexpected(error)
      writeJson(req, res, problem.status, problem, problem.headers)
    })
  }
}

function redirect(res: ServerResponse, location: string): void {
  res.writeHead(302, { location, 'cache-control': 'no-store' })
  res.end()
}

function unexpected(error: unknown): Problem {
  return new Problem(
    500,
    'internal-error',
    `The control API has failed: ${reasonOf(error)}.`,
    'This is a bug in unplugin-mock-api. Please report it.',
  )
}
