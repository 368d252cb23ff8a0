import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { inTime } from '../../wire/in-time.ts'
import { whyUnwritable } from '../../writer/endpoint-path.ts'
import type { Omissions } from '../../writer/omissions.ts'
import { writeAnswer, type WrittenAnswer } from '../../writer/write-answer.ts'
import type { Endpoint, ImportedRoutes } from './save-import.ts'

/** Of Mock Service Worker 2; only the parts that are read. */
interface Handler {
  resolver: (info: unknown) => unknown
  options?: { once?: boolean }
  info: {
    header: string
    method?: unknown
    path?: unknown
    operationType?: unknown
    operationName?: unknown
  }
}

export function findHandlers(exports: Record<string, unknown>): Set<Handler> {
  const found = new Set<Handler>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (isHandler(value)) found.add(value)
  }
  Object.values(exports).forEach(visit)
  return found
}

function isHandler(value: unknown): value is Handler {
  return (
    isRecord(value) &&
    'resolver' in value &&
    isRecord(value['info']) &&
    typeof value['info']['header'] === 'string'
  )
}

/** Milliseconds. */
const timeLimit = 5000

/** A resolver must not read the request, and is called twice: a route needs the same answer each time. */
export async function addHandler(
  { resolver, options, info }: Handler,
  routes: ImportedRoutes,
): Promise<void> {
  const { header } = info
  const { omissions } = routes
  const skip = (why: string) => omissions.add('a handler', why, header)
  const endpoint = endpointOf(info)
  if (typeof endpoint === 'string') return skip(endpoint)
  if (resolver.length > 0)
    return skip('its resolver reads the request: write it as a response function in a TypeScript fixture')
  if (options?.once === true) omissions.add('"once"', 'a route answers each request', header)
  try {
    const first = await answer(resolver, endpoint, omissions)
    const second = await answer(resolver, endpoint, omissions)
    if (typeof first === 'string') return skip(first)
    if (typeof second === 'string' || first.key !== second.key)
      return skip('it gives another answer each time')
    if (!routes.add(endpoint, first)) skip('another handler answers the same requests')
  } catch (error) {
    skip(`its resolver failed: ${reasonOf(error)}`)
  }
}

function endpointOf({ method, path, operationType, operationName }: Handler['info']): Endpoint | string {
  if (operationType !== undefined) {
    if (typeof operationName !== 'string') return 'it is for several operations'
    if (operationType !== 'query' && operationType !== 'mutation')
      return 'it is for several types of operations'
    return { path: '/graphql', when: { operationName } }
  }
  if (typeof method !== 'string' || typeof path !== 'string') return 'its method or its path is a pattern'
  const below = path.replace(/^(?:https?:\/\/[^/]+|\*(?=\/))/, '').split(/[?#]/, 1)[0]!
  const written = below.replace(/(?<=\/)\*(?=\/|$)/g, '**').replace(/:(\w+)[+*]/g, '**:$1')
  if (!written.startsWith('/')) return `its path "${path}" does not begin with "/"`
  return whyUnwritable(written) ?? { ...(method !== 'GET' && { method }), path: written }
}

async function answer(
  resolver: Handler['resolver'],
  { path }: Endpoint,
  omissions: Omissions,
): Promise<WrittenAnswer | string> {
  const result = await inTime(Promise.resolve(resolver({})), {
    milliseconds: timeLimit,
    error: () => new Error(`it took longer than ${timeLimit} ms`),
  })
  if (result === undefined) return 'it gives no answer, and leaves the request to the next handler'
  if (!(result instanceof Response)) return 'its answer is not a Response'
  if (result.type === 'error') return { answer: { fault: 'reset' }, isJson: false, key: 'error' }
  if (result.status < 200 || result.headers.has('x-msw-intention')) return 'it passes the request on'
  const source = {
    status: result.status,
    responseHeaders: [...result.headers],
    responseBody: new Uint8Array(await result.arrayBuffer()),
  }
  return writeAnswer({ ...source, origin: '', where: path, path }, omissions)
}
