import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/core/diagnostics/diagnostic.ts'
import { FileBody } from '../../../src/core/response/prepare-response.ts'
import type { FixtureResponse } from '../../../src/core/schema/schema.ts'
import { createModuleLoader } from '../../../src/loader/module/load-module.ts'
import { readFixture, type ReadFixture } from '../../../src/loader/read/read-fixture.ts'
import { Project, type Files } from '../project.ts'

function read(project: Project, path: string, root = project.root): Promise<ReadFixture> {
  return readFixture({ root }, project.path(path), createModuleLoader(root))
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
const formats: [path: string, text: string][] = [
  ['mocks/a.yaml', asYaml],
  ['mocks/a.yml', asYaml],
  ['mocks/a.yaml', text],
  ['mocks/a.yaml', `\uFEFF${asYaml}`],
  ['mocks/a.json', text],
  ['mocks/a.json', `\uFEFF${text}`],
  ['mocks/a.jsonc', `// a comment\n${text.replace(/}\n]$/, '},\n]')}`],
  ['mocks/a.json5', `/* a comment */ ${text.replace(/"(\w+)":/g, '$1:').replaceAll('"', "'")}`],
  ['mocks/a.ts', `type T = object\nexport default ${text} satisfies T[] as T[]\n`],
  ['mocks/a.mts', `const list: unknown[] = ${text}\nexport { list as default }\n`],
  ['mocks/a.ts', `\uFEFFexport default ${text}`],
  ['mocks/a.js', `export default ${text}`],
  ['mocks/a.mjs', `export default ${text}`],
  ['mocks/a.js', `module.exports = ${text}`],
  ['mocks/a.js', `module.exports = () => (${text})`],
  ['mocks/a.js', `Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = ${text}`],
  ['mocks/a.ts', `export default () => (${text})`],
  ['mocks/a.ts', `export default function fixture(): unknown[] { return ${text} }`],
  ['mocks/a.mjs', `export default async () => { await null; return ${text} }`],
  ['mocks/a.ts', `export default () => Promise.resolve(${text})`],
  ['mocks/a.mts', `const list = await Promise.resolve(${text})\nexport default list`],
]

describe('all formats give the same routes', () => {
  it.each(formats)('%s: %s', async (path, content) => {
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
      { method: ['POST'], path: '/b/:id', response: { headers: { 'x-a': 'b' }, delay: 5 } },
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

describe('diagnostics', () => {
  // What each says is in test/loader/mistakes.
  it.each<[expected: string, path: string, text: string]>([
    ['fixture-unknown-key 3:3 /1/respons', 'mocks/a.yaml', '- path: /a\n- path: /b\n  respons: {}\n'],
    ['fixture-unknown-key 2:17 /1/respons', 'a.json', '[{ "path": "/a" },\n{ "path": "/b", "respons": {} }]'],
    ['fixture-unknown-key 2:17 /0/respons', 'a.jsonc', '[ // c\n{ "path": "/b", "respons": {} }, ]'],
    ['fixture-unknown-key 2:1 /0/respons', 'a.json5', "[{ path: '/b',\nrespons: {} } ]"],
    ['fixture-unknown-key 2: /0/respons', 'a.ts', "export default [\n{ path: '/b', respons: 1 }]"],
    ['fixture-unknown-key 1: /0/respons', 'a.mts', "const l = [{ path: '/b', respons: 1 }]\nexport { l as default }"],
    ['fixture-invalid 3:13 /0/response/status', 'a.yaml', '- path: /a\n  response:\n    status: 99\n'],
    ['fixture-missing-key 2:3 /1', 'a.yaml', '- path: /a\n- method: GET\n  response: {}\n'],
    ['fixture-missing-key 2:3 /1', 'a.json', '[ { "path": "/a" },\n  { "method": "GET" } ]'],
    ['fixture-missing-key 1: /1', 'a.js', "export default [{ path: '/a' }, {}]"],
    ['fixture-invalid 1:1 ', 'a.yaml', 'path: /a\n'],
    ['fixture-invalid 2:2 /1', 'a.yaml', '- path: /a\n-\n- path: /b\n'],
    ['fixture-invalid 2:31 /0/response/headers/x~0a', 'a.yaml', '- path: /a\n  response: { headers: { x~a: {} } }\n'],
    // What comes through an alias is wrong where it is written.
    ['fixture-unknown-key 1:18 /0/nam', 'a.yaml', '- &a { path: /a, nam: x }\n- *a\n'],
    ['fixture-syntax 2:13 -', 'a.yaml', '- path: /a\n  response: *r\n'],
    ['fixture-syntax 2:13 -', 'a.json', '[\n  { "path": }\n]'],
    ['fixture-syntax 2:5 -', 'a.jsonc', '[\n  { path: 1 }\n]'],
    ['fixture-syntax 2:10 -', 'a.json5', "[\n  { path '/a' }\n]"],
    ['fixture-syntax 3:10 -', 'a.ts', "export default [\n  { path: '/a' },\n  { path '/b' },\n]"],
    ['fixture-syntax 1:17 -', 'a.js', 'export default ['],
  ])('%s in %s: %j', async (expected, path, content) => {
    const { routes, diagnostics } = await read(new Project({ [path]: content }), path)
    const [{ code, severity, file, line, column = '', pointer = '-', frame }] = diagnostics as [Diagnostic]
    expect(`${code} ${line}:${column} ${pointer}`).toBe(expected)
    expect([severity, file]).toEqual(['error', path])
    expect(routes.flatMap(({ error }) => error?.code ?? [])).toSatisfy((codes: string[]) =>
      codes.every((one) => one === code),
    )
    expect(frame).toContain(`> ${line} | ${content.split('\n')[line! - 1]!}`.trimEnd())
  }) // prettier-ignore

  it('has a code frame with a marker under the column', async () => {
    const content = '# one\n- path: /a\n  nam: x\n\n- path: /b\n'
    const { diagnostics } = await read(new Project({ 'a.yaml': content }), 'a.yaml')
    expect(diagnostics[0]!.frame).toBe(
      ['  1 | # one', '  2 | - path: /a', '> 3 |   nam: x', '    |   ^', '  4 |', '  5 | - path: /b'].join(
        '\n',
      ),
    )
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
    ['a name that is too long', `${'x'.repeat(300)}.txt`, 'body-file-unreadable'],
    ['a link to itself', 'link.txt', 'body-file-unreadable', link('app/mocks/link.txt', 'app/mocks/link.txt')],
    ['a link to nothing', 'link.txt', 'body-file-unreadable', link('app/mocks/gone.txt', 'app/mocks/link.txt')],
    ['outside of the root', '../../secret.txt', 'body-file-outside-root'],
    ['in a folder whose name begins like the root', '../../application/y.txt', 'body-file-outside-root'],
    ['outside of the root by a link', 'link.txt', 'body-file-outside-root', link('secret.txt', 'app/mocks/link.txt')],
    ['outside of the root by a linked folder', 'link/y.txt', 'body-file-outside-root', link('application', 'app/mocks/link')],
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
    expect(diagnostics[0]!.frame).toContain(`> 4 |     file: ${name.slice(0, 40)}`)
  }) // prettier-ignore

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
    ['a.yaml', '{ page: 2, q: -1.5, zip: "01234", version: "1.0", big: 123456789012345678e1 }', []],
    ['a.yaml', '{ zip: 01234 }', [['zip', '01234 without quotes is the number 1234']]],
    ['a.yaml', '{ version: { $in: [1.0, 2.5] } }', [['version/$in/0', '1.0 without quotes is the number 1,']]],
    ['a.yaml', '{ id: { $ne: 9999999999999999 } }', []],
    ['a.yaml', '{ id: 1234567890123456, price: { $gte: 1.0, $lt: 5.50 } }', []],
    ['a.json', '{ "zip": 1234, "price": 1.50 }', [['price', '1.50 without quotes is the number 1.5,']]],
    ['a.jsonc', '{ "id": 12345678901234567 }', []],
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
