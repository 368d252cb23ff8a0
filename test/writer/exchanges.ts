import { decideAbout } from '../core/send.ts'
import { parseFixture } from '../../src/core/fixture/parse-fixture.ts'
import type { Route } from '../../src/core/fixture/route.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import type { Headers } from '../../src/core/http/raw-request.ts'
import { contentTypeOf, FileBody, headerOf } from '../../src/core/response/prepare-response.ts'
import { MockState } from '../../src/core/state/mock-state.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'
import { readYaml } from '../../src/reader/read-yaml.ts'
import type { Exchange, WrittenFixtures } from '../../src/writer/exchange/exchange.ts'

const utf8 = new TextEncoder()

interface Parts {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  type?: string
  sent?: unknown
  sentHeaders?: Record<string, string>
}

/** An exchange: `exchange('POST /orders', { sent: { a: 1 }, status: 201, body: { id: 7 } })`. */
export function exchange(target: string, parts: Parts = {}): Exchange {
  const [method, url] = target.split(' ') as [string, string]
  const { status = 200, body, headers = {}, sent, sentHeaders = {} } = parts
  const isText = typeof body === 'string'
  const type = parts.type ?? (isText ? 'text/plain' : 'application/json')
  return {
    method,
    url,
    requestHeaders: Object.entries({
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...sentHeaders,
    }),
    requestBody:
      sent === undefined ? undefined : utf8.encode(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    status,
    responseHeaders: [
      ...(body === undefined ? [] : [['content-type', type] as const]),
      ...Object.entries(headers),
    ],
    responseBody: bytesOf(body),
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return utf8.encode(typeof body === 'string' ? body : JSON.stringify(body))
}

export interface Replayed {
  status: number
  type: string | undefined
  body: Uint8Array
  header: (name: string) => string | undefined
}

/**
 * Loads written files as the dev server does.
 *
 * @returns a function that sends a recorded request again
 * @throws when a file has a diagnostic
 */
export async function load({ files }: Pick<WrittenFixtures, 'files'>) {
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  const routes: Route[] = []
  for (const [path, content] of contents) {
    if (typeof content !== 'string' || !path.endsWith('.yaml')) continue
    const source = await readYaml(content, path)
    if ('diagnostic' in source) throw new Error(JSON.stringify(source.diagnostic) + content)
    const parsed = parseFixture(source.value, { file: path, ...source })
    if (parsed.diagnostics.length > 0) throw new Error(JSON.stringify(parsed.diagnostics) + content)
    routes.push(...parsed.routes.map((route) => withFiles(route, contents)))
  }
  const compiled = compileRoutes(routes, { graphql: defaultGraphQL })
  if (compiled.diagnostics.length > 0) throw new Error(JSON.stringify(compiled.diagnostics))
  const state = new MockState()
  return async ({ method, url, requestHeaders, requestBody }: Exchange): Promise<Replayed> => {
    const { pathname, search } = new URL(url.startsWith('/') ? `http://localhost${url}` : url)
    const headers: Headers = Object.fromEntries(
      requestHeaders.map(([name, value]) => [name.toLowerCase(), value]),
    )
    const target = `${method} ${pathname}${search}`
    const decision = await decideAbout(compiled.table, target, { state, headers, body: requestBody })
    if (!decision?.response) throw new Error(`${method} ${url} is passed on`)
    const { response } = decision
    return {
      status: response.status,
      type: headerOf(response, 'content-type'),
      body: typeof response.body === 'string' ? utf8.encode(response.body) : response.body,
      header: (name) => headerOf(response, name),
    }
  }
}

function withFiles(route: Route, contents: Map<string, string | Uint8Array>): Route {
  const read = <T extends Route['response']>(response: T): T => {
    if (typeof response === 'function' || typeof response.file !== 'string') return response
    const bytes = contents.get(response.file)
    if (!(bytes instanceof Uint8Array)) throw new Error(`there is no file ${response.file}`)
    return { ...response, file: undefined, body: new FileBody(bytes, contentTypeOf(response.file)) }
  }
  const { sequence } = route
  return {
    ...route,
    response: read(route.response),
    sequence: sequence && {
      ...sequence,
      parts: sequence.parts.map((part) => ({ ...part, response: read(part.response) })),
    },
  }
}

/** The body as a value: parsed, if it is JSON. */
export function valueOf(body: Uint8Array, type = ''): unknown {
  const text = new TextDecoder(/iso-8859-1|image/i.test(type) ? 'latin1' : 'utf-8').decode(body)
  if (!/json/.test(type)) return text
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return text
  }
}
