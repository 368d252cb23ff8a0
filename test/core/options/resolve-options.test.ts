import { describe, expect, it, vi } from 'vitest'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import {
  checkOptions,
  fetchKinds,
  middlewareKinds,
  type OptionKinds,
} from '../../../src/core/options/check-options.ts'
import { resolveGraphQL, resolveOptions, resolveOrigins } from '../../../src/core/options/resolve-options.ts'
import type {
  LogLevel,
  MiddlewareOptions,
  Options,
  OriginOptions,
} from '../../../src/core/options/options.ts'
import type { OriginPolicy } from '../../../src/core/http/origin.ts'
import { MockApiError } from '../../../src/core/diagnostics/format.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const host = { root: '/project', logger: silent }
const resolve = (options: Options) => ({ ...resolveOptions(options, host), logger: undefined })

const graphql = { ...defaultGraphQL, schema: [], scalars: {}, graphiql: false }
const noRecord = { target: undefined, enabled: false, include: [], exclude: [], folder: undefined, secure: true, headers: {}, compare: false } // prettier-ignore
const defaults = {
  root: '/project',
  fixtures: ['fixtures'],
  fixturesGiven: false,
  base: '',
  enabled: true,
  unmatched: 'error',
  navigation: 'answer',
  navigationGiven: false,
  scenario: [],
  bodyLimit: 1_048_576,
  functionTimeout: 10_000,
  routeHeader: true,
  values: { now: undefined, seed: '0' },
  graphql,
  logger: undefined,
  logLevel: 'info',
  watch: true,
  inspector: { dev: true, preview: false },
  build: undefined,
  overlay: true,
  badge: true,
  outgoing: true,
  record: noRecord,
}

it.each<[options: Options, changed: object]>([
  [{}, {}],
  [{ root: undefined, fixtures: undefined, base: undefined, graphql: undefined, logLevel: undefined, logger: undefined }, {}],
  [{ graphql: {} }, {}],
  [{ graphql: { path: undefined } }, {}],
  [{ root: '/other' }, { root: '/other' }],
  [{ fixtures: 'mocks' }, { fixtures: ['mocks'], fixturesGiven: true }],
  [{ fixtures: 'fixtures' }, { fixturesGiven: true }],
  [{ fixtures: ['a', 'b/*.yaml'] }, { fixtures: ['a', 'b/*.yaml'], fixturesGiven: true }],
  [{ base: '/api' }, { base: '/api' }],
  [{ base: '/api/v1//' }, { base: '/api/v1' }],
  [{ values: { now: '1970-01-01T00:00:01Z', seed: 7 } }, { values: { now: 1000, seed: '7' } }],
  [{ base: '/' }, { base: '' }],
  [{ base: '' }, { base: '' }],
  [{ navigation: 'passthrough' }, { navigation: 'passthrough', navigationGiven: true }],
  [{ scenario: 'payment-down' }, { scenario: ['payment-down'] }],
  [{ scenario: ' a, b,' }, { scenario: ['a', 'b'] }],
  [{ scenario: ['a', 'b'] }, { scenario: ['a', 'b'] }],
  [{ scenario: '' }, {}],
  [{ functionTimeout: 0, routeHeader: false }, { functionTimeout: 0, routeHeader: false }],
  [{ enabled: false, watch: false, bodyLimit: 0, unmatched: 'passthrough' }, { enabled: false, watch: false, bodyLimit: 0, unmatched: 'passthrough' }],
  [{ inspector: true }, {}],
  [{ build: 'service-worker' }, { build: { badge: false, importedBy: undefined } }],
  [{ build: { type: 'service-worker', badge: true, importedBy: './sw.js' } }, { build: { badge: true, importedBy: 'sw.js' } }],
  [{ record: true }, { record: { ...noRecord, enabled: true } }],
  [{ record: { target: 'https://a.example/v1' } }, { record: { ...noRecord, target: 'https://a.example/v1', enabled: true } }],
  [{ record: { enabled: 'off', include: '/api/**', secure: false } }, { record: { ...noRecord, include: ['/api/**'], secure: false } }],
  [{ inspector: {} }, {}],
  [{ inspector: false }, { inspector: { dev: false, preview: false } }],
  [{ inspector: { preview: true } }, { inspector: { dev: true, preview: true } }],
  [{ graphql: { path: '/api/graphql/' } }, { graphql: { ...graphql, paths: ['/api/graphql'] } }],
  [{ graphql: { path: ['/a', '/b/'] } }, { graphql: { ...graphql, paths: ['/a', '/b'] } }],
  [{ graphql: { path: '/' } }, { graphql: { ...graphql, paths: ['/'] } }],
])('%j', (options, changed) => {
  expect(resolve(options)).toEqual({ ...defaults, ...changed })
}) // prettier-ignore

it.each<[enabled: string | boolean | undefined, expected: boolean]>([
  [undefined, true],
  [true, true],
  ['true', true],
  ['1', true],
  ['ON', true],
  ['yes', true],
  [false, false],
  ['false', false],
  ['FALSE', false],
  ['0', false],
  ['off', false],
  ['no', false],
  ['', false],
  [' ', false],
])('enabled: %j, as an environment variable may be, is %s', (enabled, expected) => {
  expect(resolveOptions({ enabled }, host).enabled).toBe(expected)
})

describe('loggers', () => {
  it.each<[level: LogLevel | undefined, written: string[]]>([
    [undefined, ['info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('at level %s write %j', (logLevel, expected) => {
    for (const from of ['option', 'host']) {
      const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
      const options = from === 'option' ? { logger, logLevel } : { logLevel }
      const resolved = resolveOptions(options, from === 'host' ? { root: '/', logger } : host)
      for (const level of ['info', 'warn', 'error'] as const) resolved.logger[level](`a ${level}`)
      const written = Object.entries(logger).flatMap(([level, { mock }]) => mock.calls.map((call) => [level, ...(call as string[])])) // prettier-ignore
      expect(written).toEqual(expected.map((level) => [level, `[mock-api] a ${level}`]))
    }
  })

  it('are called with their `this`', () => {
    class Recorder {
      texts: string[] = []
      info(text: string) {
        this.texts.push(text)
      }
      warn = silent.warn
      error = silent.error
    }
    const logger = new Recorder()
    resolveOptions({ logger }, host).logger.info('x')
    expect(logger.texts).toEqual(['[mock-api] x'])
  })
})

function diagnosticsOf(options: unknown) {
  try {
    checkOptions(options as Options)
  } catch (error) {
    if (error instanceof MockApiError)
      return error.diagnostics.map(({ code, message, fix }) => [code, message, fix])
    throw error
  }
  return []
}

const known = 'Known options: root, fixtures, base, enabled, unmatched, navigation, scenario, bodyLimit, functionTimeout, routeHeader, values, graphql, logLevel, logger, watch, inspector, overlay, badge, outgoing, record, build.' // prettier-ignore

const ofGraphQL =
  'Known options: path, strict, partialSuccess, shape, schema, scalars, graphiql, maxTokens, maxDepth, maxCost.'

it.each([
  [{}, false],
  [{ strict: true }, true],
  [{ strict: true, partialSuccess: false }, false],
  [{ partialSuccess: true }, true],
])('graphql: %j: the status of a partial success: %s', (graphql, isOn) => {
  expect(resolveGraphQL(graphql).partialSuccess).toBe(isOn)
})

describe('an unknown option', () => {
  it.each([
    [{ fixture: 'a' }, 'fixture', `Did you mean "fixtures"? ${known}`],
    [{ Base: '/a' }, 'Base', `Did you mean "base"? ${known}`],
    [{ proxyEverything: true }, 'proxyEverything', known],
    [{ constructor: 1 }, 'constructor', known],
    [{ graphql: { paht: '/g' } }, 'graphql.paht', `Did you mean "path"? ${ofGraphQL}`],
    [{ graphql: { playground: true } }, 'graphql.playground', ofGraphQL],
  ])('%j', (options, option, fix) => {
    expect(diagnosticsOf(options)).toEqual([['option-unknown', `Unknown option "${option}".`, fix]])
  })
})

describe('an option of the wrong kind', () => {
  const folder = 'the path of a folder'
  const globs = 'a folder, a glob, or a list of at least one of them'
  const path = 'a path that begins with "/"'
  const bytes = 'a whole number of bytes, 0 or more'
  const milliseconds = 'a whole number of milliseconds, 0 to 2147483647'
  const bool = 'true or false'
  const switchText = 'true or false, or the text "1", "0", "on", "off", "yes", "no", or ""'
  const inspector = 'true, false or { preview: true }'
  const record = 'true, false, or an object such as { target: "https://staging.example" }'
  const url = 'a URL such as "https://staging.example", without user and query'
  const logger = 'an object with the functions info, warn and error'

  it.each<[options: unknown, key: string, expected: string, received: string]>([
    [{ root: 1 }, 'root', folder, 'the number 1'],
    [{ root: '' }, 'root', folder, 'the string ""'],
    [{ fixtures: 1 }, 'fixtures', globs, 'the number 1'],
    [{ fixtures: [] }, 'fixtures', globs, 'an empty list'],
    [{ fixtures: [''] }, 'fixtures', globs, 'the string ""'],
    [{ fixtures: null }, 'fixtures', globs, 'null'],
    [{ base: 'api' }, 'base', path, 'the string "api"'],
    [{ base: '/a?b' }, 'base', path, 'the string "/a?b"'],
    [{ base: 'http://a/b' }, 'base', path, 'the string "http://a/b"'],
    [{ enabled: 'maybe' }, 'enabled', switchText, 'the string "maybe"'],
    [{ enabled: null }, 'enabled', switchText, 'null'],
    [{ watch: 0 }, 'watch', bool, 'the number 0'],
    [{ record: 'https://a.example' }, 'record', record, 'the string "https://a.example"'],
    [{ record: { target: 'staging.example' } }, 'record.target', url, 'the string "staging.example"'],
    [
      { record: { target: 'http://a:b@c.example/?token=sk_live_1' } },
      'record.target',
      url,
      'the string "http://…@c.example/?token=…"',
    ],
    [{ record: { target: 'https://c.d/a#' } }, 'record.target', url, 'the string "https://c.d/a#"'],
    [{ record: { target: 'https://c.d/?' } }, 'record.target', url, 'the string "https://c.d/?"'],
    [{ record: { target: 'https://a:b@c.d' } }, 'record.target', url, 'the string "https://…@c.d"'],
    [{ inspector: 'no' }, 'inspector', inspector, 'the string "no"'],
    [{ inspector: { preview: 1 } }, 'inspector', inspector, 'an object'],
    [{ inspector: { prod: true } }, 'inspector', inspector, 'an object'],
    [{ unmatched: 'next' }, 'unmatched', '"error" or "passthrough"', 'the string "next"'],
    [{ bodyLimit: -1 }, 'bodyLimit', bytes, 'the number -1'],
    [{ bodyLimit: 1.5 }, 'bodyLimit', bytes, 'the number 1.5'],
    [{ functionTimeout: -1 }, 'functionTimeout', milliseconds, 'the number -1'],
    [{ functionTimeout: 2 ** 31 }, 'functionTimeout', milliseconds, 'the number 2147483648'],
    [{ routeHeader: 'no' }, 'routeHeader', bool, 'the string "no"'],
    [{ bodyLimit: NaN }, 'bodyLimit', bytes, 'the number NaN'],
    [{ bodyLimit: '1mb' }, 'bodyLimit', bytes, 'the string "1mb"'],
    [{ graphql: '/g' }, 'graphql', 'an object', 'the string "/g"'],
    [{ graphql: [] }, 'graphql', 'an object', 'an empty list'],
    [{ graphql: { path: 'g' } }, 'graphql.path', `${path} or a URL, or a list of them`, 'the string "g"'],
    [{ graphql: { path: [] } }, 'graphql.path', `${path} or a URL, or a list of them`, 'an empty list'],
    [
      { graphql: { path: ['/a', 'b'] } },
      'graphql.path',
      `${path} or a URL, or a list of them`,
      'the string "b"',
    ],
    [{ logLevel: 'debug' }, 'logLevel', '"silent", "error", "warn" or "info"', 'the string "debug"'],
    [{ logger: () => {} }, 'logger', logger, 'a function'],
    [{ logger: { ...silent, warn: 1 } }, 'logger', logger, 'an object'],
    [{ logger: null }, 'logger', logger, 'null'],
  ])('%j', (options, key, expected, received) => {
    expect(diagnosticsOf(options)).toEqual([
      [
        'option-invalid',
        `Option "${key}" must be ${expected}, not ${received}.`,
        `Give "${key}" ${expected}, or leave it out to get its default.`,
      ],
    ])
  })

  it.each([[undefined], [null], ['fixtures'], [[]]])('%j in the place of all options', (options) => {
    expect(diagnosticsOf(options).map(([code]) => code)).toEqual(['option-invalid'])
  })
})

describe('the options of createMiddleware and createFetchHandler', () => {
  const codes = (options: unknown, kinds: OptionKinds) => {
    try {
      checkOptions(options as MiddlewareOptions, kinds)
    } catch (error) {
      return (error as MockApiError).diagnostics.map(({ message }) => message)
    }
    return []
  }
  const cors = 'true, false, or a list of origins such as "https://app.example.com"'
  const hosts = 'true, or a list of host names without port'

  it.each<[options: MiddlewareOptions]>([
    [{ cors: true, allowedHosts: true }],
    [{ cors: false, allowedHosts: [] }],
    [{ cors: ['https://a.example:8443', 'null', 'capacitor://app'], allowedHosts: ['.a.example', 'b'] }],
    [{ base: '/api', unmatched: 'passthrough', bodyLimit: 1, graphql: { path: '/g' }, logLevel: 'warn', logger: silent }],
  ])('%j', (options) => {
    expect(codes(options, middlewareKinds)).toEqual([])
    expect(codes(options, fetchKinds)).toEqual([])
  }) // prettier-ignore

  it.each([
    [{ cors: 'https://a.example' }, `Option "cors" must be ${cors}, not the string "https://a.example".`],
    [{ cors: ['https://a.example/'] }, `Option "cors" must be ${cors}, not the string "https://a.example/".`],
    [{ cors: ['a.example'] }, `Option "cors" must be ${cors}, not the string "a.example".`],
    [{ cors: ['*'] }, `Option "cors" must be ${cors}, not the string "*".`],
    [{ allowedHosts: false }, `Option "allowedHosts" must be ${hosts}, not the boolean false.`],
    [{ allowedHosts: ['a:80'] }, `Option "allowedHosts" must be ${hosts}, not the string "a:80".`],
    [{ allowedHosts: ['http://a'] }, `Option "allowedHosts" must be ${hosts}, not the string "http://a".`],
    [{ corse: true }, 'Unknown option "corse".'],
  ])('%j is wrong', (options, message) => {
    expect(codes(options, middlewareKinds)).toEqual([message])
    expect(codes(options, fetchKinds)).toEqual([message])
  })

  it('are not the same: a plugin leaves CORS to its dev server, a fetch handler has no files', () => {
    expect(diagnosticsOf({ cors: true })).toEqual([['option-unknown', 'Unknown option "cors".', known]])
    expect(codes({ fixtures: 'a' }, middlewareKinds)).toEqual([])
    expect(codes({ overlay: true }, middlewareKinds)).toEqual(['Unknown option "overlay".'])
    expect(codes({ fixtures: 'a' }, fetchKinds)).toEqual(['Unknown option "fixtures".'])
  })
})

it('reports all invalid options at once, with a readable message', () => {
  const wrong = { base: 'api', watch: 'no', graphql: { path: 1 } } as unknown as Options
  expect(() => resolveOptions(wrong, host)).toThrow(
    expect.objectContaining({
      name: 'MockApiError',
      message: [
        'Option "base" must be a path that begins with "/", not the string "api".',
        '  Fix: Give "base" a path that begins with "/", or leave it out to get its default. [option-invalid]',
        'Option "graphql.path" must be a path that begins with "/" or a URL, or a list of them, not the number 1.',
        '  Fix: Give "graphql.path" a path that begins with "/" or a URL, or a list of them, or leave it out to get its default. [option-invalid]',
        'Option "watch" must be true or false, not the string "no".',
        '  Fix: Give "watch" true or false, or leave it out to get its default. [option-invalid]',
      ].join('\n'),
    }),
  )
})

it.each<[options: OriginOptions, policy: Partial<OriginPolicy>]>([
  [{}, { origins: new Set(), hosts: [] }],
  [
    { cors: true, allowedHosts: true },
    { origins: 'every', hosts: 'every' },
  ],
  [{ cors: false }, { origins: 'off' }],
  [{ cors: ['HTTPS://App.example:443', 'null'] }, { origins: new Set(['https://app.example', 'null']) }],
  [{ cors: ['https://bücher.example'] }, { origins: new Set(['https://xn--bcher-kva.example']) }],
  [{ allowedHosts: ['Mock-API', '.Bücher.example'] }, { hosts: ['mock-api', '.xn--bcher-kva.example'] }],
])('%j, resolved', (options, policy) => {
  expect(resolveOrigins(options)).toMatchObject(policy)
})
