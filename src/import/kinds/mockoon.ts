import { anyMethod } from '../../core/schema/schema.ts'
import { loadPatterns } from '../../core/select/pattern.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { setOwn } from '../../core/values/values.ts'
import { slug } from '../../writer/endpoint-path.ts'
import { toScenarioName } from '../../writer/write-routes.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { ImportedRoutes, type Imported, type ImportContext } from '../imported.ts'
import { pathCovers, EarlierRoutes } from '../mock-order.ts'
import { allOf, importedPath, patternOf, withoutSecrets, type When } from '../mock-rules.ts'
import { answersOf, conditionsOf, itemsOf } from '../mockoon-answers.ts'
import type { Environment } from '../mockoon-helpers.ts'
import type { ImportSource } from '../source.ts'
import { NoFixtureFor } from '../template.ts'
import { listIn, recordIn, toText } from '../values.ts'

/** Old exports have several environments in a list. */
function environmentsIn(value: unknown): Environment[] {
  const { data, source, routes } = recordIn(value)
  if (Array.isArray(routes) && ['lastMigration', 'endpointPrefix'].some((key) => key in recordIn(value)))
    return [recordIn(value)]
  return typeof source === 'string' && source.startsWith('mockoon')
    ? listIn(data).flatMap(({ item }) => environmentsIn(item))
    : []
}

export function isMockoon({ value }: ImportSource): boolean {
  return environmentsIn(value).length > 0
}

export async function importMockoon(
  sources: readonly ImportSource[],
  context: ImportContext,
): Promise<Imported> {
  await loadPatterns()
  const routes = new ImportedRoutes()
  for (const source of sources)
    for (const environment of environmentsIn(source.value)) {
      if (environment['proxyMode'] === true)
        routes.omissions.add('the proxy mode', 'the proxy of the dev server gets what no route answers', toText(environment['proxyHost'])) // prettier-ignore
      const folders = foldersOf(environment)
      const order = new Map([...folders.keys()].map((uuid, index) => [uuid, index]))
      const rank = ({ uuid }: Record<string, unknown>) => order.get(uuid) ?? order.size
      const earlier = new EarlierRoutes<Earlier>()
      const open = new Set<Fallback>()
      for (const route of listIn(environment['routes']).sort((a, b) => rank(a) - rank(b)))
        addRoute(route, { environment, folders, source, context, routes, earlier, open })
      if (environment['proxyMode'] === true)
        for (const { place, file } of open) routes.add(place, { answer: fromProxy }, file, false)
    }
  return routes
}

/** The name of the folder of each route. */
function foldersOf({ folders, rootChildren }: Environment): ReadonlyMap<unknown, string> {
  const byId = new Map(listIn(folders).map((one) => [one['uuid'], one]))
  const found = new Map<unknown, string>()
  const visit = (children: unknown, name: string) => {
    for (const { uuid, type } of listIn(children)) {
      const folder = type === 'folder' ? byId.get(uuid) : undefined
      if (!folder) found.set(uuid, name)
      byId.delete(uuid) // a folder in itself would have no end
      if (folder) visit(folder['children'], toText(folder['name']))
    }
  }
  visit(rootChildren, '')
  return found
}

type Add = (place: { method?: string; path: string }, file: string | undefined) => void

/** A route that stands before others. */
interface Earlier {
  method: string
  path: string
  where: string
  /** Whether requests that fit no rule go on to the next route. */
  isFallback: boolean
  add: Add
}

/** A route whose requests that fit no rule go on to a later one, which here would not get them. */
interface Fallback {
  place: { method?: string; path: string }
  where: string
  file: string | undefined
}

const fromProxy = { from: 'backend' } as unknown as WrittenAnswer['answer']

interface Adding {
  environment: Environment
  folders: ReadonlyMap<unknown, string>
  source: ImportSource
  context: ImportContext
  routes: ImportedRoutes
  earlier: EarlierRoutes<Earlier>
  /** Routes whose requests no later one gets as a whole. */
  open: Set<Fallback>
}

function addRoute(route: Record<string, unknown>, adding: Adding): void {
  const { environment, folders, source, context, routes, earlier, open } = adding
  const { omissions } = routes
  const { type = 'http', method, endpoint, enabled, uuid } = route
  // Older environments say it with one key for each.
  const old = route['sequentialResponse'] === true ? 'SEQUENTIAL' : route['randomResponse'] === true && 'RANDOM' // prettier-ignore
  const mode = route['responseMode'] ?? old
  const verb = type === 'crud' ? 'CRUD' : toText(method).toUpperCase() || 'ALL'
  const where = `${verb} /${toText(endpoint)}`
  const file = slug(folders.get(uuid) ?? '') || undefined
  const responses = listIn(route['responses'])
  const skip = (response: Record<string, unknown>, error: unknown) =>
    routes.skip(`the response "${labelOf(response)}"`, reasonOf(error), where)
  const skipAll = (why: string) => responses.forEach(() => routes.skip('a response', why, where))
  if (enabled === false) return skipAll('its route is turned off')
  if (type === 'ws') return skipAll('WebSockets are not imported')
  if (route['streamingMode']) return skipAll('streams are not imported')
  const inPath: When = {}
  let path: string
  try {
    path = importedPath(pathOf([environment['endpointPrefix'], endpoint], inPath), context)
  } catch (error) {
    return skipAll(reasonOf(error))
  }
  const methods = verb === 'ALL' || verb === 'CRUD' ? anyMethod : verb
  const place = { ...(methods !== 'GET' && { method: methods }), path }
  const first = earlier.over({ method: methods, path })
  const taker = first.find(({ isFallback }) => !isFallback)
  if (taker) return skipAll(`${taker.where}, which stands before it, answers its requests`)
  for (const one of first) one.add(place, file)
  const paths = type === 'crud' ? [path, `${path}/:id`] : [path]
  const isOver = ({ place: { method = 'GET', path: inner } }: Fallback) =>
    ([method, methods].includes(anyMethod) || method === methods) &&
    paths.some((one) => pathCovers(one, inner))
  const fallbacks = [...open].filter(isOver)
  const answers = responses.flatMap((response) => {
    try {
      return { response, variants: answersOf(response, environment, path, where, source, omissions) }
    } catch (error) {
      skip(response, error)
      return []
    }
  })
  const usual = answers.find(({ response }) => response['default'] === true) ?? answers[0]
  if (mode === 'RANDOM' && answers.length > 1)
    omissions.add('the random choice', 'the default answers, and each other response in its scenario', where)
  type Answer = (typeof answers)[number]
  const adderOf =
    ({ response, variants }: Answer, conditions: When, scenario?: string): Add =>
    (at, into) => {
      const label = toText(response['label'])
      for (const answer of variants) {
        const selected = withoutSecrets(allOf([inPath, conditions, answer.when]), where, omissions)
        const named = {
          ...(label !== '' && { name: label }),
          ...at,
          ...(Object.keys(selected).length > 0 && { when: selected }),
          ...(scenario !== undefined && { scenario }),
        }
        if (!routes.add(named, answer, into, false))
          omissions.add(`the response "${labelOf(response)}"`, 'another one answers the same requests', where)
      }
    }
  const ruled: Add[] = []
  let rest: Add | undefined
  const isLoop = mode === 'SEQUENTIAL'
  const numbers = answers.map(({ response }) => turnOf(response))
  const isNumbered = !isLoop && numbers.some((one) => one > 0) && answers.every((one, index) => numbers[index]! > 0 || (one === usual && listIn(one.response['rules']).length === 0)) // prettier-ignore
  if ((isLoop || isNumbered) && answers.every(({ variants }) => variants.length === 1)) {
    // A request without a turn gets the usual answer.
    const ofTurn = (_: unknown, index: number) => answers[numbers.indexOf(index + 1)] ?? usual!
    const turns = isLoop ? answers : [...Array.from({ length: Math.max(...numbers) }, ofTurn), usual!]
    const more = {
      ...(Object.keys(inPath).length > 0 && { when: inPath }),
      ...(isLoop && turns.length > 1 && { repeat: true as const }),
    }
    const given = turns.filter((one, index) => isLoop || index + 1 < turns.length || one !== turns.at(-2))
    routes.add({ ...place, ...more }, given.map(({ variants }) => variants[0]!), file, false) // prettier-ignore
  } else
    for (const one of answers) {
      const { response } = one
      const rules = mode === 'RANDOM' || mode === 'DISABLE_RULES' ? [] : listIn(response['rules'])
      try {
        if (type === 'crud' && one === usual) {
          const collection = itemsOf(response, environment, path)
          const headers = [...listIn(environment['headers']), ...listIn(response['headers'])]
          const own = headers.map(({ key }) => toText(key)).filter((key) => !/^content-type$/i.test(key))
          for (const key of own) omissions.add(`response header "${key}"`, 'a collection has none', where)
          omissions.add('the parameters of a list', 'they, its headers and the errors are those of json-server: _page, _limit, _sort, _order, q', path) // prettier-ignore
          routes.add({ path, collection }, { answer: {} }, file, false)
          continue
        }
        const conditions = rules.length > 0 ? conditionsOf(rules, response['rulesOperator'] === 'AND') : []
        ruled.push(...conditions.map((when) => adderOf(one, when)))
        for (const add of ruled.slice(-rules.length || ruled.length)) add(place, file)
        if (one === usual && mode !== 'FALLBACK') (rest = adderOf(one, {}))(place, file)
        else if (rules.length === 0) adderOf(one, {}, toScenarioName(labelOf(response)))(place, file)
      } catch (error) {
        skip(response, error)
      }
    }
  const answered = answers.map(({ response: { rules }, variants }) => [rules, variants.map(({ answer, when }) => [answer, when])]) // prettier-ignore
  const readsPath = fallbacks.length > 0 && /\bparams\b/.test(JSON.stringify([inPath, answered]))
  for (const one of fallbacks) {
    const { path: inner, method = 'GET' } = one.place
    const isNarrower = method === anyMethod && methods !== anyMethod // than what it would be copied to
    const isThere =
      paths.some((own) => shapeOf(own) === shapeOf(inner)) &&
      (type === 'crud' || isNarrower || method === methods)
    const isCopied = !isThere && !isNarrower && (inner === path || !readsPath) && (ruled.length > 0 || rest)
    if (isCopied) for (const add of rest ? [...ruled, rest] : ruled) add(one.place, one.file)
    else if (!isThere) omissions.add('a route', `here, it does not answer requests to ${one.where}`, where)
    if (!isNarrower && (rest || (isThere && mode !== 'FALLBACK'))) open.delete(one)
  }
  if (mode === 'FALLBACK') open.add({ place, where, file })
  if (Object.keys(inPath).length > 0) return // others get what does not fit the pattern
  const add: Add = (...at) => ruled.forEach((one) => one(...at))
  for (const own of paths)
    earlier.add({ method: methods, path: own, where, isFallback: mode === 'FALLBACK', add })
}

const shapeOf = (path: string) => path.replace(/:\w+/g, ':')

function labelOf({ label, statusCode = 200 }: Record<string, unknown>): string {
  return toText(label) || toText(statusCode)
}

/** The turn of a response that is for one request of many; 0 for others. */
function turnOf({ rules }: Record<string, unknown>): number {
  const [rule, ...others] = listIn(rules)
  const isTurn = rule?.['target'] === 'request_number' && rule['operator'] === 'equals' && others.length === 0
  return isTurn && rule['invert'] !== true ? Number(rule['value']) : 0
}

/** A path of Express: a pattern of a parameter is a condition. */
function pathOf(parts: readonly unknown[], when: When): string {
  const text = parts.map(toText).filter(Boolean).join('/').replaceAll(/\/{2,}/g, '/').replace(/^\//, '') // prettier-ignore
  const path = text.replace(/:(\w+)\(((?:[^()]|\([^()]*\))*)\)/g, (_, name: string, pattern: string) => {
    setOwn((when['params'] ??= {}), name, patternOf(pattern, true))
    return `:${name}`
  })
  if (/[|()]/.test(path) || /(?:^|\/)[^:/]*[?+]/.test(path)) throw new NoFixtureFor('its path is a pattern')
  if (/:\w+[^/\w?*+]*:/.test(path)) throw new NoFixtureFor('a segment of its path has two parameters')
  return `/${path.replace(/(^|\/)\*(?=\/|$)/g, '$1**')}`
}
