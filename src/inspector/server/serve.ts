import type { IncomingMessage, ServerResponse } from 'node:http'
import { addRoute, createRouter, findRoute } from 'rou3'
import type * as v from 'valibot'
import { clientOf } from '../../core/http/whose-state.ts'
import { percentDecoded } from '../../core/http/path.ts'
import { nearestName } from '../../core/values/spelling.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { FileError } from '../../files/file-error.ts'
import { apiSchemas } from '../api/schemas.ts'
import type { ApiCall } from '../client/api-client.ts'
import { endpoints, type ApiEndpoint, type EndpointName } from '../api/endpoints.ts'
import { UneditableError } from '../../writer/fixture-text.ts'
import { checkAccess } from './access.ts'
import { serveAgents } from './agents/serve-agents.ts'
import type { ApiHandlers, ApiRequest, InspectedServer, ServeInspector, Site } from './context.ts'
import { explain } from './explain-route.ts'
import { createCollectionHandlers } from './collections.ts'
import { fileProblem, unwritable } from './files/edit-file.ts'
import { createEditHandlers } from './files/edits.ts'
import { createImportHandler } from './files/import-files.ts'
import { checkBody, HttpError, readJsonBody, writeJson } from './json.ts'
import { createEditorOpener } from './files/open-file.ts'
import { createRequestHandlers } from './requests.ts'
import { openApiDocument } from './openapi.ts'
import { createRealityHandlers } from './reality.ts'
import { servePage } from './serve-page.ts'
import { createStateHandlers } from './state.ts'

export { explainEntry } from './explain-route.ts'

/** Loaded with the first request below `/__mock-api`. */
export function createInspector(server: InspectedServer): ServeInspector {
  const api = createApi(server)

  async function serve(req: IncomingMessage, res: ServerResponse, path: string, site: Site): Promise<void> {
    if (path === '/api' || path.startsWith('/api/') || path.startsWith('/api?')) {
      checkAccess(req, site.origins)
      return api.serve(req, res, path.slice('/api'.length), site)
    }
    const name = path.split('?', 1)[0]!
    if (name === '/mcp') {
      checkAccess(req, site.origins, 'agents')
      return serveAgents(server, api.callOf(req, res, site), req, res)
    }
    checkAccess(req, site.origins, 'page')
    if (await servePage(req, res, name)) return
    throw new HttpError(404, 'page-not-found', {
      message: `The inspector has nothing at ${name}.`,
      fix: 'Open /__mock-api/, or ask the control API below /__mock-api/api/.',
    })
  }

  return (req, res, path, site) => {
    serve(req, res, path, site).catch((error: unknown) => {
      const problem = error instanceof HttpError ? error : unexpected(error)
      writeJson(req, res, problem.status, problem, problem.headers)
    })
  }
}

function unexpected(error: unknown): HttpError {
  return new HttpError(500, 'internal-error', {
    message: `The control API has failed: ${reasonOf(error)}.`,
    fix: 'This is a bug in unplugin-mock-api. Please report it.',
  })
}

function createApi(server: InspectedServer) {
  const handlers: ApiHandlers = {
    ...createStateHandlers(server),
    ...createRequestHandlers(server),
    ...createEditHandlers(server),
    ...createCollectionHandlers(server),
    ...createRealityHandlers(server),
    'POST /open': createEditorOpener(server),
    'POST /import': createImportHandler(server),
    'POST /explain': (request) => explain(server, request),
    'GET /openapi.json': openApiDocument,
  }

  async function handle(name: EndpointName, { body: given, ...request }: ApiRequest): Promise<unknown> {
    const { body: shape }: ApiEndpoint = endpoints[name]
    const body = shape && checkBody(apiSchemas[shape] as v.GenericSchema, given)
    try {
      return await (handlers[name] as (request: ApiRequest) => unknown)({ ...request, body })
    } catch (error) {
      if (error instanceof FileError) throw fileProblem(error)
      throw error instanceof UneditableError ? unwritable(error.message) : error
    }
  }

  return {
    async serve(req: IncomingMessage, res: ServerResponse, url: string, site: Site): Promise<void> {
      const { pathname, searchParams: query } = new URL(`http://localhost${url}`)
      const { name, params } = find(req.method ?? 'GET', pathname.replace(/\/$/, ''))
      const { body: shape, maxBody }: ApiEndpoint = endpoints[name]
      const body = shape && (await readJsonBody(server, req, maxBody))
      const client = clientOf(req.headers)
      const answer = await handle(name, { req, res, params, query, body, client, site })
      if (answer !== undefined) writeJson(req, res, 200, answer)
    },

    /** Calls a handler as over HTTP, for a request that comes in another form. */
    callOf:
      (req: IncomingMessage, res: ServerResponse, site: Site): ApiCall =>
      async (name, { id, params, query, body, headers } = {}) => {
        const client = clientOf(headers ?? req.headers)
        const given = {
          params: { id: String(id), ...params },
          query: new URLSearchParams(query),
          body,
          client,
        }
        return (await handle(name, { ...given, req, res, site })) as never
      },
  }
}

const paths = new Set<string>()
const methods = new Set<string>()
const router = createRouter<EndpointName>()
for (const name of Object.keys(endpoints) as EndpointName[]) {
  const [method, path] = name.split(' ') as [string, string]
  paths.add(path)
  methods.add(method)
  addRoute(router, method, path.replaceAll(/\{(\w+)\}/g, ':$1'), name)
}
const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

function find(method: string, path: string): { name: EndpointName; params: Record<string, string> } {
  const found = findRoute(router, method === 'HEAD' ? 'GET' : method, path)
  if (found) {
    const params = Object.entries(found.params ?? {}).map(([name, value]) => [name, percentDecoded(value)])
    return { name: found.data, params: Object.fromEntries(params) as Record<string, string> }
  }
  const allowed = [...methods]
    .filter((one) => findRoute(router, one, path))
    .flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : one))
  if (allowed.length > 0)
    throw new HttpError(405, 'api-method-unknown', {
      message: `"${path}" of the control API has no method ${method}.`,
      fix: `Use ${oneOf.format(allowed)}.`,
      headers: { allow: allowed.join(', ') },
    })
  const near = nearestName(path, [...paths])
  throw new HttpError(404, 'api-path-unknown', {
    message: `The control API has nothing at "${path || '/'}".`,
    fix: near === undefined ? `It has ${[...paths].join(', ')}.` : `Did you mean "${near}"?`,
  })
}
