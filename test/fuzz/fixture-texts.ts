/* Texts of fixture files: right ones, ones with something wrong in them, and ones that are hardly any. */
import fc from 'fast-check'
import { parts } from '../sampling.ts'
import { stringify } from 'yaml'
import { naming } from './fixture-corpus.ts'

const extensions = ['yaml', 'json', 'jsonc', 'json5'] as const
type Extension = (typeof extensions)[number]

const loneSurrogate = '\ud800'
const names = ['', ...'__proto__ constructor toString then length hasOwnProperty toJSON 0 a a.b'.split(' ')]
const hostileName = fc.constantFrom(...names, 'é', loneSurrogate, '\0', ' ', '<<', 'x'.repeat(300))
const hostileText = fc.oneof(
  hostileName,
  fc.constantFrom(...`" ' \` \${x} \\ <script> 2 true 1e400 *a &a \u2028`.split(' '), 'line\nbreak', '\r\n'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const scalar = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1,
    2.5,
    -1,
    1e21,
    1e308,
    NaN,
    Infinity,
    -Infinity,
    2 ** 53,
  ),
)
/** `__proto__` as an own key, as parsers make it. */
const objectOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>, maxLength = 3) =>
  fc.array(fc.tuple(key, value), { maxLength }).map((entries) => Object.fromEntries(entries))

const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('anything'), { maxLength: 3 }),
    objectOf(hostileName, tie('anything')),
  ),
}))

const segment = fc.constantFrom(
  ...`a :id :id? :id(\\d+) ** * + ' " \` \${x} \\ % %2F %zz %C3%A9 é ? #`.split(' '),
  ...'__proto__ constructor \u2028 .. a.b %0A %00'.split(' '),
  ...['', ' '],
)
const hostileSegment = fc.constantFrom(...': :: :a:b (a) {b} ( \\\\'.split(' '), '\n', '\0', loneSurrogate)
const segments = fc.array(
  fc.oneof({ weight: 25, arbitrary: segment }, { weight: 1, arbitrary: hostileSegment }),
  { maxLength: 3 },
)
const path = fc.oneof(
  fc.constantFrom('/a', '/a/:id', '/', '/graphql', '/**', '/a/**:rest'),
  segments.map((parts) => `/${parts.join('/')}`),
)

const text = fc.oneof(hostileText, fc.constantFrom<unknown>(0, 1, true))
const pattern = fc.constantFrom('a', '(a+)+$', '^.*$', '', '[^\\]]', '\\d', 'é')
const badPattern = fc.constantFrom('(?=a)', '(', '[', '\\1', '((a{1000}){1000}){1000}', '('.repeat(2000))
const { operators } = fc.letrec<{ operators: unknown }>((tie) => ({
  operators: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        $eq: anything,
        $ne: anything,
        $in: fc.array(scalar, { maxLength: 2 }),
        $nin: fc.array(scalar, { maxLength: 2 }),
        $gt: fc.constantFrom<unknown>('a', 1, ''),
        $lte: fc.constantFrom<unknown>('a', 1, 1e308),
        $exists: fc.boolean(),
        $regex: fc.oneof({ weight: 200, arbitrary: pattern }, { weight: 1, arbitrary: badPattern }),
        $all: fc.array(scalar, { maxLength: 2 }),
        $size: fc.constantFrom(0, 1),
        $mod: fc.constant([2, 0]),
      },
      { requiredKeys: [] },
    ),
    fc.record({ $not: tie('operators') }),
    fc.record({ $elemMatch: fc.record({ a: tie('operators') }) }),
    fc.array(tie('operators'), { minLength: 1, maxLength: 2 }).map(($or) => ({ $or })),
    fc.array(tie('operators'), { minLength: 1, maxLength: 2 }).map(($nor) => ({ $nor })),
  ),
}))
const fields = objectOf(
  hostileName.filter((name) => name !== ''),
  fc.oneof(text, operators),
)
const when = fc.record(
  {
    query: fields,
    headers: fields,
    cookies: fields,
    body: fc.oneof(anything, operators, objectOf(hostileName, operators)),
  },
  { requiredKeys: [] },
)

const fileName = fc.constantFrom(
  ...[
    ...Array<string>(20).fill('body.txt'),
    ...parts('items.json¦items.json¦missing.txt¦.¦..¦/¦/etc/passwd'),
  ],
  ...['../../../../../../etc/passwd', 'loop.txt', 'out.txt', 'pipe', 'a\0b', 'x'.repeat(5000)],
)
const headerValue = fc.constantFrom<unknown>(
  'a',
  '',
  'é',
  '日',
  1,
  true,
  '\t',
  ['a', 'b'],
  '\x7f',
  'a\nb: c',
  '\0',
  loneSurrogate,
)
const response = fc
  .record(
    {
      status: fc.constantFrom(200, 204, 205, 301, 304, 404, 500, 599),
      headers: objectOf(
        fc.constantFrom(
          ...'x-a content-type set-cookie content-length Transfer-Encoding __proto__'.split(' '),
        ),
        headerValue,
        2,
      ),
      delay: fc.constantFrom<unknown>(0, 1, { min: 1, max: 2 }),
      content: fc.oneof(
        anything.map((body) => ({ body })),
        fc.constant({ body: { data: { a: null }, errors: [{ message: 'm', path: ['a'] }] } }),
        fileName.map((file) => ({ file })),
      ),
    },
    { requiredKeys: [] },
  )
  .map(({ content, ...rest }) => ({ ...rest, ...content }))
const paginate = fc.record(
  {
    items: fc.oneof(
      fc.array(anything, { maxLength: 4 }),
      fc.constant({ file: 'items.json' }),
      fileName.map((file) => ({ file })),
    ),
    style: fc.constantFrom('page', 'offset', 'cursor', 'link', 'relay'),
    perPage: fc.constantFrom(1, 2, 1e9),
    maxPerPage: fc.constantFrom(1, 2),
    parameters: objectOf(fc.constantFrom('page', 'limit', 'cursor'), hostileText, 2),
    envelope: objectOf(
      fc.constantFrom('data', 'total', 'constructor', '__proto__'),
      fc.oneof(hostileText, fc.constant(false)),
      2,
    ),
    outOfRange: fc.constantFrom('default', 'empty', 'error'),
    malformed: fc.constantFrom('default', 'error'),
    field: fc.constantFrom('a', 'a.b', '..', '__proto__', loneSurrogate),
  },
  { requiredKeys: ['items'] },
)
const route = fc
  .record(
    {
      path,
      method: fc.constantFrom('GET', 'post', 'M-SEARCH', 'CONNECT', 'HEAD', 'OPTIONS'),
      name: fc.oneof(
        fc.constant('a name'),
        hostileText.filter((name) => name !== ''),
      ),
      when,
      answer: fc.oneof(
        { weight: 3, arbitrary: response.map((response) => ({ response })) },
        { weight: 1, arbitrary: paginate.map((paginate) => ({ paginate })) },
      ),
    },
    { requiredKeys: ['path'] },
  )
  .map(({ answer, ...rest }) => ({ ...rest, ...answer }))
  .chain((route) =>
    route.path.includes(':id')
      ? fc
          .option(fc.oneof(text, operators), { nil: undefined })
          .map((id) => (id === undefined ? route : { ...route, when: { ...route.when, params: { id } } }))
      : fc.constant(route),
  )

/** What is put in the place of some part, wherever it stands. */
interface Spoiled {
  at: number
  value: unknown
  name: string | undefined
}
const spoiled: fc.Arbitrary<Spoiled> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  value: anything,
  name: fc.option(fc.oneof(hostileName, fc.constantFrom('$in', '$where', '$not', 'path', 'when')), {
    nil: undefined,
  }),
})

function spoil(value: unknown, { at, value: other, name }: Spoiled): unknown {
  const places: { parent: Record<string, unknown>; key: string }[] = []
  const whole: Record<string, unknown> = { value: structuredClone(value) }
  const waiting: unknown[] = [whole]
  for (const parent of waiting) {
    for (const [key, inner] of Object.entries(parent as object)) {
      places.push({ parent: parent as Record<string, unknown>, key })
      if (typeof inner === 'object' && inner !== null) waiting.push(inner)
    }
  }
  const { parent, key } = places[Math.floor(at * (places.length - 1))]!
  const put = { value: other, writable: true, enumerable: true, configurable: true }
  Object.defineProperty(parent, Array.isArray(parent) ? key : (name ?? key), put)
  return whole.value
}

/** What a fixture file may hold: strange, but right, or with some part that is wrong. */
const fixtureValue: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.array(route, { minLength: 1, maxLength: 3 }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<Spoiled[]>([]) },
      { weight: 1, arbitrary: fc.array(spoiled, { maxLength: 2 }) },
    ),
  )
  .map(([routes, places]) => places.reduce(spoil, routes as unknown))

const yamlPieces = [
  ...parts('&a ¦*a¦*b¦<<: *a¦<<: [*a, *a]¦!!set ¦!!binary ¦!x ¦!!js/function ¦| ¦>-\n¦? ¦: '),
  ...parts('---\n¦...\n¦%YAML 1.1\n---\n¦%TAG ! x\n---\n¦- ¦#¦.nan¦-.inf¦0o777¦~¦@¦%¦\\x'),
]
const jsonPieces = [...parts('[¦]¦{¦}¦,¦:¦"¦\'¦//¦/*¦*/¦\\u¦\\ud800¦1e999¦-¦+¦.5¦0x¦NaN')]
const textPieces = [
  ...parts('\0¦\t¦\r¦\r\n¦\n¦ ¦\ufeff'),
  loneSurrogate,
  '\u2028',
  '\x1b[31m',
  '__proto__',
  '\u0085',
  'x'.repeat(3000),
]

interface Edit {
  at: number
  take: number
  put: string
}
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  take: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 12 }) }),
  put: fc.constantFrom(...yamlPieces, ...jsonPieces, ...textPieces),
})
const edits = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Edit[]>([]) },
  { weight: 1, arbitrary: fc.array(edit, { maxLength: 5 }) },
)
const dress = fc.constantFrom(
  ...Array<(text: string) => string>(40).fill((text) => text),
  (text: string) => `\ufeff${text}`,
  (text: string) => text.replaceAll('\n', '\r\n'),
  (text: string) => text.replaceAll('\n', '\r'),
  (text: string) => `${text}\0`,
  (text: string) => text + text,
  (text: string) => `${text}\\`,
)

/** How much of a file has been written when it is read. */
const part = fc.oneof(
  { weight: 19, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
)

function apply(text: string, changes: readonly Edit[]): string {
  return changes.reduce((before, { at, take, put }) => {
    const start = Math.floor(at * before.length)
    return before.slice(0, start) + put + before.slice(start + take)
  }, text)
}

function write(value: unknown, extension: Extension, indent: number): string {
  if (extension !== 'yaml' || indent === 0) {
    // NaN and its like have no text in JSON, but in JSON5 and YAML they have.
    return JSON.stringify(
      value,
      (_, inner: unknown) => (typeof inner === 'number' && !Number.isFinite(inner) ? `\0${inner}` : inner),
      indent,
    ).replaceAll(
      /"\\u0000(-?)(NaN|Infinity)"/g,
      extension === 'json5' ? '$1$2' : extension === 'yaml' ? '$1.inf' : '1e999',
    )
  }
  return stringify(value, { aliasDuplicateObjects: indent % 2 === 0 })
}

/** A fixture file of plain data as somebody may save it. */
export const dataText = fc
  .record({
    value: fixtureValue,
    extension: fc.constantFrom(...extensions),
    indent: fc.nat({ max: 3 }),
    edits,
    dress,
    written: part,
  })
  .map(({ value, extension, indent, edits, dress, written }) => {
    const text = dress(apply(write(value, extension, indent), edits))
    return { extension, text: text.slice(0, Math.ceil(text.length * written)) }
  })

/** What is no fixture file by any intention. */
export const rawText = fc.record({
  extension: fc.constantFrom(...extensions),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(fc.constantFrom(...yamlPieces, ...jsonPieces, ...textPieces, 'path', '/a', ' ', '\n', '  '), {
        maxLength: 60,
      })
      .map((pieces) => pieces.join('')),
  ),
})

/** Pieces of modules. None of them can go on without end, or reach out of the module. */
const modulePieces = [
  ...parts("export default ¦export ¦import ¦from ¦'./helper'¦'./list'¦'./missing'¦\"./helper\";"),
  ...parts('import type ¦require(¦)¦default'),
  ...parts('[¦]¦{¦}¦(¦)¦=> ¦...¦, ¦: ¦; ¦\n¦= ¦* as ¦async ¦await ¦const a ¦a¦throw ¦null'),
  ...parts('new Error("x")'),
  ...parts('path: "/a"¦response: ¦when: ¦paginate: { items: ¦() => ¦"x"¦\'¦"¦`¦${¦/¦//¦/*¦*/¦/x/g¦\\'),
  ...parts('<A>¦@¦#¦1n¦Symbol()'),
  ...[
    ...parts('Object.create(null)¦new Map()¦Promise.reject(1).catch(() => [])¦Promise.resolve([])'),
    ...parts('{ get path() { throw 1 } }¦new Proxy([], { get() { throw null } })¦class {}¦\0'),
    loneSurrogate,
    '\ufeff',
    ' '.repeat(50),
  ],
]
const moduleValue = fixtureValue.map((value) => JSON.stringify(value) ?? 'undefined')
const anyModule = fc.oneof(
  fc.array(fc.constantFrom(...modulePieces), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc
    .tuple(
      fc.constantFrom('', "import { helper } from './helper'\n", "import list from './list'\n"),
      moduleValue,
      fc.array(edit, { maxLength: 2 }),
    )
    .map(([imports, value, changes]) => apply(`${imports}export default ${value}\n`, changes)),
  fc
    .array(fc.constantFrom(...modulePieces), { maxLength: 6 })
    .map((pieces) => `export default [${pieces.join('')}]`),
)

/** A module as somebody may save it. Most say that they are fixtures; others are only looked at. */
export const moduleText = fc
  .tuple(anyModule, fc.constantFrom('', naming, naming, naming))
  .map(([text, name]) => text + name)
