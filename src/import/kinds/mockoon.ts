import { anyMethod } from '../../core/schema/schema.ts'
import { addTo } from '../../core/values/collections.ts'
import { asJson } from '../../core/values/json-value.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, setOwn } from '../../core/values/values.ts'
import { slug } from '../../writer/endpoint-path.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { scenarioName } from '../../writer/write-routes.ts'
import { ImportedRoutes, type Imported, type ImportContext } from '../imported.ts'
import {
  allOf,
  loadPatterns,
  mockAnswer,
  ownPath,
  patternOf,
  sameInJson,
  selectorPath,
  withoutSecrets,
  type When,
} from '../mock-rules.ts'
import type { Pairs } from '../saved-requests.ts'
import type { Source } from '../source.ts'
import { bucketOf, helperFor, sources, type Environment } from '../mockoon-helpers.ts'
import { argumentsOf, NoFixtureFor, variantsOf, type ReadHelper, type Test } from '../template.ts'
import { listIn, recordIn, textOf } from '../values.ts'

/** Old exports have several environments in a list. */
function environmentsIn(value: unknown): Environment[] {
  const { data, source, routes } = recordIn(value)
  if (Array.isArray(routes) && ['lastMigration', 'endpointPrefix'].some((key) => key in recordIn(value)))
    return [recordIn(value)]
  return typeof source === 'string' && source.startsWith('mockoon')
    ? listIn(data).flatMap(({ item }) => environmentsIn(item))
    : []
}

export function isMockoon({ value }: Source): boolean {
  return environmentsIn(value).length > 0
}

export async function importMockoon(sources: readonly Source[], context: ImportContext): Promise<Imported> {
  await loadPatterns()
  const routes = new ImportedRoutes()
  for (const source of sources)
    for (const environment of environmentsIn(source.value)) {
      if (environment['proxyMode'] === true)
        routes.omissions.add(
          'the proxy mode',
          'the proxy of the dev server gets what no route answers',
          textOf(environment['proxyHost']),
        )
      const folders = foldersOf(environment)
      const before = new Map<string, Before[]>()
      const order = new Map([...folders.keys()].map((uuid, index) => [uuid, index]))
      const rank = ({ uuid }: Record<string, unknown>) => order.get(uuid) ?? order.size
      for (const route of listIn(environment['routes']).sort((a, b) => rank(a) - rank(b)))
        addRoute({ route, environment, folders, source, context, routes, before })
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
      if (folder) visit(folder['children'], textOf(folder['name']))
    }
  }
  visit(rootChildren, '')
  return found
}

/** A route that stands before others, and answers what they would. */
interface Before {
  method: string
  path: string
  where: string
  /** Whether requests that fit no rule go on to the next route. */
  isFallback: boolean
  add: (place: { method?: string; path: string }, file: string | undefined) => void
}

interface Adding {
  route: Record<string, unknown>
  environment: Environment
  folders: ReadonlyMap<unknown, string>
  source: Source
  context: ImportContext
  routes: ImportedRoutes
  /** By the count of segments and the first of them. */
  before: Map<string, Before[]>
}

type Variant = WrittenAnswer & { when: When }

function addRoute({ route, environment, folders, source, context, routes, before }: Adding): void {
  const { omissions } = routes
  const { type = 'http', method, endpoint, responseMode, enabled, uuid } = route
  const verb = type === 'crud' ? 'CRUD' : textOf(method).toUpperCase() || 'ALL'
  const where = `${verb} /${textOf(endpoint)}`
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
    path = ownPath(pathOf([environment['endpointPrefix'], endpoint], inPath), context)
  } catch (error) {
    return skipAll(reasonOf(error))
  }
  const methods = verb === 'ALL' || verb === 'CRUD' ? anyMethod : verb
  const place = { ...(methods !== 'GET' && { method: methods }), path }
  const first = placesOf(path, ':').flatMap((key) => before.get(key) ?? []).filter((one) => [anyMethod, methods].includes(one.method) && covers(one.path, path)) // prettier-ignore
  const taker = first.find(({ isFallback }) => !isFallback)
  if (taker) return skipAll(`${taker.where}, which stands before it, answers its requests`)
  for (const one of first) one.add(place, file)
  const answers = responses.flatMap((response) => {
    try {
      return { response, variants: answersOf(response, environment, path, where, source, routes) }
    } catch (error) {
      skip(response, error)
      return []
    }
  })
  const usual = answers.find(({ response }) => response['default'] === true) ?? answers[0]
  type Answer = (typeof answers)[number]
  const adding =
    ({ response, variants }: Answer, conditions: When, scenario?: string): Before['add'] =>
    (at, into) => {
      const label = textOf(response['label'])
      for (const { when, ...answer } of variants) {
        const selected = withoutSecrets(allOf([inPath, conditions, when]), where, omissions)
        const named = {
          ...(label !== '' && { name: label }),
          ...at,
          ...(Object.keys(selected).length > 0 && { when: selected }),
          ...(scenario !== undefined && { scenario }),
        }
        if (!routes.add(named, answer, into, false))
          omissions.add(
            `the response "${labelOf(response)}"`,
            'another response answers the same requests',
            where,
          )
      }
    }
  const ruled: Before['add'][] = []
  const isLoop = responseMode === 'SEQUENTIAL'
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
      const isRuled = responseMode !== 'RANDOM' && responseMode !== 'DISABLE_RULES'
      const rules = isRuled ? listIn(response['rules']) : []
      try {
        if (type === 'crud' && one === usual) {
          addCollection(response, environment, path, file, routes)
          continue
        }
        if (rules.length > 0)
          ruled.push(
            ...conditionsOf(rules, response['rulesOperator'] === 'AND').map((when) => adding(one, when)),
          )
        for (const add of ruled.slice(-rules.length || ruled.length)) add(place, file)
        if (one === usual && responseMode !== 'FALLBACK') adding(one, {})(place, file)
        else if (rules.length === 0) adding(one, {}, scenarioName(labelOf(response)))(place, file)
      } catch (error) {
        skip(response, error)
      }
    }
  if (Object.keys(inPath).length > 0) return // others get what does not fit the pattern
  const isFallback = responseMode === 'FALLBACK'
  const add: Before['add'] = (...at) => ruled.forEach((one) => one(...at))
  for (const own of type === 'crud' ? [path, `${path}/:id`] : [path])
    addTo(before, placesOf(own).at(-1)!, { method: methods, path: own, where, isFallback, add })
}

/** Keys of the routes that may answer a path, without and with those that begin with anything. */
function placesOf(path: string, ...others: string[]): string[] {
  const [, first = '', ...more] = path.split('/')
  if (path.endsWith('**') && others.length === 0) return ['*']
  const places = [first.startsWith(':') ? ':' : first, ...others].map((one) => `${more.length}/${one}`)
  return others.length === 0 ? places : [...new Set(places), '*']
}

/** Whether a path has all requests of another one. */
function covers(path: string, other: string): boolean {
  const [own, others] = [path.split('/'), other.split('/')]
  if (own.at(-1) === '**') return own.slice(0, -1).every((one, index) => fits(one, others[index]))
  return own.length === others.length && own.every((one, index) => fits(one, others[index]))
}

const fits = (own: string, other = '**') =>
  own === other || (own.startsWith(':') && !/[?*+]$/.test(own) && !/[*?+]/.test(other))

function labelOf({ label, statusCode = 200 }: Record<string, unknown>): string {
  return textOf(label) || textOf(statusCode)
}

/** The turn of a response that is for one request of many; 0 for others. */
function turnOf({ rules }: Record<string, unknown>): number {
  const [rule, ...others] = listIn(rules)
  const isTurn = rule?.['target'] === 'request_number' && rule['operator'] === 'equals' && others.length === 0
  return isTurn && rule['invert'] !== true ? Number(rule['value']) : 0
}

/** A path of Express: a pattern of a parameter is a condition. */
function pathOf(parts: readonly unknown[], when: When): string {
  const text = parts.map(textOf).filter(Boolean).join('/').replaceAll(/\/{2,}/g, '/').replace(/^\//, '') // prettier-ignore
  const path = text.replace(/:(\w+)\(((?:[^()]|\([^()]*\))*)\)/g, (_, name: string, pattern: string) => {
    setOwn((when['params'] ??= {}), name, patternOf(pattern, true))
    return `:${name}`
  })
  if (/[|()]/.test(path)) throw new NoFixtureFor('its path is a pattern')
  if (/:\w+[^/\w?*+]*:/.test(path)) throw new NoFixtureFor('a segment of its path has two parameters')
  return `/${path.replace(/(^|\/)\*(?=\/|$)/g, '$1**')}`
}

/** Rules that are joined by OR are routes of their own. */
function conditionsOf(rules: readonly Record<string, unknown>[], areAll: boolean): When[] {
  const each = rules.map((rule): When => {
    const { target, modifier, invert } = rule
    const source = sources[textOf(target)]
    const name = source === 'body' ? selectorPath(textOf(modifier)) : textOf(modifier).replace(/^:/, '')
    if (source === undefined) throw new NoFixtureFor(`a route does not select by ${textOf(target)}`)
    if (!name)
      throw new NoFixtureFor(`a route does not select by ${source} ${textOf(modifier) || 'as a whole'}`)
    const condition = conditionOf(rule, source === 'body')
    const key = source === 'headers' ? name.toLowerCase() : name
    return {
      [source]: {
        [key]: invert === true ? { $not: isRecord(condition) ? condition : { $eq: condition } } : condition,
      },
    }
  })
  return areAll ? [allOf(each)] : each
}

function conditionOf({ operator, value }: Record<string, unknown>, isJson: boolean): unknown {
  const text = textOf(value)
  if (text.includes('{{')) throw new NoFixtureFor('the value of its rule is a template')
  const same = isJson ? sameInJson(text) : text
  if (operator === 'equals' || operator === undefined) return same
  if (operator === 'regex') return patternOf(text, false)
  if (operator === 'regex_i') return patternOf(text, false, 'i')
  if (operator === 'null') return isJson ? { $in: [null, ''] } : { $exists: false }
  if (operator === 'empty_array') return { $size: 0 }
  if (operator === 'array_includes') return { $elemMatch: isRecord(same) ? same : { $eq: same } }
  throw new NoFixtureFor(`a route does not select by ${textOf(operator)}`)
}

function addCollection(
  response: Record<string, unknown>,
  environment: Environment,
  path: string,
  file: string | undefined,
  routes: ImportedRoutes,
): void {
  const text = bucketOf(response['databucketID'], environment)
  const made = text === undefined ? undefined : bodyOf(text, path, environment)
  const items = typeof made === 'string' ? asJson(made)?.value : made
  const id = textOf(response['crudKey']) || 'id'
  if (!Array.isArray(items) || !items.every(isRecord))
    throw new NoFixtureFor('its data are no list of objects')
  routes.omissions.add(
    'the parameters of a list',
    'they and the errors are those of json-server: _page, _limit, _sort, _order, q',
    path,
  )
  routes.add(
    { path, collection: { items, ...(id !== 'id' && { id }), returnDeleted: true } },
    { answer: {} },
    file,
    false,
  )
}

/** Data with templates, which have the same values in each answer. */
function bodyOf(text: string, path: string, environment: Environment): unknown {
  const headers: Pairs = [['content-type', 'application/json']]
  const source = {
    status: 200,
    headers,
    body: text,
    read: helperFor(path, environment, 'ALL'),
    where: path,
    path,
  }
  return mockAnswer(source, new ImportedRoutes().omissions).answer.body
}

/** The answer, or one for each case of its template. */
function answersOf(
  response: Record<string, unknown>,
  environment: Environment,
  path: string,
  where: string,
  source: Source,
  { omissions }: ImportedRoutes,
): Variant[] {
  const {
    statusCode = 200,
    body,
    bodyType,
    databucketID,
    filePath,
    disableTemplating,
    latency,
    callbacks,
  } = response
  const pairs = [...listIn(environment['headers']), ...listIn(response['headers'])]
  const headers: Pairs = [
    ...new Map(pairs.map((one) => [textOf(one['key']).toLowerCase(), textOf(one['value'])])),
  ]
  let content: string | Uint8Array = textOf(body)
  const file = textOf(filePath)
  if (bodyType === 'DATABUCKET') content = bucketOf(databucketID, environment) ?? ''
  if (bodyType === 'FILE' || (bodyType === undefined && file !== '')) {
    if (file.includes('{{')) throw new NoFixtureFor(`its body is in ${file}, which depends on the request`)
    content = source.readNear(file)
  }
  if (listIn(callbacks).length > 0) omissions.add('callbacks', 'a route sends no requests', where)
  const read = disableTemplating === true ? undefined : helperFor(path, environment, where.split(' ')[0]!)
  const type = headers.find(([name]) => name === 'content-type')
  const isJson = typeof content !== 'string' || content === '' || /^\s*(?:\[|\{(?!\{))/.test(content)
  const usual: Pairs = type || isJson || file !== '' ? [] : [['content-type', 'text/html']]
  // The extension of a file gives its type, if no header does.
  const named = file === '' ? path : `/${file}`
  const whole = { status: Number(statusCode), headers: [...headers, ...usual], read, where, path: named }
  const variants = read && typeof content === 'string' ? variantsOf(content) : [{ text: content, tests: [] }]
  const delay = Number(latency ?? 0) + Number(environment['latency'] ?? 0)
  return variants.map(({ text, tests }) => {
    const written = mockAnswer({ ...whole, body: text }, omissions)
    const when = allOf(tests.map((test) => whenOf(test, read!)))
    return { ...written, when, answer: { ...written.answer, ...(delay > 0 && { delay }) } }
  })
}

/** What a request must have for a case of a template. */
function whenOf({ expression, value }: Test, read: ReadHelper): When {
  const [name = '', ...args] = argumentsOf(expression)
  const found = read(name, args, 0)
  const [, source, key] = /^(\w+)\.(.+)$/.exec(found && 'from' in found ? found.from : '') ?? []
  if (source === undefined) throw new NoFixtureFor(`its template depends on ${name}`)
  const condition = value === undefined ? { $exists: true } : source === 'body' ? sameInJson(value) : value
  return { [source]: { [key!]: condition } }
}
