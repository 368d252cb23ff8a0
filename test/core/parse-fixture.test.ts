import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRoutes } from '../../src/core/compile-routes.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { parseFixture, type KeyPath } from '../../src/core/parse-fixture.ts'
import { file, routesOf } from './send.ts'

/** What went wrong where: `key` or `value` is what the diagnostic points at. */
function problems(value: unknown) {
  const located: [KeyPath, string][] = []
  const { routes, diagnostics } = parseFixture(value, {
    file: 'a.yaml',
    locate(path, target) {
      located.push([path, target])
      return { line: located.length, column: target === 'key' ? 1 : 2 }
    },
  })
  return {
    routes: routes.length,
    diagnostics: diagnostics.map(({ code, message, fix, pointer, column, severity, file }) => {
      expect([severity, file]).toEqual(['error', 'a.yaml'])
      return { code, message, fix, pointer, at: column === 1 ? 'key' : 'value' }
    }),
  }
}

const route = (parts: object) => [{ path: '/a', ...parts }]
const responseKeys = 'Known keys: status, headers, body, file, delay, fault.'
const whenKeys =
  'Known keys: query, params, headers, cookies, body, operationName, operationType, variables, extensions.'
const routeKeys = 'Known keys: name, method, path, when, response, shape, paginate, rateLimit.'

describe('wrong shapes', () => {
  it.each<[value: unknown, pointer: string, message: string, fix?: string]>([
    [{}, '', 'A fixture file must be a list, not an object.', 'Write a list here.'],
    ['x', '', 'A fixture file must be a list, not the string "x".'],
    [0, '', 'A fixture file must be a list, not the number 0.'],
    [['/a'], '/0', 'This entry must be an object, not the string "/a".', 'Write an object here.'],
    [[null], '/0', 'This entry must be an object, not null.'],
    [[false], '/0', 'This entry must be an object, not the boolean false.'],
    [[undefined], '/0', 'This entry must be an object, not nothing.'],
    [[{ path: '/a' }, []], '/1', 'This entry must be an object, not a list.'],
    [[{ path: 7 }], '/0/path', '"path" must be a text, not the number 7.'],
    [[{ path: 'a' }], '/0/path', '"path" must be a path that begins with "/", not the string "a".'],
    [route({ name: '' }), '/0/name', '"name" must be a text, not the string "".'],
    [route({ method: 'GET POST' }), '/0/method', '"method" must be an HTTP method such as GET or POST, not the string "GET POST".'],
    [route({ method: '*' }), '/0/method', '"method" must be an HTTP method such as GET or POST, not the string "*".'],
    [route({ when: 'x' }), '/0/when', '"when" must be an object, not the string "x".'],
    [route({ when: null }), '/0/when', '"when" must be an object, not null.'],
    [route({ when: [] }), '/0/when', '"when" must be an object, not a list.'],
    [route({ when: { query: 1 } }), '/0/when/query', '"query" must be an object, not the number 1.'],
    [route({ when: { query: ['a'] } }), '/0/when/query', '"query" must be an object, not a list.'],
    [route({ when: { query: { a: null } } }), '/0/when/query/a', '"a" must be a text, a number or a boolean, not null.'],
    [route({ when: { operationType: 'read' } }), '/0/when/operationType', '"operationType" must be query, mutation or subscription, not the string "read".'],
    [route({ when: { variables: 7 } }), '/0/when/variables', '"variables" must be an object, not the number 7.'],
    [route({ response: [] }), '/0/response', '"response" must be an object, not a list.'],
    [route({ response: { status: '200' } }), '/0/response/status', '"status" must be a number, not the string "200".'],
    [route({ response: { status: 200.5 } }), '/0/response/status', '"status" must be a whole number, not the number 200.5.'],
    [route({ response: { status: 199 } }), '/0/response/status', '"status" must be 200 or more, not the number 199.'],
    [route({ response: { status: 600 } }), '/0/response/status', '"status" must be 599 or less, not the number 600.'],
    [route({ response: { delay: -1 } }), '/0/response/delay', '"delay" must be 0 or more, not the number -1.'],
    [route({ response: { delay: NaN } }), '/0/response/delay', '"delay" must be a number, not the number NaN.'],
    [route({ response: { delay: 2 ** 31 } }), '/0/response/delay', '"delay" must be 2147483647 or less, not the number 2147483648.'],
    [route({ response: { delay: '1s' } }), '/0/response/delay', '"delay" must be a number, not the string "1s".'],
    [route({ response: { delay: [1, 2] } }), '/0/response/delay', '"delay" must be a number, not a list.'],
    [route({ response: { delay: { min: 2, max: 1 } } }), '/0/response/delay', '"delay" must be a range whose "min" is not above its "max", not an object.'],
    [route({ response: { delay: { min: -1, max: 1 } } }), '/0/response/delay/min', '"min" must be 0 or more, not the number -1.'],
    [route({ response: { delay: { median: 1, sigma: 6 } } }), '/0/response/delay/sigma', '"sigma" must be 5 or less, not the number 6.'],
    [route({ response: { fault: 'rest' } }), '/0/response/fault', '"fault" must be one of ("reset" | "empty" | "truncated" | "malformed" | "stalled" | "silent"), not the string "rest".'],
    [route({ response: { fault: { dribble: '2s' } } }), '/0/response/fault/dribble', '"dribble" must be a number, not the string "2s".'],
    [route({ rateLimit: 5 }), '/0/rateLimit', '"rateLimit" must be an object, not the number 5.'],
    [route({ rateLimit: { requests: 0, per: 1 } }), '/0/rateLimit/requests', '"requests" must be 1 or more, not the number 0.'],
    [route({ response: { file: '' } }), '/0/response/file', '"file" must be a path, not the string "".'],
    [route({ response: { headers: { 'a b': '1' } } }), '/0/response/headers/a b', '"a b" must be a header name (letters, digits and "-"), not the string "a b".'],
    [route({ response: { headers: { a: 'x\r\ny' } } }), '/0/response/headers/a', '"a" must be a header value (no line breaks), not the string "x\\r\\ny".'],
    [route({ response: { headers: { a: {} } } }), '/0/response/headers/a', '"a" must be a text without line breaks, a number, a boolean or a list of texts, not an object.'],
    [route({ paginate: [] }), '/0/paginate', '"paginate" must be an object, not a list.'],
    [route({ paginate: { items: [], perPage: 0 } }), '/0/paginate/perPage', '"perPage" must be 1 or more, not the number 0.'],
  ])('%j: at "%s", %s', (value, pointer, message, fix = `Write ${/must be (.+), not /.exec(message)![1]} here.`) => {
    expect(problems(value)).toEqual({
      routes: 0,
      diagnostics: [{ code: 'fixture-invalid', message, fix, pointer, at: 'value' }],
    })
  }) // prettier-ignore

  it.each<[value: unknown, pointer: string, key: string, fix: string]>([
    [route({ methd: 'GET' }), '/0/methd', 'methd', `Did you mean "method"? ${routeKeys}`],
    [route({ Response: {} }), '/0/Response', 'Response', `Did you mean "response"? ${routeKeys}`],
    [route({ somethingElse: 1 }), '/0/somethingElse', 'somethingElse', routeKeys],
    [route({ when: { querry: {} } }), '/0/when/querry', 'querry', `Did you mean "query"? ${whenKeys}`],
    [route({ when: { 'a/b~c': {} } }), '/0/when/a~1b~0c', 'a/b~c', whenKeys],
    [route({ response: { stauts: 2 } }), '/0/response/stauts', 'stauts', `Did you mean "status"? ${responseKeys}`],
    [route({ response: { when: 2 } }), '/0/response/when', 'when', responseKeys],
    [route({ paginate: { items: [], perpage: 2 } }), '/0/paginate/perpage', 'perpage', 'Did you mean "perPage"? Known keys: items, style, perPage, maxPerPage, parameters, envelope, outOfRange, malformed, field.'],
    [route({ response: { delay: { min: 1, max: 2, medain: 2 } } }), '/0/response/delay/medain', 'medain', 'Did you mean "median"? Known keys: min, max, median, sigma.'],
    [route({ response: { fault: { dribble: 1, dribbel: 2 } } }), '/0/response/fault/dribbel', 'dribbel', 'Did you mean "dribble"? Known keys: dribble.'],
    [route({ rateLimit: { requests: 1, per: 1, burst: 1 } }), '/0/rateLimit/burst', 'burst', 'Known keys: requests, per.'],
    [route({ constructor: 1 }), '/0/constructor', 'constructor', routeKeys],
    [route({ toString: 1 }), '/0/toString', 'toString', routeKeys],
    [JSON.parse('[{"path":"/a","__proto__":1}]'), '/0/__proto__', '__proto__', routeKeys],
    [route({ response: { hasOwnProperty: 1 } }), '/0/response/hasOwnProperty', 'hasOwnProperty', responseKeys],
    [route({ when: { constructor: 1 } }), '/0/when/constructor', 'constructor', whenKeys],
  ])('%j: at "%s", unknown key "%s"', (value, pointer, key, fix) => {
    const message = `Unknown key "${key}".`
    expect(problems(value)).toEqual({
      routes: 0,
      diagnostics: [{ code: 'fixture-unknown-key', message, fix, pointer, at: 'key' }],
    })
  }) // prettier-ignore

  it.each([
    [[{ path: '/a' }, { method: 'GET' }], '/1', 'path'],
    [route({ paginate: {} }), '/0/paginate', 'items'],
    [route({ paginate: { items: {} } }), '/0/paginate/items', 'file'],
  ])('%j: at "%s", the key "%s" is missing', (value, pointer, key) => {
    expect(problems(value)).toEqual({
      routes: 0,
      diagnostics: [
        {
          code: 'fixture-missing-key',
          message: `The key "${key}" is missing.`,
          fix: `Add "${key}".`,
          pointer,
          at: 'value',
        },
      ],
    })
  })

  it.each([
    [{ response: () => ({}), paginate: { items: [] } }, '/0/paginate', 'A route takes one of "response" and "paginate", not two of them.', 'Keep one of "response" and "paginate".'],
    [{ response: { body: null }, paginate: { items: [] } }, '/0/paginate', 'A route takes one of "body" and "paginate", not two of them.', 'Keep one of "body" and "paginate".'],
    [{ response: { file: 'a' }, paginate: { items: [] } }, '/0/paginate', 'A route takes one of "file" and "paginate", not two of them.', 'Keep one of "file" and "paginate".'],
    [{ response: { file: 'a', body: null } }, '/0/response/file', 'A response takes one of "body" and "file", not two of them.', 'Keep one of "body" and "file".'],
  ])('%j: conflicting keys at "%s"', (parts, pointer, message, fix) => {
    expect(problems(route(parts))).toEqual({
      routes: 0,
      diagnostics: [{ code: 'fixture-conflicting-keys', message, fix, pointer, at: 'key' }],
    })
  }) // prettier-ignore

  it('names a path that cannot be matched', () => {
    expect(problems([{ path: '/items?page=2' }])).toEqual({
      routes: 0,
      diagnostics: [
        {
          code: 'path-invalid',
          message: expect.stringMatching(
            /^The path "\/items\?page=2" can't be matched: misplaced `\?`/,
          ) as string,
          fix: 'Begin with "/", name parameters ":name", and write "**" for any number of segments.',
          pointer: '/0/path',
          at: 'value',
        },
      ],
    })
  })

  it('names a parameter that the path does not have', () => {
    const value = [{ path: '/o/:id', when: { params: { key: 1 } } }]
    expect(problems(value)).toEqual({
      routes: 0,
      diagnostics: [
        {
          code: 'selector-unknown-parameter',
          message: 'The selector names the parameter "key", which the path "/o/:id" does not have.',
          fix: 'Add ":key" to the path, or select by "query" or "body" instead.',
          pointer: '/0/when/params/key',
          at: 'key',
        },
      ],
    })
  })

  it.each([[['b']], [{}], [{ b: 1 }], [{ $in: ['b'], b: 1 }]])('names %j in the place of a text', (a) => {
    const { routes, diagnostics } = problems(route({ when: { headers: { a } } }))
    expect(routes).toBe(0)
    expect(diagnostics).toMatchObject([
      { code: 'selector-invalid-text', pointer: '/0/when/headers/a', at: 'key' },
    ])
  })

  it('names an unknown operator', () => {
    expect(problems(route({ when: { body: { a: { $gtt: 1 } } } }))).toEqual({
      routes: 0,
      diagnostics: [
        {
          code: 'selector-unknown-operator',
          message: '"$gtt" is not an operator that selectors know.',
          fix: expect.stringMatching(/^Did you mean "\$gte?"\? Known operators: \$eq, /) as string,
          pointer: '/0/when/body/a/$gtt',
          at: 'key',
        },
      ],
    })
  })

  it('names every place, and gives no route of a file with one error', () => {
    const value = [{ path: '/a' }, { path: 7 }, { path: '/b', response: { status: 1, delay: 'x' } }]
    const { routes, diagnostics } = problems(value)
    expect(routes).toBe(0)
    expect(diagnostics.map(({ pointer }) => pointer)).toEqual([
      '/1/path',
      '/2/response/status',
      '/2/response/delay',
    ])
    expect(problems([{ path: '/a' }, { path: '/b(' }, { path: '/c', when: { body: { $a: 1 } } }])).toMatchObject({
      routes: 0,
      diagnostics: [{ code: 'path-invalid' }, { code: 'selector-unknown-operator' }],
    }) // prettier-ignore
  })

  it('names the first unknown key of each object', () => {
    const value = [
      { path: '/a', one: 1, two: 2, response: { three: 3 } },
      { path: '/b', four: 4 },
    ]
    expect(problems(value).diagnostics.map(({ pointer }) => pointer)).toEqual([
      '/0/response/three',
      '/0/one',
      '/1/four',
    ])
  })
})

describe('routes', () => {
  it.each([null, undefined, []])('of %j are none', (value) => {
    expect(problems(value)).toEqual({ routes: 0, diagnostics: [] })
  })

  it('are read as they are written', () => {
    const respond = () => ({})
    const [plain, full] = routesOf([
      { path: '/%61' },
      { name: 'n', method: 'patch', path: '/b/:id', when: { params: { id: 1 } }, response: respond },
    ])
    expect(plain).toEqual({
      name: undefined,
      method: undefined,
      path: '/a',
      selector: undefined,
      response: {},
      source: { file: 'fixtures/a.ts', line: 1, column: 1, pointer: '/0' },
    })
    expect(full).toEqual({
      name: 'n',
      method: 'PATCH',
      path: '/b/:id',
      selector: {
        equalities: [{ field: { source: 'params', path: ['id'], id: 'params.id' }, value: '1' }],
        tests: [],
      },
      response: respond,
      source: { file: 'fixtures/a.ts', line: 1, column: 1, pointer: '/1' },
    })
  })

  it('have the defaults of a list filled in', () => {
    const [route] = routesOf([{ name: 'l', path: '/l', paginate: { items: [1, 2] } }])
    expect(route!.paging).toEqual({
      style: 'page',
      items: [1, 2],
      perPage: 20,
      maxPerPage: undefined,
      parameters: {},
      envelope: {},
      outOfRange: 'empty',
      malformed: 'error',
      field: ['items'],
    })
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])('keep what is named %s', (name) => {
    const named = JSON.parse(`{${JSON.stringify(name)}:"1"}`) as Record<string, string>
    const when = {
      query: named,
      params: named,
      headers: named,
      cookies: named,
      body: named,
      variables: named,
    }
    const [route] = routesOf([{ path: `/:${name}`, when, response: { headers: named } }])
    const key = name.toLowerCase()
    expect(route!.selector!.equalities.map(({ field }) => field.id)).toEqual(
      [`query.${name}`, `params.${name}`, `headers.${key}`, `cookies.${name}`, `body.${name}`, `variables.${name}`],
    ) // prettier-ignore
    expect(Object.entries((route!.response as { headers: object }).headers)).toEqual([[name, '1']])
  })

  it('changes nothing of what it is given', () => {
    const value = deepFreeze([
      { path: '/a/', method: 'get', when: { query: { a: 1 } }, response: { body: {} } },
      { path: '/l', paginate: { items: [1] } },
    ])
    expect(routesOf(value)).toEqual(routesOf(value))
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

describe('whatever a file holds', () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  const or = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 39, arbitrary }, { weight: 1, arbitrary: json })
  const some = (parts: Record<string, fc.Arbitrary<unknown>>) => fc.record(parts, { requiredKeys: [] })
  const names = fc.dictionary(fc.constantFrom('a', 'X-A', '__proto__', 'constructor', 'id'), or(fc.string()))
  const when = some({ query: or(names), params: or(fc.constant({ id: 1 })), headers: or(names), body: json, variables: or(names), operationName: or(fc.string()) }) // prettier-ignore
  const response = some({ status: or(fc.integer({ min: 200, max: 600 })), headers: or(names), body: json, delay: or(fc.nat()) }) // prettier-ignore
  const paginate = fc.record({ perPage: or(fc.integer({ min: 1, max: 3 })), items: or(fc.array(json)) })
  const nearlyRoute = fc
    .tuple(
      fc.record({ path: or(fc.constantFrom('/a/:id', '/graphql/:id', '/**/:id')) }),
      some({ name: or(fc.string({ minLength: 1 })), method: or(fc.constantFrom('get', 'POST')), when: or(when) }), // prettier-ignore
      fc.oneof(some({ response: or(response) }), some({ paginate: or(paginate) })),
      fc.oneof({ weight: 19, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some({ x: json, response, paginate }) }), // prettier-ignore
    )
    .map((parts) => Object.assign({}, ...parts) as object)

  it('gives routes or diagnostics, and never throws', () => {
    let good = 0
    fc.assert(
      fc.property(fc.oneof(json, fc.array(or(nearlyRoute), { maxLength: 3 })), (value) => {
        const { routes, diagnostics } = parseFixture(value, file)
        const failed = diagnostics.some(({ severity }) => severity === 'error')
        if (failed) expect(routes).toEqual([])
        else if (Array.isArray(value)) expect(routes.length).toBeGreaterThanOrEqual(value.length)
        else expect([value, routes]).toEqual([null, []])
        if (routes.length > 0) good++
        compileRoutes(routes, { graphql: defaultGraphQL })
      }),
      { numRuns: 600 },
    )
    expect(good).toBeGreaterThan(20)
  })
})

describe('what only code can hold', () => {
  it.each<[parts: object, pointer: string, code: string, reason: string]>([
    [{ response: { body: { a: new Map() } } }, '/0/response/body', 'body-not-json', 'body.a is a Map'],
    [{ response: { body: Promise.resolve() } }, '/0/response/body', 'body-not-json', 'body is a promise (an "await" is missing)'],
    [{ paginate: { items: [1, { f() {} }] } }, '/0/paginate/items', 'body-not-json', 'items[1].f is a function'],
    [{ paginate: { items: () => [new Set()] } }, '/0/paginate/items', 'items-failed', 'items[0] is a Set'],
  ])('%o', (parts, pointer, code, reason) => {
    const { routes, diagnostics } = parseFixture(route(parts), { ...file, isCode: true })
    expect([routes, diagnostics.length]).toEqual([[], 1])
    expect(diagnostics[0]).toMatchObject({ code, pointer, message: expect.stringContaining(reason) as string })
  }) // prettier-ignore

  it.each([
    ['bytes', { response: { body: new Uint8Array([1]) } }],
    ['an instance of a class', { response: { body: new (class { a = 1 })() } }],
    ['a date', { response: { body: { a: new Date() } } }],
    ['functions', { when: () => true, response: () => ({}) }],
  ])('%s can be sent', (_, parts) => {
    expect(parseFixture(route(parts), { ...file, isCode: true }).diagnostics).toEqual([])
  }) // prettier-ignore

  it('is a list that a function made, as it was then', () => {
    const items = [{ id: 1 }]
    const { paging } = parseFixture(route({ paginate: { items: () => items } }), { ...file, isCode: true })
      .routes[0]!
    items[0]!.id = 2
    expect(paging!.items).toEqual([{ id: 1 }])
  })
})
