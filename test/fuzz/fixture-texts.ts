/* Texts of fixture files: right ones, ones with something wrong in them, and ones that are hardly any. */
import fc from 'fast-check'
import { stringify } from 'yaml'

export const extensions = ['yaml', 'json', 'jsonc', 'json5'] as const
export type Extension = (typeof extensions)[number]

const loneSurrogate = '\ud800'
const names = [
  '__proto__',
  'constructor',
  'toString',
  'then',
  'length',
  'hasOwnProperty',
  'toJSON',
  '',
  '0',
  'a',
  'a.b',
]
const hostileName = fc.constantFrom(
  ...names,
  'é',
  loneSurrogate,
  '\0',
  ' ',
  '<<',
  '$in',
  '$where',
  '$not',
  'x'.repeat(300),
)
const hostileText = fc.oneof(
  hostileName,
  fc.constantFrom(
    'line\nbreak',
    '\r\n',
    '\u2028',
    '"',
    "'",
    '`',
    '${x}',
    '\\',
    '<script>',
    '2',
    'true',
    '1e400',
    '*a',
    '&a',
  ),
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

/** A value of the right kind mostly, of any kind now and then. */
const mostly = (right: fc.Arbitrary<unknown>, weight = 12) =>
  fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: anything })

const segment = fc.constantFrom(
  ...[
    'a',
    ':id',
    '**',
    '*',
    ':',
    '::',
    ':a:b',
    ':id?',
    ':id(\\d+)',
    '(a)',
    '{b}',
    '+',
    "'",
    '"',
    '`',
    '${x}',
    '\\',
  ],
  ...[
    '\n',
    '\u2028',
    '%',
    '%2F',
    '%zz',
    '%C3%A9',
    'é',
    '?',
    '#',
    ' ',
    '__proto__',
    'constructor',
    loneSurrogate,
    '..',
    '',
  ],
)
const path = fc.oneof(
  fc.constantFrom('/a', '/a/:id', '/', '/graphql', '/**'),
  fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
)

const operator = fc.constantFrom(
  ...['$eq', '$ne', '$in', '$nin', '$gt', '$lte', '$exists', '$regex', '$options', '$all', '$size', '$mod'],
  ...['$elemMatch', '$not', '$and', '$or', '$nor', '$where', '$expr'],
)
const pattern = fc.constantFrom('a', '(a+)+$', '(?=a)', '(', '[', '\\1', '(a{1000}){1000}', '^.*$', '')
const { operators } = fc.letrec<{ operators: unknown }>((tie) => ({
  operators: fc.oneof(
    { maxDepth: 3 },
    objectOf(operator, mostly(fc.oneof(scalar, pattern, fc.array(scalar, { maxLength: 2 })), 3)),
    objectOf(fc.oneof(operator, hostileName), tie('operators')),
    fc.array(tie('operators'), { maxLength: 2 }),
  ),
}))
const condition = fc.oneof(hostileText, operators, anything)
const fields = mostly(objectOf(hostileName, condition))
const when = mostly(
  fc.record(
    {
      query: fields,
      params: fields,
      headers: fields,
      cookies: fields,
      body: fc.oneof(fields, condition),
      operationName: condition,
      operationType: mostly(fc.constantFrom('query', 'mutation')),
      variables: fields,
    },
    { requiredKeys: [] },
  ),
)

const fileName = fc.constantFrom(
  ...['body.txt', 'items.json', 'missing.txt', '.', '..', '/', '/etc/passwd', '../../../../../../etc/passwd'],
  ...['loop.txt', 'out.txt', 'pipe', 'a\0b', 'x'.repeat(5000), ''],
)
const response = mostly(
  fc.record(
    {
      status: mostly(fc.constantFrom(200, 204, 301, 404, 500, 599, 600, 100, 200.5)),
      headers: mostly(
        objectOf(
          fc.oneof(fc.constantFrom('x-a', 'content-type', 'set-cookie', 'content-length'), hostileName),
          fc.oneof(hostileText, fc.array(hostileText, { maxLength: 2 })),
        ),
      ),
      body: fc.oneof(anything, fc.constant({ data: { a: null }, errors: [{ message: 'm', path: ['a'] }] })),
      file: mostly(fileName),
      delay: mostly(fc.constantFrom<unknown>(0, 1, 2 ** 31, -1, { min: 1, max: 2 }, { median: 5 })),
      fault: mostly(fc.constantFrom<unknown>('reset', 'empty', 'stall', { dribble: 5 })),
    },
    { requiredKeys: [] },
  ),
)
const paginate = mostly(
  fc.record(
    {
      items: mostly(
        fc.oneof(
          fc.array(anything, { maxLength: 4 }),
          fileName.map((file) => ({ file })),
        ),
      ),
      style: mostly(fc.constantFrom('page', 'offset', 'cursor', 'link', 'relay')),
      perPage: mostly(fc.constantFrom(1, 2, 0, 1e9)),
      maxPerPage: mostly(fc.constantFrom(1, 2)),
      parameters: mostly(objectOf(fc.constantFrom('page', 'limit', 'cursor', '__proto__'), hostileText)),
      envelope: mostly(
        objectOf(
          fc.constantFrom('data', 'total', 'constructor', '__proto__'),
          fc.oneof(hostileText, fc.constant(false)),
        ),
      ),
      outOfRange: mostly(fc.constantFrom('default', 'empty', 'error')),
      malformed: mostly(fc.constantFrom('default', 'error')),
      field: mostly(fc.oneof(hostileText, fc.constantFrom('a.b', '..'))),
    },
    { requiredKeys: ['items'] },
  ),
)
const route = mostly(
  fc
    .record(
      {
        path: mostly(path, 20),
        method: mostly(fc.constantFrom('GET', 'post', 'M-SEARCH', 'CONNECT', 'G E T', '')),
        name: mostly(hostileText),
        when,
        response,
        paginate,
        more: fc.tuple(hostileName, anything),
      },
      { requiredKeys: ['path'] },
    )
    .map(({ more, ...known }) =>
      more && more[0].length % 5 === 2 ? Object.fromEntries([...Object.entries(known), more]) : known,
    ),
  30,
)

/** What a fixture file may hold. */
export const fixtureValue = mostly(fc.array(route, { maxLength: 4 }), 30)

const yamlPieces = [
  ...[
    '&a ',
    '*a',
    '*b',
    '<<: *a',
    '<<: [*a, *a]',
    '!!set ',
    '!!binary ',
    '!x ',
    '!!js/function ',
    '| ',
    '>-\n',
    '? ',
    ': ',
  ],
  ...[
    '---\n',
    '...\n',
    '%YAML 1.1\n---\n',
    '%TAG ! x\n---\n',
    '- ',
    '#',
    '.nan',
    '-.inf',
    '0o777',
    '~',
    '@',
    '%',
    '\\x',
  ],
]
const jsonPieces = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"',
  "'",
  '//',
  '/*',
  '*/',
  '\\u',
  '\\ud800',
  '1e999',
  '-',
  '+',
  '.5',
  '0x',
  'NaN',
]
const textPieces = [
  '\0',
  '\t',
  '\r',
  '\r\n',
  '\n',
  ' ',
  '\ufeff',
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
  { weight: 2, arbitrary: fc.constant<Edit[]>([]) },
  { weight: 3, arbitrary: fc.array(edit, { maxLength: 5 }) },
)
const dress = fc.constantFrom(
  (text: string) => text,
  (text: string) => `\ufeff${text}`,
  (text: string) => text.replaceAll('\n', '\r\n'),
  (text: string) => text.replaceAll('\n', '\r'),
  (text: string) => `${text}\0`,
  (text: string) => text + text,
  (text: string) => text.slice(0, text.length / 2),
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
  })
  .map(({ value, extension, indent, edits, dress }) => ({
    extension,
    text: dress(apply(write(value, extension, indent), edits)),
  }))

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
  ...[
    'export default ',
    'export ',
    'import ',
    'from ',
    "'./helper'",
    "'./list'",
    "'./missing'",
    '"./helper";',
    'import type ',
    'require(',
    ')',
    'default',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    '=> ',
    '...',
    ', ',
    ': ',
    '; ',
    '\n',
    '= ',
    '* as ',
    'async ',
    'await ',
    'const a ',
    'a',
    'throw ',
    'null',
    'new Error("x")',
  ],
  ...[
    'path: "/a"',
    'response: ',
    'when: ',
    'paginate: { items: ',
    '() => ',
    '"x"',
    "'",
    '"',
    '`',
    '${',
    '/',
    '//',
    '/*',
    '*/',
    '/x/g',
    '\\',
    '<A>',
    '@',
    '#',
    '1n',
    'Symbol()',
  ],
  ...[
    'Object.create(null)',
    'new Map()',
    'Promise.reject(1)',
    'Promise.resolve([])',
    '{ get path() { throw 1 } }',
    'new Proxy([], { get() { throw null } })',
    'class {}',
    '\0',
    loneSurrogate,
    '\ufeff',
    ' '.repeat(50),
  ],
]
const moduleValue = fixtureValue.map((value) => JSON.stringify(value) ?? 'undefined')
export const moduleText = fc.oneof(
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
