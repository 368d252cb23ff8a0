import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { Miniflare } from 'miniflare'
import { build, type Rolldown } from 'vite'
import { parse } from 'yaml'
import { createFetchHandler, type FetchHandler, type FetchOptions, type Fixture } from '../../src/fetch.ts'
import type { Send } from '../contract.ts'
import { sendTo } from '../http.ts'
import { createTestProject } from './test-project.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** The starter templates. A fetch runtime has no files, so whoever wants them there hands them over. */
export const starterRoutes = ['graphql', 'items'].flatMap(
  (name) => parse(readFileSync(`${packageRoot}/fixtures/${name}.yaml`, 'utf8')) as Fixture,
)

/** Something that answers requests as a runtime of `Request` and `Response` does. */
export interface FetchRuntime {
  name: string
  start: (routes: Fixture, options?: FetchOptions) => Promise<{ send: Send; close: () => Promise<void> }>
}

/** Sends requests to a fetch function, as a server over it would hand them over. */
export function sendThrough(answer: (request: Request) => Response | Promise<Response>): Send {
  return async ({ method = 'GET', url, headers = {}, body }) => {
    // As bytes: a text would get a content type.
    const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) }
    const response = await answer(new Request(`http://localhost${url}`, { method, headers, ...bytes }))
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
  }
}

/** What comes after the handler: it gives the body back that was left to it. */
const notFound = async (request: Request) =>
  new Response(await request.arrayBuffer(), { status: 404, headers: { 'x-passed-on': 'yes' } })

function inProcess(name: string, serve: (mockApi: FetchHandler) => Parameters<typeof sendThrough>[0]) {
  const runtime: FetchRuntime = {
    name,
    start(routes, options) {
      const send = sendThrough(serve(createFetchHandler(routes, { logLevel: 'silent', ...options })))
      return Promise.resolve({ send, close: () => Promise.resolve() })
    },
  }
  return runtime
}

const notFoundSource = notFound.toString()

/** Where a worker makes its handler: as it starts, or while it answers, when it may not make code from text. */
type MadeAt = 'start' | 'request'

/** A worker as a user writes it, bundled as a tool for workers bundles it: everything in one file, nothing of Node. */
export async function bundleWorker(
  routes: Fixture,
  options: FetchOptions = {},
  madeAt: MadeAt = 'start',
): Promise<string> {
  const make = `createFetchHandler(${JSON.stringify(routes)}, ${JSON.stringify({ logLevel: 'silent', ...options })})`
  const project = createTestProject({
    'worker.js': `
      import { createFetchHandler } from 'unplugin-mock-api/fetch'
      let mockApi ${madeAt === 'start' ? `= ${make}` : ''}
      const notFound = ${notFoundSource}
      export default { fetch: async (request) => (await (mockApi ??= ${make})(request)) ?? notFound(request) }`,
  })
  try {
    const built = (await build({
      root: project.root,
      configFile: false,
      logLevel: 'silent',
      // The built file: what is tested here is what it carries.
      resolve: { alias: { 'unplugin-mock-api/fetch': `${packageRoot}/dist/fetch.js` } },
      ssr: { target: 'webworker', noExternal: true },
      build: { ssr: 'worker.js', write: false },
    })) as Rolldown.RolldownOutput
    return built.output[0].code
  } finally {
    project.close()
  }
}

/** Cloudflare's runtime itself, listening on a port. */
export async function startWorkerd(script: string) {
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2026-03-01', port: 0 })
  const { origin } = await worker.ready
  return { origin, send: sendTo(origin), close: () => worker.dispose() }
}

export const fetchRuntimes: FetchRuntime[] = [
  inProcess('Node', (mockApi) => async (request) => (await mockApi(request)) ?? notFound(request)),
  inProcess('Hono', (mockApi) => {
    const app = new Hono()
    app.use(async (context, next) => (await mockApi(context.req.raw)) ?? next())
    app.notFound((context) => notFound(context.req.raw))
    return (request) => app.fetch(request)
  }),
  inProcess('a Next.js route handler', (mockApi) => {
    // What `app/[...path]/route.ts` exports, and how Next.js calls it: with a second argument.
    type Context = { params: Promise<{ path: string[] }> }
    const handler: (request: Request, context: Context) => Promise<Response> = async (request) =>
      (await mockApi(request)) ?? notFound(request)
    const exported: Record<string, typeof handler> = { GET: handler, HEAD: handler, POST: handler }
    return (request) => exported[request.method]!(request, { params: Promise.resolve({ path: [] }) })
  }),
  { name: 'workerd', start: async (routes, options) => startWorkerd(await bundleWorker(routes, options)) },
  {
    name: 'workerd, made while it answers',
    start: async (routes, options) => startWorkerd(await bundleWorker(routes, options, 'request')),
  },
]
