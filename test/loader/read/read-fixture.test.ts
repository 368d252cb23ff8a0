import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/core/diagnostics/diagnostic.ts'
import { FileBody } from '../../../src/core/response/file-body.ts'
import type { FixtureResponse } from '../../../src/core/schema/schema.ts'
import { createModuleLoader } from '../../../src/loader/module/load-module.ts'
import { readFixture, type ReadFixture } from '../../../src/loader/read/read-fixture.ts'
import { Project, type Files } from '../project.ts'

function read(project: Project, path: string, root = project.root): Promise<ReadFixture> {
  return readFixture(root, project.path(path), createModuleLoader(root))
}

const definition = [
  {
    path: '/a',
    name: 'one',
    when: { query: { page: 2 } },
    response: { status: 201, body: { x: ['é', null] } },
  },
  { method: 'post', path: '/b/:id', response: { headers: { 'x-a': 'b' }, delay: 5 } },
]
const text = JSON.stringify(definition, null, 2)
const asYaml = `- path: /a
  name: one
  when: { query: { page: 2 } }
  response: { status: 201, body: { x: [é, ~] } } # a comment
- method: post
  path: /b/:id
  response:
    headers: { x-a: b }
    delay: 5
`
const formats: [name: string, path: string, text: string][] = [
  ['YAML', 'mocks/a.yaml', asYaml],
  ['YAML', 'mocks/a.yml', asYaml],
  ['JSON is YAML', 'mocks/a.yaml', text],
  ['YAML with a byte order mark', 'mocks/a.yaml', `\uFEFF${asYaml}`],
  ['JSON', 'mocks/a.json', text],
  ['JSON with a byte order mark', 'mocks/a.json', `\uFEFF${text}`],
  ['JSON with comments', 'mocks/a.jsonc', `// a comment\n${text.replace(/}\n]$/, '},\n]')}`],
  ['JSON5', 'mocks/a.json5', `/* a comment */ ${text.replace(/"(\w+)":/g, '$1:').replaceAll('"', "'")}`],
  ['a TypeScript module', 'mocks/a.ts', `type T = object\nexport default ${text} satisfies T[] as T[]\n`],
  [
    'a TypeScript module, explicitly ESM',
    'mocks/a.mts',
    `const list: unknown[] = ${text}\nexport { list as default }\n`,
  ],
  ['a TypeScript module with a byte order mark', 'mocks/a.ts', `\uFEFFexport default ${text}`],
  ['a JavaScript module', 'mocks/a.js', `export default ${text}`],
  ['a JavaScript module, explicitly ESM', 'mocks/a.mjs', `export default ${text}`],
  ['a CommonJS module', 'mocks/a.js', `module.exports = ${text}`],
  ['a CommonJS module that exports a function', 'mocks/a.js', `module.exports = () => (${text})`],
  [
    'a transpiled module',
    'mocks/a.js',
    `Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = ${text}`,
  ],
  ['a function', 'mocks/a.ts', `export default () => (${text})`],
  ['a declared function', 'mocks/a.ts', `export default function fixture(): unknown[] { return ${text} }`],
  ['an asynchronous function', 'mocks/a.mjs', `export default async () => { await null; return ${text} }`],
  ['a promise in a function', 'mocks/a.ts', `export default () => Promise.resolve(${text})`],
  [
    'a module that waits at its top',
    'mocks/a.mts',
    `const list = await Promise.resolve(${text})\nexport default list`,
  ],
]

describe('all formats give the same routes', () => {
  it.each(formats)('%s (%s)', async (_, path, content) => {
    const { routes, diagnostics, dependencies } = await read(new Project({ [path]: content }), path)
    expect(diagnostics).toEqual([])
    expect(dependencies).toEqual([])
    expect(routes).toMatchObject([
      {
        name: 'one',
        path: '/a',
        selector: { equalities: [{ field: { source: 'query', path: ['page'] }, value: 2 }], tests: [] },
        response: { status: 201, body: { x: ['é', null] } },
        source: { file: path },
      },
      { method: 'POST', path: '/b/:id', response: { headers: { 'x-a': 'b' }, delay: 5 } },
    ])
    expect(routes).toHaveLength(2)
    expect(routes[1]!.selector).toBeUndefined()
  })

  it.each(['yaml', 'yml', 'json', 'jsonc', 'json5'])(
    'an empty .%s file lists no routes, and a warning says so',
    async (extension) => {
      const path = `mocks/a.${extension}`
      for (const content of ['', '\n  \n']) {
        expect(await read(new Project({ [path]: content }), path)).toMatchObject({
          isFixture: false,
          routes: [],
          diagnostics: [{ code: 'fixture-empty', severity: 'warning', file: path }],
          dependencies: [],
        })
      }
    },
  )
})

type Finding = Pick<Diagnostic, 'code' | 'line' | 'column' | 'pointer'>

describe('diagnostics', () => {
  const badKey = { code: 'fixture-unknown-key', pointer: '/1/respons' } as const
  const badValue = { code: 'fixture-invalid', pointer: '/0/response/status' } as const
  const missing = { code: 'fixture-missing-key', pointer: '/1' } as const
  it.each<[path: string, text: string, expected: Finding, message: RegExp, fix: RegExp]>([
    [
      'mocks/a.yaml',
      '- path: /a\n- path: /b\n  respons: {}\n',
      { ...badKey, line: 3, column: 3 },
      /"respons"/,
      /Did you mean "response"\?.*Known keys: .*paginate/,
    ],
    [
      'a.json',
      '[\n  { "path": "/a" },\n  { "path": "/b", "respons": {} }\n]',
      { ...badKey, line: 3, column: 19 },
      /"respons"/,
      /Did you mean "response"\?/,
    ],
    [
      'a.jsonc',
      '[ { "path": "/a" },\n  // c\n  { "path": "/b", "respons": {} }, ]',
      { ...badKey, line: 3, column: 19 },
      /"respons"/,
      /"response"/,
    ],
    [
      'a.json5',
      "[ { path: '/a' },\n  { path: '/b',\n    respons: {} } ]",
      { ...badKey, line: 3, column: 5 },
      /"respons"/,
      /"response"/,
    ],
    [
      'a.ts',
      "const x = 1\nexport default [\n  { path: '/a' }, { path: '/b', respons: x }]",
      { ...badKey, line: 3 },
      /"respons"/,
      /"response"/,
    ],
    [
      'a.js',
      "\n\nmodule.exports = [{ path: '/a' }, { path: '/b', respons: 1 }]",
      { ...badKey, line: 3 },
      /"respons"/,
      /"response"/,
    ],
    [
      'a.mts',
      "const l = [{ path: '/a' }, { path: '/b', respons: 1 }]\nexport { l as default }",
      { ...badKey, line: 1 },
      /"respons"/,
      /"response"/,
    ],

    [
      'a.yaml',
      '- path: /a\n  response:\n    body: 1\n    status: 99\n',
      { ...badValue, line: 4, column: 13 },
      /"status" must be 200 or more, not the number 99/,
      /Write a status from 200 to 599/,
    ],
    [
      'a.json',
      '[{ "path": "/a",\n "response": { "status": "ok" } }]',
      { ...badValue, line: 2, column: 26 },
      /"status" must be a number, not the string "ok"/,
      /a status/,
    ],
    [
      'a.json5',
      "[{ path: '/a', response: {\nstatus: NaN } }]",
      { ...badValue, line: 2, column: 9 },
      /a number, not/,
      /a status/,
    ],
    [
      'a.ts',
      "export default () => [{ path: '/a', response: { status: 1.5 } }]",
      { ...badValue, line: 1 },
      /a whole number, not the number 1.5/,
      /a status/,
    ],

    [
      'a.yaml',
      '- path: /a\n- method: GET\n  response: {}\n',
      { ...missing, line: 2, column: 3 },
      /"path" is missing/,
      /Add it, as in path/,
    ],
    [
      'a.json',
      '[ { "path": "/a" },\n  { "method": "GET" } ]',
      { ...missing, line: 2, column: 3 },
      /"path" is missing/,
      /Add it, as in path/,
    ],
    [
      'a.json5',
      "[ { path: '/a' },\n {} ]",
      { ...missing, line: 2, column: 2 },
      /"path" is missing/,
      /Add it, as in path/,
    ],
    [
      'a.js',
      "export default [{ path: '/a' }, {}]",
      { ...missing, line: 1 },
      /"path" is missing/,
      /Add it, as in path/,
    ],

    [
      'a.yaml',
      'path: /a\n',
      { code: 'fixture-invalid', pointer: '', line: 1, column: 1 },
      /A fixture file must be a list of routes, not an object/,
      /a list/,
    ],
    [
      'a.yaml',
      '- path: /a\n-\n- path: /b\n',
      { code: 'fixture-invalid', pointer: '/1', line: 2, column: 2 },
      /This entry must be an object, not null/,
      /Write an object/,
    ],
    [
      'a.yaml',
      '- path: a/b\n  response: {}\n',
      { code: 'fixture-invalid', pointer: '/0/path', line: 1, column: 9 },
      /"path" must be a path that begins with "\/", not the string "a\/b"/,
      /Write path: "\/a\/b"/,
    ],
    [
      'a.yaml',
      '- path: /a\n  response:\n    headers: { x~a: {} }\n',
      { code: 'fixture-invalid', pointer: '/0/response/headers/x~0a', line: 3, column: 21 },
      /"x~a" must be .*, not an object/,
      /Write /,
    ],
    [
      'a.yaml',
      '- path: /a/:id\n  when:\n    params: { key: 1 }\n',
      { code: 'selector-unknown-parameter', pointer: '/0/when/params/key', line: 3, column: 15 },
      /"key".*"\/a\/:id"/,
      /":key"/,
    ],
    [
      'a.yaml',
      '- path: /a\n  response: { body: 1 }\n  paginate: { items: [] }\n',
      { code: 'fixture-conflicting-keys', pointer: '/0/paginate', line: 3, column: 3 },
      /one of "body" and "paginate"/,
      /Keep one/,
    ],

    // What comes through an alias is wrong where it is written.
    [
      'a.yaml',
      '- path: /a\n  response: &r\n    status: 99\n',
      { ...badValue, line: 3, column: 13 },
      /"status"/,
      /200/,
    ],
    [
      'a.yaml',
      '- path: /a\n  response: *r\n',
      { code: 'fixture-syntax', line: 2, column: 13 },
      /alias "\*r" has no anchor/,
      /Write "&r"/,
    ],
    [
      'a.yaml',
      '- &a { path: /a, nam: x }\n- *a\n',
      { code: 'fixture-unknown-key', pointer: '/0/nam', line: 1, column: 18 },
      /"nam"/,
      /"name"/,
    ],
    [
      'a.yaml',
      '- path: /a\n  path: /b\n',
      { code: 'fixture-syntax', line: 2, column: 3 },
      /"path" occurs twice/,
      /Remove one/,
    ],

    [
      'a.yaml',
      '- path: [/a\n',
      { code: 'fixture-syntax', line: 2, column: 1 },
      /^Syntax error: /,
      /Add "\]"/,
    ],
    ['a.yml', '- {', { code: 'fixture-syntax', line: 1, column: 4 }, /^Syntax error: /, /Add "}"/],
    [
      'a.json',
      '[\n  { "path": }\n]',
      { code: 'fixture-syntax', line: 2, column: 13 },
      /^Syntax error: /,
      /Write a value behind/,
    ],
    [
      'a.jsonc',
      '[\n  { path: 1 }\n]',
      { code: 'fixture-syntax', line: 2, column: 5 },
      /^Syntax error: /,
      /Write "path"/,
    ],
    [
      'a.json5',
      "[\n  { path '/a' }\n]",
      { code: 'fixture-syntax', line: 2, column: 10 },
      /^Syntax error: /,
      /Write key: value/,
    ],
    [
      'a.ts',
      "export default [\n  { path: '/a' },\n  { path '/b' },\n]",
      { code: 'fixture-syntax', line: 3, column: 10 },
      /^Syntax error: /,
      /Correct/,
    ],
    [
      'a.mts',
      '/* defineFixture */ interface {',
      { code: 'fixture-syntax', line: 1, column: 31 },
      /^Syntax error: /,
      /Correct/,
    ],
    [
      'a.js',
      'export default [',
      { code: 'fixture-syntax', line: 1, column: 17 },
      /^Syntax error: /,
      /Correct/,
    ],
    [
      'a.mjs',
      '\nexport default [{]',
      { code: 'fixture-syntax', line: 2, column: 18 },
      /^Syntax error: /,
      /Correct/,
    ],
  ])('%s: %j', async (path, content, expected, message, fix) => {
    const { routes, diagnostics } = await read(new Project({ [path]: content }), path)
    const broken = routes.filter(({ error }) => error)
    expect(broken.map(({ error }) => error!.code)).toEqual(broken.map(() => expected.code))
    expect(diagnostics[0]).toMatchObject({ ...expected, file: path, severity: 'error' })
    expect(diagnostics[0]!.message).toMatch(message)
    expect(diagnostics[0]!.fix).toMatch(fix)
    expect(diagnostics[0]!.frame).toContain(
      `> ${expected.line} | ${content.split('\n')[expected.line! - 1]!}`.trimEnd(),
    )
  })

  it('has a code frame with a marker under the column', async () => {
    const content = '# one\n- path: /a\n  nam: x\n\n- path: /b\n'
    const { diagnostics } = await read(new Project({ 'a.yaml': content }), 'a.yaml')
    expect(diagnostics[0]!.frame).toBe(
      ['  1 | # one', '  2 | - path: /a', '> 3 |   nam: x', '    |   ^', '  4 |', '  5 | - path: /b'].join(
        '\n',
      ),
    )
  })

  it('reports everything that is wrong with a file, in its order', async () => {
    const content = '- path: /a\n  nam: x\n- response: {}\n- path: /c\n  response: { status: 1 }\n'
    const { diagnostics } = await read(new Project({ 'a.yaml': content }), 'a.yaml')
    expect(diagnostics.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['fixture-unknown-key', 2, 3],
      ['fixture-missing-key', 3, 3],
      ['fixture-invalid', 5, 23],
    ])
  })

  it.each(['a.yaml', 'a.json', 'a.ts'])('a file that can not be read: %s', async (path) => {
    const { routes, diagnostics } = await read(new Project(), path)
    expect(routes).toEqual([])
    expect(diagnostics).toMatchObject([{ code: 'fixture-unreadable', severity: 'error', file: path }])
  })

  it('names a file outside of the root by its whole path', async () => {
    const project = new Project({ 'shared/a.yaml': '- { method: GET }', 'app/x': '' })
    const { diagnostics } = await read(project, 'shared/a.yaml', project.path('app'))
    expect(diagnostics[0]!.file).toBe(project.path('shared/a.yaml').replaceAll('\\', '/'))
    expect(diagnostics[0]!.frame).toContain('> 1 | - { method: GET }')
  })
})

describe('response.file', () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff, 0xfe])
  const utf8 = (content: string) => new TextEncoder().encode(content)
  it.each<[name: string, bytes: Uint8Array, contentType: string]>([
    ['logo.png', png, 'image/png'],
    ['notes.txt', utf8('é\r\n'), 'text/plain; charset=utf-8'],
    ['data.json', utf8('{ "not": "touched" }\n'), 'application/json; charset=utf-8'],
    ['broken.json', utf8('{'), 'application/json; charset=utf-8'],
    ['page.HTML', utf8('<p>'), 'text/html; charset=utf-8'],
    ['logo.svg', utf8('<svg/>'), 'image/svg+xml; charset=utf-8'],
    ['doc.pdf', utf8('%PDF'), 'application/pdf'],
    ['unknown.xyzzy', png, 'application/octet-stream'],
    ['LICENSE', utf8('x'), 'application/octet-stream'],
    ['empty.txt', new Uint8Array(), 'text/plain; charset=utf-8'],
    ['deep/er/a b é.txt', utf8('x'), 'text/plain; charset=utf-8'],
    ['../outside/of/the/folder.txt', utf8('x'), 'text/plain; charset=utf-8'],
  ])('%s', async (name, bytes, contentType) => {
    const project = new Project({
      [`mocks/${name}`]: bytes,
      'mocks/a.yaml': `- path: /a\n  response: { status: 202, file: ${JSON.stringify(name)}, delay: 3 }`,
    })
    const { routes, diagnostics, dependencies } = await read(project, 'mocks/a.yaml')
    expect(diagnostics).toEqual([])
    const { body, ...rest } = routes[0]!.response as FixtureResponse
    expect(body).toBeInstanceOf(FileBody)
    expect(new Uint8Array((body as FileBody).bytes)).toEqual(bytes)
    expect((body as FileBody).contentType).toBe(contentType)
    expect(rest).toEqual({ status: 202, delay: 3 })
    expect(dependencies).toEqual([project.path(`mocks/${name}`)])
  })

  it('from a module, relative to the module', async () => {
    const project = new Project({
      'mocks/deep/a.ts': "export default [{ path: '/a', response: { file: './x.txt' } }]",
      'mocks/deep/x.txt': 'x',
      'x.txt': 'y',
    })
    const { routes, dependencies } = await read(project, 'mocks/deep/a.ts')
    const { body } = routes[0]!.response as FixtureResponse
    expect(new TextDecoder().decode((body as FileBody).bytes)).toBe('x')
    expect(dependencies).toEqual([project.path('mocks/deep/x.txt')])
  })

  const link = (target: string, path: string) => (project: Project) =>
    symlinkSync(project.path(target), project.path(path))
  const files: Files = {
    'app/mocks/x.txt': 'x',
    'secret.txt': 's',
    'application/y.txt': 'y',
    'app/mocks/d/z.txt': 'z',
  }
  it.each<[what: string, name: string, code: string, arrange?: (project: Project) => void]>([
    ['missing', 'gone.txt', 'body-file-unreadable'],
    ['a folder', 'd', 'body-file-unreadable'],
    ['the fixture folder itself', '.', 'body-file-unreadable'],
    [
      'a link to nothing',
      'link.txt',
      'body-file-unreadable',
      link('app/mocks/gone.txt', 'app/mocks/link.txt'),
    ],
    ['outside of the root', '../../secret.txt', 'body-file-outside-root'],
    ['in a folder whose name begins like the root', '../../application/y.txt', 'body-file-outside-root'],
    [
      'outside of the root by a link',
      'link.txt',
      'body-file-outside-root',
      link('secret.txt', 'app/mocks/link.txt'),
    ],
    [
      'outside of the root by a linked folder',
      'link/y.txt',
      'body-file-outside-root',
      link('application', 'app/mocks/link'),
    ],
    ['outside of the root by an absolute path', '/etc/hosts', 'body-file-outside-root'],
  ])('%s: %s is %s', async (_, name, code, arrange) => {
    const project = new Project({
      ...files,
      'app/mocks/a.yaml': `- path: /ok\n- path: /a\n  response:\n    file: ${name}\n`,
    })
    arrange?.(project)
    const { routes, diagnostics } = await read(project, 'app/mocks/a.yaml', project.path('app'))
    expect(routes).toMatchObject([{}, { error: { code } }])
    expect(routes[0]!.error).toBeUndefined()
    expect(diagnostics).toMatchObject([
      { code, severity: 'error', file: 'mocks/a.yaml', line: 4, column: 11, pointer: '/1/response/file' },
    ])
    expect(diagnostics[0]!.message).toContain(JSON.stringify(name))
    expect(diagnostics[0]!.fix).not.toBe('')
    expect(diagnostics[0]!.frame).toContain(`> 4 |     file: ${name}`)
  })

  it.each<[what: string, name: string, arrange?: (project: Project) => void]>([
    ['a link inside of the root', 'link.txt', link('app/mocks/x.txt', 'app/mocks/link.txt')],
    ['a detour', '../../app/mocks/x.txt'],
    ['a name that begins with dots', '..x.txt', (project) => project.write('app/mocks/..x.txt', 'x')],
    [
      'a name that begins with dots, at the root',
      '../..x.txt',
      (project) => project.write('app/..x.txt', 'x'),
    ],
  ])('%s is allowed', async (_, name, arrange) => {
    const project = new Project({ ...files, 'app/mocks/a.yaml': `- path: /a\n  response: { file: ${name} }` })
    arrange?.(project)
    const { routes, diagnostics } = await read(project, 'app/mocks/a.yaml', project.path('app'))
    expect(diagnostics).toEqual([])
    expect(routes).toHaveLength(1)
  })

  it('in a root that is a symbolic link', async () => {
    const project = new Project({ ...files, 'app/mocks/a.yaml': '- path: /a\n  response: { file: x.txt }' })
    symlinkSync(project.path('app'), project.path('link'))
    const { diagnostics } = await read(project, 'link/mocks/a.yaml', project.path('link'))
    expect(diagnostics).toEqual([])
  })

  it('names every body file that is wrong', async () => {
    const content = '- path: /a\n  response: { file: one }\n- path: /b\n  response: { file: two }\n'
    const { diagnostics } = await read(new Project({ 'a.yaml': content }), 'a.yaml')
    expect(diagnostics.map(({ message }) => /"(\w+)"/.exec(message)![1])).toEqual(['one', 'two'])
  })
})

describe('numbers without quotes, where text is selected', () => {
  it.each<[file: string, query: string, warnings: [pointer: string, message: string][]]>([
    ['a.yaml', '{ page: 2, q: -1.5, zip: "01234", version: "1.0", big: 123456789012345678e1 }', [
      ['big', '123456789012345678e1 without quotes is the number 1234567890123456800'],
    ]],
    ['a.yaml', '{ zip: 01234 }', [['zip', '01234 without quotes is the number 1234']]],
    ['a.yaml', '{ version: { $in: [1.0, 2.5] } }', [['version/$in/0', '1.0 without quotes is the number 1,']]],
    ['a.yaml', '{ id: { $ne: 9999999999999999 } }', [['id/$ne', 'is the number 10000000000000000,']]],
    ['a.yaml', '{ id: 1234567890123456, price: { $gte: 1.0, $lt: 5.50 } }', []],
    ['a.json', '{ "zip": 1234, "price": 1.50 }', [['price', '1.50 without quotes is the number 1.5,']]],
    ['a.jsonc', '{ "id": 12345678901234567 }', [['id', 'is the number 12345678901234568,']]],
  ])('%s: %s', async (path, query, warnings) => {
    const route = `{ "path": "/a", "when": { "query": ${query}, "body": { "version": 1.0 } } }`
    const { routes, diagnostics } = await read(new Project({ [path]: `[${route}]` }), path)
    expect(routes).toHaveLength(1)
    expect(diagnostics.map(({ code, severity, pointer }) => ({ code, severity, pointer }))).toEqual(
      warnings.map(([pointer]) => ({
        code: 'selector-unquoted-number',
        severity: 'warning',
        pointer: `/0/when/query/${pointer}`,
      })),
    )
    for (const [index, [, message]] of warnings.entries()) {
      expect(diagnostics[index]!.message).toContain(message)
      expect(diagnostics[index]!.fix).toMatch(/^Quote it .*: '.+'\.$/)
    }
  })
}) // prettier-ignore
