import { createServer } from 'node:http'
import type { MiddlewareOptions } from './core/options/options.ts'
import { createMiddleware } from './connect.ts'
import { inspectorFolder } from './inspector/inspector-folder.ts'
import { originOf } from './wire/node/listening-origin.ts'

export type { MiddlewareOptions } from './core/options/options.ts'

interface Rewrite {
  source: string
  destination: string
  missing?: { type: 'header'; key: string; value?: string }[]
}

interface Rewrites {
  beforeFiles?: Rewrite[]
  afterFiles?: Rewrite[]
  fallback?: Rewrite[]
}

/** A config of Next.js as a function. */
type Configure<Result> = (phase: string, context: { defaultConfig: object }) => Result

/**
 * Adds the mock API to the dev server of Next.js: it answers what no page, no file and no route handler does. Builds stay as they are.
 *
 * @param config the config, or the function that returns it
 * @param options as for `createMiddleware`; `outgoing` is on, so that requests of server components are answered
 *
 * @example
 * // next.config.ts
 * import { withMockApi } from 'unplugin-mock-api/next'
 *
 * export default withMockApi({ reactStrictMode: true })
 */
export function withMockApi<Config extends object>(
  config: Config | Configure<Config | Promise<Config>>,
  options: MiddlewareOptions = {},
): Configure<Promise<Config>> {
  return async (phase, context) => {
    const given = typeof config === 'function' ? await config(phase, context) : config
    if (phase !== 'phase-development-server') return given
    const { rewrites: own } = given as { rewrites?: () => Promise<Rewrite[] | Rewrites> }
    const rewrites = async () => addRewrites((await own?.()) ?? [], await serveOnce(options))
    return { ...given, rewrites }
  }
}

/** A list of rewrites is that of `afterFiles`. */
function addRewrites(given: Rewrite[] | Rewrites, origin: string): Rewrites {
  const {
    beforeFiles = [],
    afterFiles = [],
    fallback = [],
  } = Array.isArray(given) ? { afterFiles: given } : given
  const inspector = {
    source: `/${inspectorFolder}/:path*`,
    destination: `${origin}/${inspectorFolder}/:path*`,
  }
  const unanswered: Rewrite = {
    source: '/:path*',
    destination: `${origin}/:path*`,
    // Next.js shows its own page for an address that has none, and asks for parts of pages.
    missing: [
      { type: 'header', key: 'sec-fetch-mode', value: 'navigate' },
      { type: 'header', key: 'rsc' },
    ],
  }
  return { beforeFiles: [inspector, ...beforeFiles], afterFiles, fallback: [unanswered, ...fallback] }
}

let serving: Promise<string> | undefined

/** Next.js reads its rewrites in one process only, which renders, too. It starts anew with another config. */
function serveOnce(options: MiddlewareOptions): Promise<string> {
  serving ??= new Promise((resolve, reject) => {
    const server = createServer(createMiddleware({ outgoing: true, ...options }))
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(originOf(server, 'localhost')!))
    server.unref()
  })
  return serving
}
