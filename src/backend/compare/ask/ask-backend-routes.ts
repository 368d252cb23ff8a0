import { isSecret } from '../../../core/redact/redact.ts'
import { parameterNames } from '../../../core/http/path.ts'
import { groupBy } from '../../../core/values/collections.ts'
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
  const lists: RealLists = { read: new Map(), made: new Map() }
  // Lists are read before something changes, and what is deleted is asked for by others before.
  const levelOf = ({ path, method, isWrite }: PlannedRequest) =>
    parameterNames(path).length + Number(isWrite) / 4 + Number(method === 'DELETE') / 4
  for (const [, own] of [...groupBy(requests, levelOf)].toSorted(([a], [b]) => a - b))
    await Promise.all(own.map((planned) => askRoute(planned, requests, lists, settings, result)))
  const order = (one: { planned: PlannedRequest }) => requests.indexOf(one.planned)
  result.asked.sort((a, b) => order(a) - order(b))
  return result
}

/** Answers that ids are taken from, by the paths of lists. */
interface RealLists {
  read: Map<string, unknown>
  /** Items that this run has made: only these are changed or deleted, and what a fixture names. */
  made: Map<string, unknown>
}

async function askRoute(
  planned: PlannedRequest,
  all: readonly PlannedRequest[],
  { read, made }: RealLists,
  settings: AskSettings,
  { asked, left }: AskedRoutes,
): Promise<void> {
  const known = { ...knownParams(planned, all), ...planned.params }
  const leave = (why: string) => void left.push({ planned, why })
  const noParameters = planned.isWrite
    ? 'no fixture selects what to change, and no POST has made it'
    : 'no fixture selects a value for each parameter of their path'
  const lists = planned.isWrite ? made : read
  const first = fill(planned.path, known, lists, planned.isWrite ? undefined : planned.bodies[0]?.value)
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
  if (planned.isMadeUp && isNoQuery(json?.value))
    return leave('nothing says whether its operation is a query: name the documents with --documents')
  if (answer.status < 300 && /^(?:GET|POST)$/.test(planned.method))
    (planned.isWrite ? made : read).set(pathOf(found.sent), json?.value)
  asked.push({ planned, ...found, answer: answerShape(answer), json })
}

/** Whether a server knows no such query: it may be a mutation, which is not sent to find out. */
function isNoQuery(result: unknown): boolean {
  const errors = ownValue(result, 'errors')
  return (
    Array.isArray(errors) &&
    errors.some((one) => /^Cannot query field .* on type "Query"/.test(String(ownValue(one, 'message'))))
  )
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

/** @returns the answer to a request with credentials. Without them, it is only asked whether they are needed */
async function askAt(
  { method, query, headers, body, status, path, isWrite }: PlannedRequest,
  filled: string,
  settings: AskSettings,
  all: readonly PlannedRequest[],
): Promise<{ sent: string; answer: RealAnswer; needsSignIn: boolean } | { failed: string }> {
  const search = new URLSearchParams(query as [string, string][]).toString()
  const where = `${filled}${search && `?${search}`}`
  const send = (more: Readonly<Record<string, string>>) =>
    settings.ask({ method, url: `${settings.address}${where}`, headers: { ...headers, ...more }, body })
  const sent = `${method} ${where}`
  const given = Object.entries(settings.headers)
  const open = given.filter(([name]) => !isSecret({ source: 'headers', path: [name] }))
  const others = Object.fromEntries(open)
  const hasCredentials = open.length < given.length
  const knowsSignIn = status === 401 || all.some((one) => one.path === path && one.status === 401)
  const anonymous = hasCredentials && !isWrite && !knowsSignIn ? await send(others) : undefined
  const answer = await send(status === 401 ? others : settings.headers)
  if ('failed' in answer) return answer
  const needsSignIn = anonymous !== undefined && 'status' in anonymous && anonymous.status === 401
  return { sent, answer, needsSignIn }
}

function pathOf(sent: string): string {
  return sent.split(' ')[1]!.split('?', 1)[0]!
}
