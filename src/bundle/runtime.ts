import type { FetchHandler } from '../server/web/fetch-handler.ts'
import { lineInCode, placeTemplates, sourceOf, withSource } from '../core/fixture/listed-routes.ts'
import type { FileChoice } from '../core/request-values/compile-values.ts'
import { FileBody } from '../core/response/prepare-response.ts'
import type {
  Fixture,
  FixtureResponse,
  FixtureRoute,
  FunctionResponse,
  ResponseFunction,
} from '../core/schema/schema.ts'

/* Called by the module of write-module.ts. It imports little: an application that uses only `routes` gets no more. */

interface Asset {
  url: () => string
  contentType: string
  /** Set with the first request. */
  body?: Promise<FileBody> | undefined
}
type RouteFile = FileBody | FileChoice | Asset

interface CodeFacts {
  file: string
  lines: Record<string, number[]>
  exportLine: number
  files: Record<string, RouteFile>
  items: Record<string, unknown[]>
}

/** Taken now: the application may replace it by the handler. */
const { fetch } = globalThis

export function textFile(text: string, contentType: string): FileBody {
  return new FileBody(new TextEncoder().encode(text), contentType)
}

export function binaryFile(base64: string, contentType: string): FileBody {
  return new FileBody(
    Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
    contentType,
  )
}

export function assetFile(url: () => string, contentType: string): Asset {
  return { url, contentType }
}

/** An asset is fetched with the first request, and again if that failed. */
export function withFile(response: object, file: RouteFile): FixtureResponse | ResponseFunction {
  const own: FixtureResponse = { ...response }
  delete own.file
  if (!('url' in file)) return { ...own, body: file }
  return async (): Promise<FunctionResponse> => {
    file.body ??= fetchAsset(file)
    try {
      return { ...own, body: await file.body }
    } catch (error) {
      file.body = undefined
      throw error
    }
  }
}

async function fetchAsset({ url, contentType }: Asset): Promise<FileBody> {
  // MSW's worker sees this request too, and leaves this media type to the network.
  const response = await fetch(url(), { headers: { accept: '*/*, msw/passthrough' } })
  if (!response.ok)
    throw new Error(`The body file ${url()} can't be fetched: the status is ${response.status}.`)
  return new FileBody(new Uint8Array(await response.arrayBuffer()), contentType)
}

/** @param positions line and column of each route */
export function dataRoutes(
  file: string,
  routes: Fixture,
  positions: [line: number, column: number][],
): Fixture {
  return routes.map((route, index) => {
    const [line, column] = positions[index]!
    return withSource(route, { file, line, column })
  })
}

export function codeRoutes(module: CodeModule, facts: CodeFacts): Fixture {
  const list = callDefault(module)
  if (list instanceof Promise) {
    list.catch(() => {}) // thrown instead of it
    throw new Error(
      `${facts.file}: its default export returns a promise, but is not declared as "async". Write export default defineFixture(async () => [ … ]).`,
    )
  }
  return routesOf(list, facts)
}

export async function asyncCodeRoutes(module: CodeModule, facts: CodeFacts): Promise<Fixture> {
  return routesOf(await callDefault(module), facts)
}

interface CodeModule {
  default?: unknown
  schema?: unknown
}

function callDefault({ default: exported }: CodeModule): unknown {
  return typeof exported === 'function' ? (exported as () => unknown)() : exported
}

function routesOf(exported: unknown, facts: CodeFacts): Fixture {
  const list = Array.isArray(exported) ? exported : (exported as { routes?: unknown } | undefined)?.routes
  if (!Array.isArray(list))
    throw new Error(
      `${facts.file}: its default export is no list of routes. Write export default defineFixture([ … ]).`,
    )
  const { origin } = exported as { origin?: string }
  const routes = (list as Fixture).map((route) =>
    origin !== undefined && route?.path !== undefined ? withOrigin(route, origin) : route,
  )
  const paths = (list as Fixture).map((route) => route?.path ?? route?.url ?? '')
  return routes.map((route, index) => {
    const source = { file: facts.file, line: lineOf(paths, index, facts) }
    return withSource(typeof route === 'object' ? withFiles(route, facts) : route, source)
  })
}

function withOrigin({ path, ...others }: FixtureRoute, origin: string): FixtureRoute {
  return { ...others, url: `${origin.replace(/\/$/, '')}${path}` }
}

function lineOf(paths: readonly string[], index: number, { lines, exportLine }: CodeFacts): number {
  const path = paths[index]!
  return lineInCode(paths, index, Object.hasOwn(lines, path) ? lines[path]! : []) ?? exportLine
}

function withFiles(route: FixtureRoute, { files, items }: CodeFacts): FixtureRoute {
  const { response, paginate, collection } = route
  const withOwn = <T>(one: T): T => {
    const file = (one as { file?: FixtureResponse['file'] } | undefined)?.file
    const name = typeof file === 'object' ? file.$text : file
    return name !== undefined && Object.hasOwn(files, name)
      ? (withFile(one as object, files[name]!) as T)
      : one
  }
  const made = { ...route }
  if (response) made.response = Array.isArray(response) ? response.map(withOwn) : withOwn(response)
  const list = ((collection ?? paginate)?.items as { file?: string } | undefined)?.file
  if (list === undefined || !Object.hasOwn(items, list)) return made
  if (collection) made.collection = { ...collection, items: items[list]! }
  else made.paginate = { ...paginate, items: items[list]! }
  return made
}

export function withTemplates(own: Fixture, templates: Fixture, graphqlPaths: readonly string[]): Fixture {
  const always = own.filter(({ scenario }) => scenario === undefined)
  const moveTo = (route: FixtureRoute, path: string) => withSource({ ...route, path }, sourceOf(route)!)
  return [...own, ...placeTemplates<FixtureRoute>(templates, always, graphqlPaths, moveTo)]
}

/** `undefined` without a schema. */
export function schemasOf(option: string[], ...modules: CodeModule[]): string[] | undefined {
  const exported = modules.flatMap(({ schema }) => (typeof schema === 'string' ? schema : []))
  const all = [...option, ...exported]
  return all.length > 0 ? all : undefined // an empty list is no valid option
}

export function lazyHandler(create: () => FetchHandler): FetchHandler {
  let made: FetchHandler | undefined
  const handler = () => (made ??= create())
  return Object.assign((request: Request) => handler()(request), {
    setScenario: (...parameters: Parameters<FetchHandler['setScenario']>) =>
      handler().setScenario(...parameters),
    push: (...parameters: Parameters<FetchHandler['push']>) => handler().push(...parameters),
    reset: (...parameters: Parameters<FetchHandler['reset']>) => handler().reset(...parameters),
    save: () => handler().save(),
    restore: (...parameters: Parameters<FetchHandler['restore']>) => handler().restore(...parameters),
    onChange: (...parameters: Parameters<FetchHandler['onChange']>) => handler().onChange(...parameters),
  })
}
