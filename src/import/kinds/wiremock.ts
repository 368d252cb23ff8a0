import { basename, dirname } from 'node:path'
import { anyMethod } from '../../core/schema/schema.ts'
import { groupBy } from '../../core/values/collections.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, setOwn } from '../../core/values/values.ts'
import { literalSegment } from '../../writer/endpoint-path.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { scenarioName } from '../../writer/write-routes.ts'
import { ImportedRoutes, type Imported, type ImportContext } from '../imported.ts'
import {
  loadPatterns,
  metAtOnce,
  mockAnswer,
  ownPath,
  patternOf,
  selectorPath,
  withoutSecrets,
  type Condition,
} from '../mock-rules.ts'
import type { Source } from '../source.ts'
import { fixedFor, NoFixtureFor, type ReadHelper, type TemplateValue } from '../template.ts'
import { listIn, recordIn, textOf } from '../values.ts'
import { bodyConditions, conditionOf } from '../wiremock-matchers.ts'

type Mapping = Record<string, unknown>

function mappingsIn(value: unknown): Mapping[] {
  const list = recordIn(value)['mappings'] ?? value
  return listIn(Array.isArray(list) ? list : [list]).filter(
    ({ request, response }) =>
      isRecord(request) && isRecord(response) && keysOfUrl.some((key) => key in request),
  )
}

const keysOfUrl = ['url', 'urlPath', 'urlPattern', 'urlPathPattern', 'urlPathTemplate', 'method']

export function isWireMock({ value }: Source): boolean {
  const { log, mappings } = recordIn(value)
  return (
    log === undefined && (mappingsIn(value).length > 0 || (Array.isArray(mappings) && mappings.length === 0))
  )
}

/** A mapping as a route: its place, its conditions and its answer. */
interface Stub {
  mapping: Mapping
  where: string
  endpoint: { name?: string; method?: string; path: string; when?: Record<string, object> }
  answer: WrittenAnswer
}

export async function importWireMock(sources: readonly Source[], context: ImportContext): Promise<Imported> {
  await loadPatterns()
  const routes = new ImportedRoutes()
  const stubs: Stub[] = []
  for (const source of sources)
    for (const mapping of mappingsIn(source.value)) {
      const request = recordIn(mapping['request'])
      const url = keysOfUrl.map((key) => request[key]).find((one) => one !== undefined)
      const where = `${textOf(request['method'] ?? 'ANY')} ${textOf(url)}`
      try {
        const { path, ...endpoint } = endpointOf(mapping, where, routes)
        const own = ownPath(path, context)
        const answer = answerOf(mapping, path, where, source, routes)
        stubs.push({ mapping, where, endpoint: { ...endpoint, path: own }, answer })
      } catch (error) {
        routes.skip('a mapping', reasonOf(error), where)
      }
    }
  // The newest mapping of the highest priority answers.
  const rank = ({ mapping }: Stub) => Number(mapping['priority'] ?? 5)
  const ranked = stubs.reverse().sort((a, b) => rank(a) - rank(b))
  const isHidden = (stub: Stub) => ranked.some((one) => rank(one) < rank(stub) && answersAll(one, stub))
  for (const { where } of ranked.filter(isHidden))
    routes.skip('a mapping', 'another one with a higher priority answers all of its requests', where)
  const keyOf = ({ endpoint: { method, path, when }, mapping }: Stub) =>
    JSON.stringify([method, path, when, mapping['scenarioName'] ?? ''])
  const shown = ranked.filter((stub) => !isHidden(stub))
  for (const same of groupBy(shown, keyOf).values()) addStates(same, routes)
  return routes
}

function answersAll({ endpoint, mapping }: Stub, { endpoint: other }: Stub): boolean {
  const isFree = endpoint.when === undefined && mapping['scenarioName'] === undefined
  const { method, path } = endpoint
  return isFree && path === other.path && (method === anyMethod || method === other.method)
}

const started = 'Started'

/** States of one route that follow each other are a sequence. Those of several routes are scenarios, which no answer switches. */
function addStates(same: readonly Stub[], routes: ImportedRoutes): void {
  const stateOf = ({ mapping }: Stub) => textOf(mapping['requiredScenarioState']) || started
  const nextOf = ({ mapping }: Stub) => textOf(mapping['newScenarioState'])
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
    add(stub, [stub.answer], stateOf(stub) === started ? {} : { scenario: scenarioName(stateOf(stub)) })
  for (const stub of same)
    if (nextOf(stub) !== '' && nextOf(stub) !== stateOf(stub) && (chain.length < 2 || !chain.includes(stub)))
      routes.omissions.add(
        `the change to the state "${nextOf(stub)}"`,
        'an answer can not switch a scenario: switch it in the inspector, or with x-mock-scenario',
        stub.where,
      )
}

function endpointOf(
  { request, name }: Mapping,
  where: string,
  { omissions }: ImportedRoutes,
): Stub['endpoint'] {
  const given = recordIn(request)
  const { method, url, urlPath, urlPattern, urlPathPattern, urlPathTemplate } = given
  const when: Record<string, Record<string, unknown>> = {}
  const add = (source: string, key: string, condition: unknown) =>
    setOwn((when[source] ??= {}), key, condition)
  for (const key of ['customMatcher', 'multipartPatterns', 'host', 'port', 'scheme', 'clientIp'])
    if (key in given) throw new NoFixtureFor(`a route does not select by ${key}`)
  let path = '/'
  const [, start = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(textOf(url))!
  if (url !== undefined || urlPath !== undefined) {
    path = textOf(urlPath ?? start).split('/').map(decodedSegment).join('/') // prettier-ignore
    const query = groupBy(new URLSearchParams(search), ([key]) => key)
    for (const [key, values] of query)
      add('query', key, values.length > 1 ? values.map(([, one]) => one) : values[0]![1])
  } else if (urlPathTemplate !== undefined)
    path = textOf(urlPathTemplate).replace(/\{([^}]*)\}/g, (_, one: string) => `:${one.replace(/\W/g, '_')}`)
  else if (urlPattern !== undefined || urlPathPattern !== undefined) {
    const [pattern = '', ...queries] = textOf(urlPathPattern ?? urlPattern).split(/\\\?/)
    path = pathOfPattern(pattern, (key, condition) => add('params', key, condition))
    for (const pair of queries
      .join('')
      .split('&')
      .filter((one) => !/^(?:\.[*+])?\$?$/.test(one))) {
      // prettier-ignore
      const [, key, value = ''] = /^([\w.-]+)=(.*?)\$?$/.exec(pair) ?? []
      if (key === undefined) throw new NoFixtureFor(`its pattern has the query ${pair}`)
      add('query', key, patternOf(value, true))
    }
  } else path = '/**'
  const parts = {
    queryParameters: 'query',
    headers: 'headers',
    cookies: 'cookies',
    pathParameters: 'params',
    formParameters: 'body',
  }
  for (const [key, source] of Object.entries(parts))
    for (const [field, matcher] of Object.entries(recordIn(given[key])))
      add(source, source === 'headers' ? field.toLowerCase() : field, conditionOf(matcher))
  if ('basicAuth' in given || 'basicAuthCredentials' in given)
    add('headers', 'authorization', { $regex: '^Basic ' })
  const texts: Condition[] = []
  for (const pattern of listIn(given['bodyPatterns'])) {
    const conditions = bodyConditions(pattern)
    for (const [key, condition] of Object.entries(conditions ?? {})) add('body', key, condition)
    if (!conditions) texts.push(conditionOf(pattern))
    if (pattern['ignoreArrayOrder'] === true)
      omissions.add('ignoreArrayOrder', 'the entries of a list have their order', where)
  }
  const body: unknown = texts.length > 0 ? metAtOnce(texts) : undefined
  if (body !== undefined) {
    if (when['body'])
      throw new NoFixtureFor('a route does not select by the text of a body and by its fields')
    omissions.add(
      'a condition on the text of a body',
      'it selects no JSON, which is not compared as text',
      where,
    )
  }
  const selected = withoutSecrets(when, where, omissions)
  return {
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(method !== 'GET' && { method: !method || method === 'ANY' ? anyMethod : textOf(method) }),
    path: path === '' ? '/' : path,
    ...((Object.keys(selected).length > 0 || body !== undefined) && {
      when: { ...selected, ...(body !== undefined && { body: body as object }) },
    }),
  }
}

function decodedSegment(segment: string): string {
  return literalSegment(encodeURI(decodeURI(segment)))
}

/** A segment with more than literal characters is a parameter. */
function pathOfPattern(pattern: string, add: (name: string, condition: Condition) => void): string {
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

const faults: Record<string, string> = {
  EMPTY_RESPONSE: 'empty',
  CONNECTION_RESET_BY_PEER: 'reset',
  MALFORMED_RESPONSE_CHUNK: 'malformed',
  RANDOM_DATA_THEN_CLOSE: 'malformed',
}

function answerOf(
  mapping: Mapping,
  path: string,
  where: string,
  source: Source,
  { omissions }: ImportedRoutes,
) {
  const response = recordIn(mapping['response'])
  const { status = 200, fixedDelayMilliseconds, chunkedDribbleDelay, fault, proxyBaseUrl } = response
  for (const key of ['postServeActions', 'serveEventListeners'])
    if (Array.isArray(mapping[key]) && mapping[key].length > 0)
      omissions.add(`"${key}"`, 'a route sends no requests', where)
  const headers = Object.entries(recordIn(response['headers'])).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, textOf(one)] as const),
  )
  const body = bodyOf(response, source)
  const read = helperFor(mapping, path)
  const written = mockAnswer({ status: Number(status), headers, body, read, where, path }, omissions)
  const { type, median, sigma, lower, upper, milliseconds } = recordIn(response['delayDistribution'])
  const delay =
    type === 'lognormal'
      ? { median, sigma }
      : type === 'uniform'
        ? { min: lower, max: upper }
        : (milliseconds ?? fixedDelayMilliseconds)
  const dribble = recordIn(chunkedDribbleDelay)['totalDuration']
  Object.assign(written.answer, {
    ...(delay !== undefined && delay !== null && delay !== 0 && { delay }),
    ...(dribble !== undefined && { fault: { dribble } }),
    ...(typeof fault === 'string' && { fault: faults[fault] ?? 'reset' }),
  })
  if (proxyBaseUrl === undefined) return written
  omissions.add(`the proxy to ${textOf(proxyBaseUrl)}`, 'name it with the option record.target', where)
  return { ...written, answer: { from: 'backend' } as WrittenAnswer['answer'] }
}

function bodyOf(response: Record<string, unknown>, source: Source): string | Uint8Array {
  const { body, jsonBody, base64Body, bodyFileName } = response
  if (jsonBody !== undefined) return JSON.stringify(jsonBody)
  if (typeof base64Body === 'string') return Buffer.from(base64Body, 'base64')
  if (bodyFileName === undefined) return textOf(body)
  const name = textOf(bodyFileName)
  if (name.includes('{{')) throw new NoFixtureFor(`its body is in ${name}, which depends on the request`)
  // Mappings may be in folders below `mappings`, which stands beside the files.
  const folders = dirname(source.path ?? '').split(/[\\/]/)
  const depth = folders.length - folders.lastIndexOf('mappings')
  const bytes = source.readNear(name, `${'../'.repeat(folders.includes('mappings') ? depth : 0)}__files`)
  return /\.(?:json|txt|xml|html|csv)$/i.test(basename(name)) ? new TextDecoder().decode(bytes) : bytes
}

/** Templates are read where the mapping says so, or where they name the request. */
function helperFor(mapping: Mapping, path: string): ReadHelper | undefined {
  const { transformers } = recordIn(mapping['response'])
  const isMeant =
    (Array.isArray(transformers) && transformers.includes('response-template')) ||
    /\{\{[^}]*(?:request\.|jsonPath|random|now\b)/.test(JSON.stringify(mapping['response']))
  if (!isMeant) return undefined
  const segments = path.split('/').slice(1)
  return (name, args) => {
    const [first = '', second = ''] = args
    const options = new Map(args.map((one) => one.split('=', 2) as [string, string]))
    if (name === 'now' && args.length === 0) return { made: '$now' }
    if (name === 'randomValue')
      return options.get('type') === 'UUID' ? { made: '$uuid' } : { fixed: 'a1b2c3d4' }
    if (name === 'randomInt' || name === 'randomDecimal') return { fixed: Number(options.get('lower') ?? 1) }
    if (name === 'random') return fixedFor(first) // of an extension
    if (name === 'pickRandom') return { fixed: first }
    if (name === 'jsonPath') {
      const field = selectorPath(second)
      return first === 'request.body' && field !== undefined ? { from: `body.${field}` } : undefined
    }
    return args.length === 0 ? requestValue(name.replace('.requestLine.', '.'), segments) : undefined
  }
}

function requestValue(name: string, segments: readonly string[]): TemplateValue | undefined {
  const [, part, rest = ''] = /^request\.(\w+)\.?(.*)$/.exec(name) ?? []
  const key = rest.replace(/^\[([^\]]*)\]$/, '$1').replace(/\.\[?0\]?$/, '')
  if (part === 'query' && key !== '') return { from: `query.${key}` }
  if (part === 'headers' && key !== '') return { from: `headers.${key.toLowerCase()}` }
  if (part === 'cookies' && key !== '') return { from: `cookies.${key}` }
  if (part === 'body' && key === '') return { from: 'body' }
  if (part === 'id') return { made: '$uuid' }
  if ((part !== 'path' && part !== 'pathSegments') || key === '') return undefined
  const segment = /^\d+$/.test(key) ? segments[Number(key)] : segments.find((one) => one === `:${key}`)
  return segment?.startsWith(':') ? { from: `params.${segment.slice(1)}` } : segment && { fixed: segment }
}
