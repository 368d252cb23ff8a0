import { reasonOf } from '../../core/values/thrown.ts'
import { isPlainObject, isRecord } from '../../core/values/values.ts'
import { whyUnwritable } from '../../writer/endpoint-path.ts'
import type { ResponseKeys, WrittenAnswer } from '../../writer/write-answer.ts'
import { ImportedRoutes, type Imported } from '../imported.ts'
import type { ImportSource } from '../source.ts'

const harmless =
  'url method status statusText headers body delay validator enabled type log priority scene'.split(' ')

export function isMockDevServer({ value, exports }: ImportSource): boolean {
  const mocks = exports ? [value].flat(3).filter(isRecord) : []
  return mocks.some((mock) => typeof mock['url'] === 'string')
}

export function importMockDevServer(sources: readonly ImportSource[]): Imported {
  const routes = new ImportedRoutes()
  for (const { value, name, problem } of sources)
    if (problem) routes.omissions.add('a file', problem.reason, problem.where)
    else addMockDevServer(value, name, routes)
  return Object.assign(routes, { maxPlaces: Infinity }) // each of them is to be written by hand
}

/** @param mocks the default export of a `*.mock.ts`; its functions depend on the request, and are left out */
function addMockDevServer(mocks: unknown, file: string, routes: ImportedRoutes): void {
  const { omissions } = routes
  for (const mock of [mocks].flat(3)) {
    const url = isRecord(mock) ? mock['url'] : undefined
    if (!isRecord(mock) || typeof url !== 'string') {
      routes.skip('a mock', 'it has no url', file)
      continue
    }
    const where = `${url} in ${file}`
    const skip = (why: string) => routes.skip('a mock', why, where)
    const path = fixturePath(url)
    const [when, scenario] = [selectorOf(url, mock), scenarioOf(mock)]
    const endpoint = { path, ...(when && { when }), ...(scenario && { scenario }) }
    const why = whyNotData(mock) ?? whyUnwritable(path)
    if (why !== undefined) skip(why)
    else
      try {
        for (const key of Object.keys(mock))
          if (!harmless.includes(key)) omissions.add(`"${key}"`, 'a fixture has nothing like it', where)
        const answer = answerOf(mock)
        for (const method of methodsOf(mock))
          if (!routes.add({ ...(method !== 'GET' && { method }), ...endpoint }, answer))
            omissions.add('a mock', 'another mock answers the same requests', where)
      } catch (error) {
        skip(`it can't be written: ${reasonOf(error)}`)
      }
  }
}

function whyNotData(mock: Record<string, unknown>): string | undefined {
  if (mock['enabled'] === false) return 'it is not enabled'
  if (mock['ws'] === true) return 'WebSockets are not imported'
  for (const key of ['response', 'body', 'headers', 'validator', 'cookies'])
    if (typeof mock[key] === 'function')
      return `its ${key} is a function: write it as a response function in a TypeScript fixture`
  return isPlainObject(mock['validator']) && 'refererQuery' in mock['validator']
    ? 'it is selected by the page that asks'
    : undefined
}

/** A mock without a method answers GET and POST. */
function methodsOf({ method }: Record<string, unknown>): string[] {
  const all = [method ?? ['GET', 'POST']].flat()
  return all.filter((one): one is string => typeof one === 'string').map((one) => one.toUpperCase())
}

/** `/user/*rest` and `/user/{:id}` have another spelling in fixtures. */
function fixturePath(url: string): string {
  const [path = '/'] = url.split('?')
  return path
    .replace(/\/\*(\w+)/g, '/**:$1')
    .replace(/\/\{:(\w+)\}/g, '/:$1?')
    .replace(/\{\/:(\w+)\}/g, '/:$1?')
}

function selectorOf(url: string, { validator }: Record<string, unknown>): object | undefined {
  const query = Object.fromEntries(new URLSearchParams(url.split('?')[1]))
  const given = isRecord(validator) ? validator : {}
  const parts = {
    query: { ...query, ...(isRecord(given['query']) && given['query']) },
    params: given['params'],
    headers: given['headers'],
    body: given['body'],
  }
  const when = Object.entries(parts).filter(([, value]) => isRecord(value) && Object.keys(value).length > 0)
  return when.length > 0 ? Object.fromEntries(when) : undefined
}

function scenarioOf({ scene }: Record<string, unknown>): string | string[] | undefined {
  const names = [scene].flat().filter((name): name is string => typeof name === 'string' && name !== '')
  return names.length > 1 ? names : names[0]
}

function answerOf(mock: Record<string, unknown>): Pick<WrittenAnswer, 'answer' | 'file'> {
  const { status, headers: given, body, delay, type } = mock
  const isText = typeof type === 'string' && type !== 'json'
  const headers = {
    ...(isText && { 'content-type': type.includes('/') ? type : `text/${type === 'text' ? 'plain' : type}` }),
    ...(isRecord(given) && (given as Record<string, string>)),
  }
  const [min, max] = Array.isArray(delay) ? (delay as unknown[]) : []
  const answer: ResponseKeys = {
    ...(typeof status === 'number' && status !== 200 && { status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(delay !== undefined && delay !== 0 && { delay: Array.isArray(delay) ? { min, max } : delay }),
  }
  if (body instanceof Uint8Array) return { answer, file: { bytes: body, extension: 'bin' } }
  if (body !== undefined) answer.body = JSON.parse(JSON.stringify(body)) as unknown
  return { answer }
}
