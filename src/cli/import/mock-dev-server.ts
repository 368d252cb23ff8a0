import { reasonOf } from '../../core/values/thrown.ts'
import { isPlainObject, isRecord } from '../../core/values/values.ts'
import { whyUnwritable } from '../../writer/endpoint-path.ts'
import type { Answer, WrittenAnswer } from '../../writer/write-answer.ts'
import type { ImportedRoutes } from './save-import.ts'

/** Keys of a mock that have no meaning for a fixture. */
const harmless =
  'url method status statusText headers body delay validator enabled type log priority scene'.split(' ')

/**
 * Adds the routes of mocks of vite-plugin-mock-dev-server. What is a function there depends on the request, and is left out.
 *
 * @param mocks the default export of a `*.mock.ts`
 */
export function addMockDevServer(mocks: unknown, file: string, routes: ImportedRoutes): void {
  const { omissions } = routes
  for (const mock of [mocks].flat(3)) {
    if (!isRecord(mock) || typeof mock['url'] !== 'string') {
      omissions.add('a mock', 'it has no url', file)
      continue
    }
    const where = `${mock['url']} in ${file}`
    const skip = (why: string) => omissions.add('a mock', why, where)
    const path = fixturePath(mock['url'])
    const why = whyNotData(mock) ?? whyUnwritable(path)
    if (why !== undefined) skip(why)
    else {
      for (const key of Object.keys(mock))
        if (!harmless.includes(key)) omissions.add(`"${key}"`, 'a fixture has nothing like it', where)
      const when = selectorOf(mock)
      const scenario = scenarioOf(mock)
      try {
        const answer = answerOf(mock)
        for (const method of methodsOf(mock['method']))
          if (
            !routes.add(
              {
                ...(method !== 'GET' && { method }),
                path,
                ...(when && { when }),
                ...(scenario && { scenario }),
              },
              answer,
            )
          )
            skip('another mock answers the same requests')
      } catch (error) {
        skip(`it can't be written: ${reasonOf(error)}`)
      }
    }
  }
}

function whyNotData(mock: Record<string, unknown>): string | undefined {
  if (mock['enabled'] === false) return 'it is not enabled'
  if (mock['ws'] === true) return 'WebSockets are not mocked'
  for (const key of ['response', 'body', 'headers', 'validator', 'cookies'])
    if (typeof mock[key] === 'function')
      return `its ${key} is a function: write it as a response function in a TypeScript fixture`
  return isPlainObject(mock['validator']) && 'refererQuery' in mock['validator']
    ? 'it is selected by the page that asks'
    : undefined
}

/** A mock without a method answers GET and POST. */
function methodsOf(method: unknown): string[] {
  const all = [method ?? ['GET', 'POST']].flat()
  return all.filter((one): one is string => typeof one === 'string').map((one) => one.toUpperCase())
}

/** `/user/*rest` and `/user/{:id}` are written in another way. */
function fixturePath(url: string): string {
  const [path = '/'] = url.split('?')
  return path
    .replace(/\/\*(\w+)/g, '/**:$1')
    .replace(/\/\{:(\w+)\}/g, '/:$1?')
    .replace(/\{\/:(\w+)\}/g, '/:$1?')
}

function selectorOf({ url, validator }: Record<string, unknown>): object | undefined {
  const [, search] = (url as string).split('?')
  const query = search === undefined ? {} : Object.fromEntries(new URLSearchParams(search))
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

/** A mock with scenes answers while one of them is active, as a route with scenarios does. */
function scenarioOf({ scene }: Record<string, unknown>): string | string[] | undefined {
  const names = [scene].flat().filter((name): name is string => typeof name === 'string' && name !== '')
  return names.length > 1 ? names : names[0]
}

function answerOf({
  status,
  headers,
  body,
  delay,
  type,
}: Record<string, unknown>): Pick<WrittenAnswer, 'answer' | 'file'> {
  const isText = typeof type === 'string' && type !== 'json'
  const answer: Answer = {
    ...(typeof status === 'number' && status !== 200 && { status }),
    ...(isRecord(headers) &&
      Object.keys(headers).length > 0 && { headers: headers as Record<string, string> }),
    ...(isText && {
      headers: {
        'content-type': type.includes('/') ? type : `text/${type === 'text' ? 'plain' : type}`,
        ...(headers as object),
      },
    }),
    ...(delay !== undefined &&
      delay !== 0 && {
        delay: Array.isArray(delay) ? { min: delay[0] as number, max: delay[1] as number } : delay,
      }),
  }
  if (body instanceof Uint8Array) return { answer, file: { bytes: body, extension: 'bin' } }
  return {
    answer: body === undefined ? answer : { ...answer, body: JSON.parse(JSON.stringify(body)) as unknown },
  }
}
