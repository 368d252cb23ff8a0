import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { build, type Rolldown } from 'vite'
import { parse } from 'yaml'
import { createFetchHandler, type FetchOptions, type Fixture } from '../../src/fetch.ts'
import type { Send } from '../contract.ts'
import { sendTo } from '../http.ts'
import { createTestProject } from './test-project.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** The starter templates. A fetch runtime has no files, so they are passed as routes. */
export const starterRoutes = ['graphql', 'items'].flatMap(
  (name) => parse(readFileSync(`${packageRoot}/fixtures/${name}.yaml`, 'utf8')) as Fixture,
)

/** A runtime that answers a `Request` with a `Response`. */
export interface FetchRuntime {
  name: string
  start: (routes: Fixture, options?: FetchOptions) => Promise<{ send: Send; close: () => Promise<void> }>
}

/** Sends requests to a fetch function as a server would. */
export function sendThrough(answer: (request: Request) => Response | Promise<Response>): Send {
  return async ({ method = 'GET', url, headers = {}, body }) => {
    // As bytes: a `Request` gives a text body a content type.
    const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) }
    const response = await answer(
      new Request(new URL(url, 'http://localhost'), { method, headers, ...bytes }),
    )
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
  }
}

/** What runs after the handler: it returns the body that was left to it. */
const notFound = async (request: Request) =>
  new Response(await request.arrayBuffer(), { status: 404, headers: { 'x-passed-on': 'yes' } })

const notFoundSource = notFound.toString()

/** When a worker creates its handler: as it starts, or in its first request, where workerd forbids code from text. */
type MadeAt = 'start' | 'request'

let bundled: Promise<string> | undefined

/** A worker as users write it, bundled as worker tools bundle it: one file, without Node's modules. */
export async function bundleWorker(
  routes: Fixture,
  options: FetchOptions = {},
  madeAt: MadeAt = 'start',
): Promise<string> {
  const given = { routes, options: { logLevel: 'silent', ...options }, madeAt }
  return `const given = ${JSON.stringify(given)}\n${await (bundled ??= bundle())}`
}

async function bundle(): Promise<string> {
  const project = createTestProject({
    'worker.js': `
      import { createFetchHandler } from 'unplugin-mock-api/fetch'
      const make = () => createFetchHandler(given.routes, given.options)
      let mockApi = given.madeAt === 'start' ? make() : undefined
      const notFound = ${notFoundSource}
      export default { fetch: async (request) => (await (mockApi ??= make())(request)) ?? notFound(request) }`,
  })
  try {
    const built = (await build({
      root: project.root,
      configFile: false,
      logLevel: 'silent',
      // The built file, because this tests what the bundle contains.
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
  {
    name: 'Node',
    start(routes, options) {
      const mockApi = createFetchHandler(routes, { logLevel: 'silent', ...options })
      const send = sendThrough(async (request) => (await mockApi(request)) ?? notFound(request))
      return Promise.resolve({ send, close: () => Promise.resolve() })
    },
  },
  { name: 'workerd', start: async (routes, options) => startWorkerd(await bundleWorker(routes, options)) },
  {
    name: 'workerd, made while it answers',
    start: async (routes, options) => startWorkerd(await bundleWorker(routes, options, 'request')),
  },
]
