import { anyMethod } from '../../core/schema/schema.ts'
import { loadPatterns } from '../../core/select/pattern.ts'
import { groupBy } from '../../core/values/collections.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, setOwn } from '../../core/values/values.ts'
import { literalSegment } from '../../writer/endpoint-path.ts'
import type { Omissions } from '../../writer/omissions.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { toScenarioName } from '../../writer/write-routes.ts'
import { ImportedRoutes, type Imported, type ImportContext } from '../imported.ts'
import { EarlierRoutes } from '../mock-order.ts'
import { metAtOnce, importedPath, patternOf, withoutSecrets, type WhenCondition } from '../mock-rules.ts'
import type { ImportSource } from '../source.ts'
import { NoFixtureFor } from '../template.ts'
import { listIn, recordIn, toText } from '../values.ts'
import { wiremockAnswer } from '../wiremock-answers.ts'
import { bodyConditions, matcherCondition } from '../wiremock-matchers.ts'

type Mapping = Record<string, unknown>

function mappingsIn(value: unknown): Mapping[] {
  const list = recordIn(value)['mappings'] ?? value
  return listIn(Array.isArray(list) ? list : [list]).filter(
    ({ request, response }) =>
      isRecord(request) && isRecord(response) && keysOfUrl.some((key) => key in request),
  )
}

const keysOfUrl = ['url', 'urlPath', 'urlPattern', 'urlPathPattern', 'urlPathTemplate', 'method']

export function isWireMock({ value }: ImportSource): boolean {
  const { log, mappings } = recordIn(value)
  return (
    log === undefined && (mappingsIn(value).length > 0 || (Array.isArray(mappings) && mappings.length === 0))
  )
}

/** A mapping as a route: its place, its conditions and its answer. */
interface Stub {
  mapping: Mapping
  source: ImportSource
  where: string
  endpoint: { name?: string; method?: string; path: string; when?: Record<string, object> }
  answer: WrittenAnswer
}

export async function importWireMock(
  sources: readonly ImportSource[],
  context: ImportContext,
): Promise<Imported> {
  await loadPatterns()
  const routes = new ImportedRoutes()
  const stubs: Stub[] = []
  for (const source of sources)
    for (const mapping of mappingsIn(source.value)) {
      const request = recordIn(mapping['request'])
      const url = keysOfUrl.map((key) => request[key]).find((one) => one !== undefined)
      const where = `${toText(request['method'] ?? 'ANY')} ${toText(url)}`
      try {
        const { path, ...endpoint } = endpointOf(mapping, where, routes.omissions)
        const own = importedPath(path, context)
        const answer = wiremockAnswer(mapping, path, where, source, routes.omissions)
        stubs.push({ mapping, source, where, endpoint: { ...endpoint, path: own }, answer })
      } catch (error) {
        routes.skip('a mapping', reasonOf(error), where)
      }
    }
  for (const same of groupBy(inOrder(stubs, sources.length === 1, routes), keyOf).values())
    addStates(same, routes)
  return routes
}

const keyOf = ({ endpoint: { method, path, when }, mapping }: Stub) =>
  JSON.stringify([method, path, when, mapping['scenarioName'] ?? ''])

const rankOf = ({ mapping }: Stub) => Number(mapping['priority'] ?? 5)

function isFree({ endpoint, mapping }: Stub): boolean {
  return endpoint.when === undefined && !('scenarioName' in mapping)
}

/** The newest mapping of the highest priority answers, whatever its path. Several files are in the order of the disk. */
function inOrder(stubs: Stub[], isOneFile: boolean, routes: ImportedRoutes): Stub[] {
  const byRank = (after: (stub: Stub) => boolean) => (a: Stub, b: Stub) =>
    rankOf(a) - rankOf(b) || (isOneFile ? 0 : Number(after(a)) - Number(after(b)))
  const places = new EarlierRoutes<{ method: string; path: string; stub: Stub }>()
  const ranked = stubs.reverse().sort(byRank(isFree))
  const positions = new Map(ranked.map((stub, index) => [stub, index]))
  for (const stub of ranked) places.add({ method: 'GET', ...stub.endpoint, stub })
  const byPlace = groupBy(ranked, ({ endpoint: { method, path } }) => `${method} ${path}`)
  return [...byPlace.values()].flatMap((own) => {
    const place = { method: 'GET', ...own[0]!.endpoint }
    const all = places.over(place).map(({ stub }) => stub)
    all.sort((a, b) => positions.get(a)! - positions.get(b)!).sort(byRank((stub) => !own.includes(stub)))
    const free = all.findIndex(isFree)
    const asked = free === -1 ? all : all.slice(0, free + 1)
    for (const { where } of own.filter((stub) => !asked.includes(stub)))
      routes.skip('a mapping', 'another one, which comes first, answers all of its requests', where)
    const last = own.find((stub) => asked.includes(stub))
    return last
      ? asked.flatMap((stub) => (own.includes(stub) ? stub : (atPlace(stub, last, routes) ?? [])))
      : []
  })
}

/** A mapping of a wider path, for requests to a place that has mappings of its own. */
function atPlace(stub: Stub, own: Stub, { omissions }: ImportedRoutes): Stub | undefined {
  const { endpoint: place, where } = own
  const { name, when: { params, ...when } = {} } = stub.endpoint
  if (params || 'scenarioName' in stub.mapping || JSON.stringify(stub.answer.answer).includes('params.')) {
    omissions.add('a mapping', `here, it does not answer requests to ${where}`, stub.where)
    return undefined
  }
  const at = { ...(place.method !== undefined && { method: place.method }), path: place.path }
  const isAny = Object.keys(when).length === 0
  return { ...stub, endpoint: { ...(name !== undefined && { name }), ...at, ...(!isAny && { when }) } }
}

const started = 'Started'

/** States of one route that follow each other are a sequence. Those of several routes are scenarios, which no answer switches. */
function addStates(same: readonly Stub[], routes: ImportedRoutes): void {
  const stateOf = ({ mapping }: Stub) => toText(mapping['requiredScenarioState']) || started
  const nextOf = ({ mapping }: Stub) => toText(mapping['newScenarioState'])
  const chain: Stub[] = []
  let isCircle = false
  for (let next: string | undefined = started; next !== undefined;) {
    const stub = same.find((one) => stateOf(one) === next)
    isCircle = stub !== undefined && chain.includes(stub)
    if (!stub || isCircle) break
    chain.push(stub)
    next = nextOf(stub) || undefined
  }
  const [first = same[0]!] = chain
  const add = (stub: Stub, answers: readonly WrittenAnswer[], more: object) => {
    if (!routes.add({ ...stub.endpoint, ...more }, answers, undefined, false))
      routes.omissions.add('a mapping', 'another mapping answers the same requests', stub.where)
  }
  if (chain.length > 0) {
    const isRepeated = isCircle && chain.length > 1 && { repeat: true }
    add(first, chain.map(({ answer }) => answer), { ...isRepeated }) // prettier-ignore
  }
  for (const stub of same.filter((one) => !chain.includes(one)))
    add(stub, [stub.answer], stateOf(stub) === started ? {} : { scenario: toScenarioName(stateOf(stub)) })
  for (const stub of same)
    if (nextOf(stub) !== '' && nextOf(stub) !== stateOf(stub) && (chain.length < 2 || !chain.includes(stub)))
      routes.omissions.add(
        `the change to the state "${nextOf(stub)}"`,
        'an answer can not switch a scenario: switch it in the inspector, or with x-mock-scenario',
        stub.where,
      )
}

const sources = {
  queryParameters: 'query',
  headers: 'headers',
  cookies: 'cookies',
  pathParameters: 'params',
  formParameters: 'body',
}

function endpointOf({ request, name }: Mapping, where: string, omissions: Omissions): Stub['endpoint'] {
  const given = recordIn(request)
  const { method, url, urlPath, urlPattern, urlPathPattern, urlPathTemplate } = given
  const when: Record<string, Record<string, unknown>> = {}
  const add = (source: string, key: string, condition: unknown) =>
    setOwn((when[source] ??= {}), key, condition)
  for (const key of ['customMatcher', 'multipartPatterns', 'host', 'port', 'scheme', 'clientIp'])
    if (key in given) throw new NoFixtureFor(`a route does not select by ${key}`)
  let path = '/**'
  const [, start = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(toText(url))!
  if (url !== undefined || urlPath !== undefined) {
    path = toText(urlPath ?? start).split('/').map((one) => literalSegment(encodeURI(decodeURI(one)))).join('/') // prettier-ignore
    const query = groupBy(new URLSearchParams(search), ([key]) => key)
    for (const [key, values] of query)
      add('query', key, values.length > 1 ? values.map(([, one]) => one) : values[0]![1])
  } else if (urlPathTemplate !== undefined)
    path = toText(urlPathTemplate).replace(/\{([^}]*)\}/g, (_, one: string) => `:${one.replace(/\W/g, '_')}`)
  else if (urlPattern !== undefined || urlPathPattern !== undefined) {
    const [pattern = '', ...queries] = toText(urlPathPattern ?? urlPattern).split(/\\\?/)
    path = pathOfPattern(pattern, (key, condition) => add('params', key, condition))
    const pairs = queries.join('').split('&')
    for (const pair of pairs.filter((one) => !/^(?:\.[*+])?\$?$/.test(one))) {
      const [, key, value = ''] = /^([\w.-]+)=(.*?)\$?$/.exec(pair) ?? []
      if (key === undefined) throw new NoFixtureFor(`its pattern has the query ${pair}`)
      add('query', key, patternOf(value, true))
    }
  }
  for (const [key, source] of Object.entries(sources))
    for (const [field, matcher] of Object.entries(recordIn(given[key])))
      add(source, source === 'headers' ? field.toLowerCase() : field, matcherCondition(matcher))
  if ('basicAuth' in given || 'basicAuthCredentials' in given)
    add('headers', 'authorization', { $regex: '^Basic ' })
  const texts: WhenCondition[] = []
  for (const pattern of listIn(given['bodyPatterns'])) {
    const conditions = bodyConditions(pattern)
    for (const [key, condition] of Object.entries(conditions ?? {})) add('body', key, condition)
    if (!conditions) texts.push(matcherCondition(pattern))
    if (pattern['ignoreArrayOrder'] === true)
      omissions.add('ignoreArrayOrder', 'the entries of a list have their order', where)
  }
  if (texts.length > 0 && when['body'])
    throw new NoFixtureFor('a route does not select by the text of a body and by its fields')
  const selected: Record<string, unknown> = withoutSecrets(when, where, omissions)
  if (texts.length > 0) {
    omissions.add('a condition on the text of a body', 'it selects no JSON, which is not compared as text', where) // prettier-ignore
    selected['body'] = metAtOnce(texts)
  }
  return {
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(method !== 'GET' && { method: !method || method === 'ANY' ? anyMethod : toText(method) }),
    path: path === '' ? '/' : path,
    ...(Object.keys(selected).length > 0 && { when: selected as Record<string, object> }),
  }
}

/** A segment with more than literal characters is a parameter. */
function pathOfPattern(pattern: string, add: (name: string, condition: WhenCondition) => void): string {
  const whole = pattern.replace(/^\^|\$$/g, '')
  const isBalanced = (text: string) =>
    text.split('(').length === text.split(')').length && !/^[^([]*\]/.test(text)
  const segments = whole.replaceAll('\\/', '/').split(/\/(?![^[]*\])/)
  let number = 0
  const made = segments.map((segment, index) => {
    const literal = segment.replace(/\\([.\-_~!])/g, '$1')
    if (!/[\\^$*+?()[\]{}|]/.test(segment.replace(/\\[.\-_~!]/g, '')) && !/(?<!\\)\./.test(segment))
      return literalSegment(literal)
    if (!isBalanced(segment) || (index === 0 && segment !== '.*'))
      throw new NoFixtureFor(`its pattern ${pattern} has no path`)
    const isAny = /^\(?(?:\.[*+]|\[\^\/\][*+])\)?$/.test(segment)
    if (isAny && segment.includes('.') && index === segments.length - 1) return '**'
    const name = `p${++number}`
    if (!isAny) add(name, patternOf(segment, true))
    return `:${name}`
  })
  const path = made.join('/')
  return path === '**' ? '/**' : path
}
