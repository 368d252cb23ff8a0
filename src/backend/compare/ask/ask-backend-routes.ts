import { parameterNames } from '../../../core/http/path.ts'
import { isRecord, ownValue } from '../../../core/values/values.ts'
import { answerShape, type AnswerShape } from '../answer-shape.ts'
import type { PlannedRequest } from './plan-requests.ts'
import { valueOf, type Ask, type RealAnswer } from './polite-client.ts'

export interface AskSettings {
  /** The address in front of all paths: the origin of the backend and the option `base`. */
  address: string
  /** Headers of every request, such as `authorization`. */
  headers: Readonly<Record<string, string>>
  ask: Ask
}

export interface AskedRoute {
  planned: PlannedRequest
  /** The request as it was sent: `GET /users/1?page=2`. */
  sent: string
  answer: AnswerShape
  /** The value of a JSON answer, if it is known. */
  json: { value: unknown } | undefined
  /** Whether the backend answers it with credentials only. */
  needsSignIn: boolean
  /** Whether a parameter of the path has a value that nobody knows to exist. */
  isGuess: boolean
  /** Whether a page has asked for it, and no route answered. */
  isPassing?: boolean
}

export interface AskedRoutes {
  asked: AskedRoute[]
  left: { planned: PlannedRequest; why: string }[]
}

/** Lists are asked first: what they return has ids for the routes below them. */
export async function askBackendRoutes(
  requests: readonly PlannedRequest[],
  settings: AskSettings,
): Promise<AskedRoutes> {
  const result: AskedRoutes = { asked: [], left: [] }
  const lists = new Map<string, unknown>()
  const levels = [...new Set(requests.map(({ path }) => parameterNames(path).length))].sort((a, b) => a - b)
  for (const level of levels) {
    const own = requests.filter(({ path }) => parameterNames(path).length === level)
    await Promise.all(own.map((planned) => askRoute(planned, requests, lists, settings, result)))
  }
  const order = (one: { planned: PlannedRequest }) => requests.indexOf(one.planned)
  result.asked.sort((a, b) => order(a) - order(b))
  return result
}

async function askRoute(
  planned: PlannedRequest,
  all: readonly PlannedRequest[],
  lists: Map<string, unknown>,
  settings: AskSettings,
  { asked, left }: AskedRoutes,
): Promise<void> {
  const known = { ...knownParams(planned, all), ...planned.params }
  const leave = (why: string) => void left.push({ planned, why })
  const noParameters = 'no fixture selects a value for each parameter of their path'
  const first = fill(planned.path, known, lists, planned.bodies[0]?.value)
  if (!first) return leave(noParameters)
  let found = { ...(await askAt(planned, first.path, settings, all)), isGuess: first.isGuess }
  if ('answer' in found && found.answer.status === 404 && planned.status !== 404 && first.isGuess) {
    // What was recorded may be gone. An id of the list above is there.
    const other = fill(planned.path, {}, lists)
    if (other && other.path !== first.path)
      found = { ...(await askAt(planned, other.path, settings, all)), isGuess: false }
    else if (first.isExample) return leave(noParameters)
  }
  if ('failed' in found) return leave(found.failed)
  const { answer } = found
  const json = valueOf(answer)
  if (answer.status === 429 && planned.status !== 429)
    return leave('the backend has too many requests: it answers 429')
  if (planned.method === 'GET' && answer.status < 300) lists.set(pathOf(found.sent), json?.value)
  asked.push({ planned, ...found, answer: answerShape(answer), json })
}

/** Values that other routes of the endpoint select. */
function knownParams(
  { method, path }: PlannedRequest,
  all: readonly PlannedRequest[],
): Record<string, string> {
  const same = all.filter((one) => one.path === path && one.method === method && one.status < 400)
  return Object.assign({}, ...same.map(({ params }) => params)) as Record<string, string>
}

interface Filled {
  path: string
  /** Whether nobody knows if the backend has the values. */
  isGuess: boolean
  /** Whether one of them is only in the answer of the fixture. */
  isExample: boolean
}

/** @returns nothing if a parameter has no value */
function fill(
  pattern: string,
  known: Record<string, string>,
  lists: ReadonlyMap<string, unknown>,
  example?: unknown,
): Filled | undefined {
  const filled = { path: '', isGuess: false, isExample: false }
  for (const segment of pattern.split('/').slice(1)) {
    const name = /^:(\w+)/.exec(segment)?.[1]
    if (name === undefined && /[*:()]/.test(segment)) return undefined
    if (name === undefined) {
      filled.path += `/${segment}`
      continue
    }
    const inList = idIn(lists.get(filled.path), name)
    const value = known[name] ?? inList ?? idIn(example, name)
    if (value === undefined) return undefined
    filled.isGuess ||= known[name] !== undefined || inList === undefined
    filled.isExample ||= known[name] === undefined && inList === undefined
    filled.path += `/${encodeURIComponent(value)}`
  }
  return { ...filled, path: filled.path || '/' }
}

/** The id of an object, or of the first item of a list; also of the only one in an envelope. */
function idIn(answer: unknown, name: string): string | undefined {
  const parts = isRecord(answer) ? Object.values(answer) : []
  const lists = (Array.isArray(answer) ? [answer] : parts.filter(Array.isArray)) as unknown[][]
  const objects = parts.filter(isRecord)
  const last = name
    .split(/[_-]|(?<=[a-z])(?=[A-Z])/)
    .at(-1)!
    .toLowerCase()
  const names = [name, 'id', '_id', last, 'uuid', 'key', 'slug']
  const places = [
    answer,
    ...(lists.length === 1 ? [lists[0]![0]] : []),
    ...(objects.length === 1 ? objects : []),
  ]
  const values = places.flatMap((place) => names.map((key) => ownValue(place, key)))
  const id = values.find((value) => typeof value === 'string' || typeof value === 'number')
  return id === undefined ? undefined : String(id)
}

/** @returns the answer, which may be the second: the first is asked without credentials */
async function askAt(
  { method, query, headers, body, status, path, isWrite }: PlannedRequest,
  filled: string,
  settings: AskSettings,
  all: readonly PlannedRequest[],
): Promise<{ sent: string; answer: RealAnswer; needsSignIn: boolean } | { failed: string }> {
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  const where = `${filled}${search && `?${search}`}`
  const send = (more: Readonly<Record<string, string>>) =>
    settings.ask({ method, url: `${settings.address}${where}`, headers: { ...headers, ...more }, body })
  const sent = `${method} ${where}`
  const knowsSignIn = all.some((one) => one.path === path && one.status === 401)
  const hasCredentials = Object.keys(settings.headers).length > 0
  if (hasCredentials && !isWrite && !knowsSignIn && status !== 401) {
    const answer = await send({})
    if ('failed' in answer) return answer
    if (answer.status !== 401) return { sent, answer, needsSignIn: false }
    const signedIn = await send(settings.headers)
    return 'failed' in signedIn ? signedIn : { sent, answer: signedIn, needsSignIn: true }
  }
  const answer = await send(status === 401 ? {} : settings.headers)
  return 'failed' in answer ? answer : { sent, answer, needsSignIn: false }
}

function pathOf(sent: string): string {
  return sent.split(' ')[1]!.split('?', 1)[0]!
}
