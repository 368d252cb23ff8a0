import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isThorough } from '../sampling.ts'

// Each command runs once, for all rows, in a process of its own: only that can be ended when it never ends.
const command = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

interface Ran {
  root: string
  /** `null` when it did not end, or ran out of memory. */
  exitCode: number | null
  said: string
}

const roots: string[] = []
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true, force: true })))

async function runIn(files: Record<string, unknown>, args: readonly string[]): Promise<Ran> {
  const root = mkdtempSync(join(tmpdir(), 'without-end-'))
  roots.push(root)
  for (const [name, content] of Object.entries({ 'package.json': {}, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return new Promise((done) => {
    const node = ['--max-old-space-size=512', command, ...args]
    execFile(process.execPath, node, { cwd: root, timeout: 1_200_000 }, (error, stdout, stderr) => {
      const code = error?.code as unknown
      done({ root, exitCode: error ? (typeof code === 'number' ? code : null) : 0, said: stdout + stderr })
    })
  })
}

/** Of what was written. */
const bytesIn = (root: string) =>
  readdirSync(join(root, 'fixtures')).reduce(
    (bytes, name) => bytes + readFileSync(join(root, 'fixtures', name)).length,
    0,
  )

type Schemas = Record<string, object>
const range = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index))
const text = { type: 'string' }
const object = (properties: Schemas, required = Object.keys(properties)) => ({
  type: 'object',
  ...{ properties, required },
})
const list = (items: object, minItems: number) => ({ type: 'array', minItems, items })
const map = (additionalProperties: object, minProperties: number) => ({
  type: 'object',
  ...{ minProperties, additionalProperties },
})

/** Schemas that have the one before them, and the last of them. */
const chain =
  (length: number, leaf: object, step: (before: object) => object) =>
  (name: string): Schemas => ({
    [`${name}0`]: leaf,
    ...Object.fromEntries(
      range(length, (index) => [
        index + 1 === length ? name : `${name}${index + 1}`,
        step({ $ref: `#/components/schemas/${name}${index}` }),
      ]),
    ),
  })
const only =
  (schema: object) =>
  (name: string): Schemas => ({ [name]: schema })

const large = 'a value of its schema has more than 50000 parts: give it an example'
const steps = 'to compare a value with its schema takes too many steps: make the schema simpler'
const written = undefined

/** A file of YAML whose anchors double, or are in many places. */
const anchors = {
  'doubling.yaml': `s0: &s0 { type: string }\n${range(6, (index) => `s${index + 1}: &s${index + 1} { type: object, required: [a, b], properties: { a: *s${index}, b: *s${index} } }\n`).join('')}`,
  'laughs.yaml': `s0: &s0 { type: string }\n${range(30, (index) => `s${index + 1}: &s${index + 1} { type: object, required: [a, b], properties: { a: *s${index}, b: *s${index} } }\n`).join('')}`,
  'wide.yaml': `x: &x { properties: { ${range(1000, (index) => `p${index}: { type: integer }`).join(', ')} } }\ns:\n  properties:\n${range(500, (index) => `    p${index}: *x\n`).join('')}`,
}
const files = {
  ...anchors,
  ...Object.fromEntries(
    range(30, (index) => {
      const before = { $ref: `file${index}.json` }
      return [`file${index + 1}.json`, object({ a: before, b: before })] as const
    }),
  ),
  'file0.json': text,
}

const allKinds: [
  kind: string,
  schemas: (name: string) => Schemas,
  imported: string | undefined,
  generated: string | undefined,
][] = [
  ['objects that double', chain(30, text, (s) => object({ a: s, b: s })), large, large],
  ['objects that double, optional', chain(30, text, (s) => object({ a: s, b: s }, [])), written, written],
  ['objects of 60 keys, 5 times', chain(5, text, (s) => object(Object.fromEntries(range(60, (key) => [`p${key}`, s])), [])), written, written],
  ['objects that double below allOf', chain(30, text, (s) => ({ allOf: [object({ a: s }), object({ b: s })] })), large, large],
  ['objects that double below oneOf', chain(30, text, (s) => object({ a: { oneOf: [s] }, b: { oneOf: [s] } })), large, large],
  ['objects that double below anyOf', chain(30, text, (s) => ({ anyOf: [object({ a: s, b: s })] })), large, large],
  ['allOf that doubles', chain(30, object({ a: text }), (s) => ({ allOf: [s, s] })), steps, steps],
  ['oneOf that doubles', chain(30, object({ a: text }), (s) => ({ oneOf: [s, s] })), steps, steps],
  ['anyOf that doubles', chain(30, { not: {} }, (s) => ({ anyOf: [s, s] })), steps, steps],
  ['lists that double', chain(30, text, (s) => list(s, 2)), large, large],
  ['lists of two kinds that double', chain(30, text, (s) => ({ type: 'array', prefixItems: [s, s] })), large, large],
  ['maps that double', chain(30, text, (s) => map(s, 2)), large, large],
  ['minItems: 1e9', only(list(text, 1e9)), large, large],
  ['minItems: 1e9 of anything', only({ type: 'array', minItems: 1e9, items: true }), large, large],
  ['minItems: 5000, three times', chain(3, text, (s) => list(s, 5000)), large, large],
  ['minItems: 1e9, optional', only(object({ id: { type: 'integer' }, all: list(text, 1e9) }, ['id'])), written, written],
  ['minItems: 5000', only(object({ id: { type: 'integer' }, all: list({ type: 'integer' }, 5000) })), written, written],
  ['minProperties: 1e9', only(map(text, 1e9)), large, large],
  ['minLength: 1e9', only({ ...text, minLength: 1e9 }), large, large],
  ['minLength: 4e8 of a date', only({ ...text, format: 'date-time', minLength: 4e8 }), large, large],
  ['minLength: 1e6 of 1000 keys', only({ ...map(text, 1000), propertyNames: { minLength: 1e6 } }), large, large],
  ['a slow pattern of 60 keys', only(object(Object.fromEntries(range(60, (key) => [String.fromCharCode(97 + (key % 26), 97 + key / 26), { ...text, pattern: '^([a-z]+)+\\d$', minLength: 60 }])))), 'a pattern: it takes too long (^([a-z]+)+\\d$)', written],
  ['an example of 2 MB in a list', only(list({ example: range(200_000, (index) => index) }, 1000)), large, large],
  ['objects of other files that double', only({ $ref: 'file30.json' }), large, large],
  ['anchors of YAML that double', only({ $ref: 'doubling.yaml#/s6' }), written, written],
  ['more anchors of YAML that double', only({ $ref: 'laughs.yaml#/s30' }), 'Excessive alias count', 'Excessive alias count'],
  ['an anchor of YAML in 500 places', only({ $ref: 'wide.yaml#/s' }), written, written],
  ['an object that contains itself', (name) => only(object({ id: text, parent: { $ref: `#/components/schemas/${name}` } }, ['id']))(name), written, written],
  ['lists that contain themselves', (name) => only(object({ id: text, ...Object.fromEntries(range(9, (key) => [`l${key}`, { type: 'array', items: { $ref: `#/components/schemas/${name}` } }])) }))(name), written, written],
] // prettier-ignore

/** Lists and texts without end are in commands/import-openapi.test.ts; the slow run has all. */
const usual = ['objects that double', 'allOf that doubles', 'an object that contains itself']
const kinds = allKinds.filter(([kind]) => isThorough || usual.includes(kind))

const documentOf = (paths: object, schemas: object = {}) => ({
  ...{ openapi: '3.1.0', paths },
  components: { schemas },
})
const json = (media: object) => ({ content: { 'application/json': media } })
const get = (media: object) => ({ get: { tags: ['all'], responses: { 200: json(media) } } })
const nameOf = (kind: number | string) => `K${kind}_`
const refTo = (kind: number | string) => ({ $ref: `#/components/schemas/${nameOf(kind)}` })
const schemas = Object.assign({}, ...kinds.map(([, make], kind) => make(nameOf(kind)))) as Schemas

describe('import openapi', () => {
  let ran: Ran
  beforeAll(async () => {
    const paths = kinds.map((_, kind) => [`/k${kind}`, get({ schema: refTo(kind) })] as const)
    const document = documentOf({ ...Object.fromEntries(paths), '/ok': get({ example: [1] }) }, schemas)
    ran = await runIn({ ...files, 'api.json': document }, ['import', 'openapi', 'api.json'])
  }, 1_210_000)

  it.for(kinds.map(([kind, , imported], index) => ({ kind, imported, index })))(
    'ends: $kind',
    ({ imported, index }) => {
      expect(ran.exitCode).toBe(0)
      const { root, said } = ran
      const routes = parse(readFileSync(join(root, 'fixtures/all.yaml'), 'utf8')) as { path: string }[]
      const isLeftOut = imported === large || imported === steps || imported?.startsWith('Excessive') === true
      expect(routes.some(({ path }) => path === `/k${index}`)).toBe(!isLeftOut)
      if (imported === undefined) return
      const line = said.split('\n').find((one) => one.includes(imported))
      expect(line).toBeDefined()
      // Of many places, three are listed.
      if (isLeftOut && !line!.includes(' more)')) expect(line).toContain(`GET /k${index}`)
    },
  )

  it('writes the rest', () => {
    const routes = parse(readFileSync(join(ran.root, 'fixtures/all.yaml'), 'utf8')) as unknown[]
    expect(routes).toContainEqual({ path: '/ok', response: { body: [1] } })
    expect(bytesIn(ran.root)).toBeLessThan(1_000_000)
  })

  const shared: [what: string, media: object][] = [
    ['a text of 1 MB', { schema: {}, example: { text: 'x'.repeat(1_000_000) } }],
    ['a list of 1 MB', { schema: {}, example: range(150_000, (index) => index) }],
    ['a default of 1 MB', { schema: { default: range(150_000, (index) => index) } }],
    ['a text of 1 MB that is no object', { schema: text, example: 'x'.repeat(1_000_000) }],
  ]
  it.each(isThorough ? shared : [])('ends, and writes the rest: a thousand answers share an example, %s', async (_, media) => {
    const operation = { get: { tags: ['all'], responses: { 200: { $ref: '#/components/responses/Large' } } } }
    const paths = Object.fromEntries(range(1000, (index) => [`/p${index}`, operation]))
    const document = {
      ...{ openapi: '3.1.0', paths: { '/ok': get({ example: [1] }), ...paths } },
      components: { responses: { Large: json(media) } },
    }
    const { root, exitCode, said } = await runIn({ 'api.json': document }, ['import', 'openapi', 'api.json'])
    expect(said).toMatch(/ {2}an operation: the values of the whole document have too many parts.*\(GET \/p.* more\)/)
    expect(exitCode).not.toBeNull() // a file of more than 20 million characters is not read
    expect(bytesIn(root)).toBeLessThan(100_000_000)
    const start = readFileSync(join(root, 'fixtures/all.yaml'), 'utf8').slice(0, 1000)
    expect(start).toContain('- path: /ok\n  response: { body: [1] }\n')
  }, 1_210_000) // prettier-ignore
})

/** A route for each kind, whose items are generated. */
const generated = (index: number | string, generate: object) => ({
  path: `/k${index}`,
  collection: { id: 'x', items: { generate: { count: 3, ...generate } } },
})

describe('generate', () => {
  const sdl = (length: number, keys: number, more = '') =>
    `type Query { a: ID }\n${range(length, (index) => `type A${index} { x: ID! ${range(keys, (key) => `f${key}: ${index === 0 ? 'String!' : `A${index - 1}!`}`).join(' ')} ${more} }`).join('\n')}\n`
  const allTypes: [kind: string, sdl: string, type: string, told: string | undefined][] = [
    ['types that double', sdl(30, 2), 'A29', written],
    ['types of 60 fields, 5 times', sdl(5, 60), 'A4', large],
    ['types of 1000 fields, 3 times', sdl(3, 1000), 'A2', large],
  ]
  const types = isThorough ? allTypes : allTypes.slice(0, 1)
  // Types that double stand for objects that do.
  const ofSchemas = [...kinds.entries()].slice(isThorough ? 0 : 1)
  let ran: Ran
  beforeAll(async () => {
    // Items of a collection are objects with an id.
    const wrapped = kinds.map((_, kind) => [`Wrapped${kind}`, object({ x: text, all: refTo(kind) })])
    const schemaOfMany = { Many: object({ x: { type: 'integer' }, all: list({ type: 'integer' }, 1000) }) }
    const wrappers = Object.fromEntries(wrapped) as Schemas
    const document = documentOf({}, { ...schemas, ...wrappers, ...schemaOfMany })
    const many = generated('many', { schema: '../api.json#/components/schemas/Many', count: 100_000 })
    const routes = [
      ...ofSchemas.map(([kind]) =>
        generated(kind, { schema: `../api.json#/components/schemas/Wrapped${kind}` }),
      ),
      ...types.map(([, , type], index) => generated(`sdl${index}`, { type, schema: `../${index}.graphql` })),
      ...(isThorough ? [many] : []),
      { path: '/ok', response: { body: 1 } },
    ]
    const sources = types.map(([, source], index) => [`${index}.graphql`, source] as const)
    ran = await runIn(
      { ...files, 'api.json': document, ...Object.fromEntries(sources), 'fixtures/a.json': routes },
      ['check', '--format', 'json'],
    )
  }, 1_210_000)

  const diagnosticsOf = (place: string) =>
    (JSON.parse(ran.said) as { findings: { message: string; fix: string }[] }).findings
      .map(({ message, fix }) => `${message} ${fix}`)
      .filter((one) => one.includes(`${place}"`))

  it.for([
    ...ofSchemas.map(([index, [kind, , , told]]) => ({ kind, told, place: `Wrapped${index}` })),
    ...types.map(([kind, , , told], index) => ({ kind, told, place: `../${index}.graphql` })),
  ])('ends: $kind', ({ told, place }) => {
    expect(ran.exitCode).toBe(1)
    expect(diagnosticsOf(place)).toEqual(told === undefined ? [] : [expect.stringContaining(told)])
  })

  it.runIf(isThorough)('says how many items it can make', () => {
    expect(diagnosticsOf('Many').join()).toMatch(/100000 items of Many have too many parts.*Make fewer: generate: \{ count: \d+ \}/)
  }) // prettier-ignore
})

it('check --openapi ends, names the operation, and compares the others', async () => {
  const names = ['allOf that doubles', 'oneOf that doubles', 'anyOf that doubles']
  const slow = names.map((name) => kinds.findIndex(([kind]) => kind === name)).filter((index) => index >= 0)
  const paths = slow.map((kind) => [`/k${kind}`, get({ schema: refTo(kind) })] as const)
  const last = { '/last': get({ schema: { type: 'integer' } }) }
  const routes = [...paths.map(([path]) => path), '/last'].map((path) => ({ path, response: { body: {} } }))
  const { exitCode, said } = await runIn(
    { 'api.json': documentOf({ ...Object.fromEntries(paths), ...last }, schemas), 'fixtures/a.json': routes },
    ['check', '--openapi', 'api.json'],
  )
  expect(exitCode).toBe(1)
  for (const [path] of paths) expect(said).toContain(`GET ${path}: ${steps}`)
  expect(said).toContain('The body is an object, not an integer.')
}, 1_210_000)
