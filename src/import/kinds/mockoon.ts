import { anyMethod } from '../../core/schema/schema.ts'
import { asJson } from '../../core/values/json-value.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, setOwn } from '../../core/values/values.ts'
import { slug } from '../../writer/endpoint-path.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { scenarioName } from '../../writer/write-routes.ts'
import { ImportedRoutes, type Imported, type ImportContext } from '../imported.ts'
import {
  loadPatterns,
  mockAnswer,
  ownPath,
  patternOf,
  sameInJson,
  selectorPath,
  withoutSecrets,
} from '../mock-rules.ts'
import type { Pairs } from '../saved-requests.ts'
import type { Source } from '../source.ts'
import { bucketOf, helperFor, type Environment } from '../mockoon-helpers.ts'
import { NoFixtureFor } from '../template.ts'
import { listIn, recordIn, textOf } from '../values.ts'

type When = Record<string, Record<string, unknown>>

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
      for (const route of listIn(environment['routes']))
        addRoute(route, environment, folders, source, context, routes)
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

function addRoute(
  route: Record<string, unknown>,
  environment: Environment,
  folders: ReadonlyMap<unknown, string>,
  source: Source,
  context: ImportContext,
  routes: ImportedRoutes,
): void {
  const { omissions } = routes
  const { type = 'http', method, endpoint, responseMode, enabled, uuid } = route
  const verb = type === 'crud' ? 'CRUD' : textOf(method).toUpperCase() || 'ANY'
  const where = `${verb} /${textOf(endpoint)}`
  const file = slug(folders.get(uuid) ?? '') || undefined
  const responses = listIn(route['responses'])
  const skipAll = (why: string) => responses.forEach(() => routes.skip('a response', why, where))
  if (enabled === false) return skipAll('its route is turned off')
  if (type === 'ws') return skipAll('WebSockets are not imported')
  if (route['streamingMode']) return skipAll('streams are not imported')
  const when: When = {}
  let path: string
  try {
    path = ownPath(pathOf([environment['endpointPrefix'], endpoint], when), context)
  } catch (error) {
    return skipAll(reasonOf(error))
  }
  const methods = verb === 'ALL' || verb === 'ANY' || verb === 'CRUD' ? anyMethod : verb
  const place = { ...(methods !== 'GET' && { method: methods }), path }
  const answers = responses.flatMap((response) => {
    try {
      return { response, answer: answerOf(response, environment, path, where, source, routes) }
    } catch (error) {
      routes.skip(`the response "${labelOf(response)}"`, reasonOf(error), where)
      return []
    }
  })
  const usual = answers.find(({ response }) => response['default'] === true) ?? answers[0]
  const add = ({ response, answer }: (typeof answers)[number], conditions: When, scenario?: string) => {
    const label = textOf(response['label'])
    const selected = withoutSecrets({ ...when, ...conditions }, where, omissions)
    const named = {
      ...(label !== '' && { name: label }),
      ...place,
      ...(Object.keys(selected).length > 0 && { when: selected }),
      ...(scenario !== undefined && { scenario }),
    }
    if (!routes.add(named, answer, file, false))
      omissions.add(
        `the response "${labelOf(response)}"`,
        'another response answers the same requests',
        where,
      )
  }
  const isLoop = responseMode === 'SEQUENTIAL'
  if (isLoop || (answers.length > 1 && answers.every(({ response }) => turnOf(response) > 0))) {
    const turns = isLoop ? answers : answers.toSorted((a, b) => turnOf(a.response) - turnOf(b.response))
    const more = {
      ...(Object.keys(when).length > 0 && { when }),
      ...(isLoop && turns.length > 1 && { repeat: true as const }),
    }
    routes.add({ ...place, ...more }, turns.map(({ answer }) => answer), file, false) // prettier-ignore
    return
  }
  const isRuled = responseMode !== 'RANDOM' && responseMode !== 'DISABLE_RULES'
  for (const one of answers) {
    const { response } = one
    const rules = isRuled ? listIn(response['rules']) : []
    try {
      if (type === 'crud' && one === usual) {
        addCollection(response, environment, path, file, routes)
        continue
      }
      if (rules.length > 0)
        for (const conditions of conditionsOf(rules, response['rulesOperator'] === 'AND'))
          add(one, conditions)
      if (one === usual && responseMode !== 'FALLBACK') add(one, {})
      else if (rules.length === 0) add(one, {}, scenarioName(labelOf(response)))
    } catch (error) {
      routes.skip(`the response "${labelOf(response)}"`, reasonOf(error), where)
    }
  }
}

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
  return `/${path.replace(/(^|\/)\*(?=\/|$)/g, '$1**')}`
}

const sources: Record<string, string> = {
  body: 'body',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
  params: 'params',
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
  if (!areAll) return each
  const all: When = {}
  for (const when of each)
    for (const [source, fields] of Object.entries(when)) {
      const known = (all[source] ??= {})
      for (const [key, condition] of Object.entries(fields))
        setOwn(
          known,
          key,
          key in known
            ? { $and: [known[key], condition].map((one) => (isRecord(one) ? one : { $eq: one })) }
            : condition,
        )
    }
  return [all]
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
    'they are those of json-server: _page, _limit, _sort, _order, q',
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
  const source = { status: 200, headers, body: text, read: helperFor(path, environment), where: path, path }
  return mockAnswer(source, new ImportedRoutes().omissions).answer.body
}

function answerOf(
  response: Record<string, unknown>,
  environment: Environment,
  path: string,
  where: string,
  source: Source,
  { omissions }: ImportedRoutes,
): WrittenAnswer {
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
  const read = disableTemplating === true ? undefined : helperFor(path, environment)
  // The extension of a file gives its type, if no header does.
  const named = file === '' ? path : `/${file}`
  const written = mockAnswer(
    { status: Number(statusCode), headers, body: content, read, where, path: named },
    omissions,
  )
  const delay = Number(latency ?? 0) + Number(environment['latency'] ?? 0)
  return delay > 0 ? { ...written, answer: { ...written.answer, delay } } : written
}
