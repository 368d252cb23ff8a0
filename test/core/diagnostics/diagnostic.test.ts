import { inspect } from 'node:util'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../../../src/core/diagnostics/file-texts.ts'
import { diagnoseFixture } from '../../../src/core/diagnostics/fixture-texts.ts'
import {
  codeFrame,
  formatDiagnostic,
  formatPlace,
  MockApiError,
} from '../../../src/core/diagnostics/format.ts'
import { describeValue } from '../../../src/core/values/describe-value.ts'

const syntax = { reason: 'oh' }
const fix = 'Correct the syntax.'

describe('diagnose', () => {
  it('puts code, severity, texts and place together', () => {
    expect(
      diagnoseFile('fixture-syntax', { file: 'a.yaml', line: 2, column: 3, pointer: '/0' }, syntax),
    ).toEqual({
      code: 'fixture-syntax',
      severity: 'error',
      message: 'Syntax error: oh.',
      fix,
      file: 'a.yaml',
      line: 2,
      column: 3,
      pointer: '/0',
    })
  })

  it.each([
    ['ittems', ['items', 'item'], 'Did you mean "items"? Known keys: items, item.'],
    ['x', ['items', 'y'], 'Known keys: items, y.'],
    ['abcdef', ['abcdxy'], 'Did you mean "abcdxy"? Known keys: abcdxy.'],
    ['abcdef', ['abcxyz'], 'Known keys: abcxyz.'],
    ['"q"', [], 'Known keys: .'],
  ])('suggests for %s the nearest of %j', (key, known, fix) => {
    const diagnostic = diagnoseFixture('fixture-unknown-key', {}, { key, known })
    expect([diagnostic.message, diagnostic.fix]).toEqual([`Unknown key ${JSON.stringify(key)}.`, fix])
  })
})

it('each code is in one table, and each table in the catalogue', async () => {
  const files = globSync('src/core/diagnostics/*-texts.ts', { absolute: true })
  const modules = await Promise.all(files.map((file) => import(file) as Promise<object>))
  const codes = modules.flatMap((exported) => Object.values(exported).flatMap(Object.keys))
  expect(codes.toSorted()).toEqual(Object.keys(catalogue).toSorted())
})

it.each([
  [{}, ''],
  [{ file: 'a.yaml' }, 'a.yaml'],
  [{ file: 'a.yaml', line: 3 }, 'a.yaml:3'],
  [{ file: 'a.yaml', line: 3, column: 1, pointer: '/0' }, 'a.yaml:3:1'],
])('formatPlace(%j) is "%s"', (place, text) => {
  expect(formatPlace(place)).toBe(text)
})

it.each([
  [{}, `Syntax error: oh.\n  Fix: ${fix} [fixture-syntax]`],
  [{ file: 'a.yaml', line: 1 }, `a.yaml:1 Syntax error: oh.\n  Fix: ${fix} [fixture-syntax]`],
  [
    { file: 'a.yaml', line: 1, column: 2, pointer: '/0/a', frame: '> 1 | x' },
    `a.yaml:1:2 Syntax error: oh.\n> 1 | x\n  Fix: ${fix} [fixture-syntax]`,
  ],
  [
    { file: 'a.ts', line: 1, pointer: '/1/response/headers/a~1b' },
    `a.ts:1 Syntax error: oh. (in route 2: response.headers.a/b)\n  Fix: ${fix} [fixture-syntax]`,
  ],
  [
    { file: 'a.ts', line: 1, pointer: '/routes/0' },
    `a.ts:1 Syntax error: oh. (in route 1)\n  Fix: ${fix} [fixture-syntax]`,
  ],
])('formatDiagnostic at %j', (place, text) => {
  expect(formatDiagnostic(diagnoseFile('fixture-syntax', place, syntax))).toBe(text)
})

it('formatDiagnostic escapes control characters, which could control the terminal', () => {
  const diagnostic = diagnoseFile('fixture-syntax', {}, { reason: 'a\u009b31m\r\u0007é' })
  const text = formatDiagnostic({ ...diagnostic, frame: '> 1 |\ta\u001b[2J' })
  expect(text).toBe(`Syntax error: a\\x9b31m\\x0d\\x07é.\n> 1 |\ta\\x1b[2J\n  Fix: ${fix} [fixture-syntax]`)
})

it('MockApiError carries its diagnostics and shows them', () => {
  const diagnostics = [
    diagnoseFile('fixture-syntax', { file: 'a' }, syntax),
    diagnoseFile('fixture-syntax', {}, syntax),
  ]
  const error = new MockApiError(diagnostics)
  expect([error.name, error.diagnostics]).toEqual(['MockApiError', diagnostics])
  expect(error.message).toBe(diagnostics.map(formatDiagnostic).join('\n'))
})

describe('codeFrame', () => {
  const source = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n')

  it.each<[name: string, source: string, line: number, column: number | undefined, frame: string[]]>([
    ['the middle', source, 9, 3, ['   7 | line 7', '   8 | line 8', '>  9 | line 9', '     |   ^', '  10 | line 10', '  11 | line 11']],
    ['no column', source, 1, undefined, ['> 1 | line 1', '  2 | line 2', '  3 | line 3']],
    ['the start', source, 1, 1, ['> 1 | line 1', '    | ^', '  2 | line 2', '  3 | line 3']],
    ['the end', source, 12, 8, ['  10 | line 10', '  11 | line 11', '> 12 | line 12', '     |        ^']],
    ['one line', 'x', 1, 1, ['> 1 | x', '    | ^']],
    ['an empty file', '', 1, 1, ['> 1 |', '    | ^']],
    ['CRLF and CR', 'a\r\nb\rc', 2, 1, ['  1 | a', '> 2 | b', '    | ^', '  3 | c']],
    ['trailing blanks', 'a \n\n b  ', 2, 1, ['  1 | a', '> 2 |', '    | ^', '  3 |  b']],
    ['a last line break', 'a\nb\n', 2, 1, ['  1 | a', '> 2 | b', '    | ^']],
    ['the line after the last line break', 'a\n', 2, 1, ['  1 | a', '> 2 |', '    | ^']],
    ['a long line', 'x'.repeat(300), 1, 201, [`> 1 | ${'x'.repeat(200)}`]],
    ['a line past the end', 'a', 5, 1, []],
  ])('at %s', (_, source, line, column, frame) => {
    expect(codeFrame(source, line, column)).toBe(frame.join('\n'))
  }) // prettier-ignore
})

it.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [[1], 'a list'],
  [{}, 'an object'],
  [new Map(), 'a Map'],
  [Object.create(null), 'an object'],
  [() => 1, 'a function'],
  ['a"b', 'the string "a\\"b"'],
  ['', 'the string ""'],
  [-0.5, 'the number -0.5'],
  [NaN, 'the number NaN'],
  [true, 'the boolean true'],
  [1n, 'the bigint 1'],
  [Symbol('s'), 'the symbol Symbol(s)'],
  ['x'.repeat(58), `the string "${'x'.repeat(58)}"`],
  ['x'.repeat(59), `the string "${'x'.repeat(56)}…`],
])('describes %o as %s', (value, text) => {
  expect(describeValue(value)).toBe(text)
})

describe('what a host prints of a MockApiError', () => {
  const shownWith = (frames: string[]) => {
    const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
    Error.prepareStackTrace = (error) =>
      [String(error), ...frames.map((frame) => `    at ${frame}`)].join('\n')
    try {
      const error = new MockApiError([diagnoseFile('fixture-syntax', {}, syntax)])
      return { stack: error.stack, inspected: inspect(error) }
    } finally {
      if (before) Object.defineProperty(Error, 'prepareStackTrace', before)
      else delete (Error as Partial<typeof Error>).prepareStackTrace
    }
  }
  const head = `MockApiError: Syntax error: oh.\n  Fix: ${fix} [fixture-syntax]`

  it.each<[name: string, frame: string, isKept: boolean]>([
    ['the package', 'E (file:///app/node_modules/unplugin-mock-api/dist/vite.js:3:5693)', false],
    ['the package on Windows', 'E (C:\\app\\node_modules\\unplugin-mock-api\\dist\\vite.js:3:5693)', false],
    ['the host', 'async resolveConfig (/app/node_modules/vite/dist/node/chunks/node.js:37580:22)', false],
    ['Node', 'ModuleJob.run (node:internal/modules/esm/module_job:325:25)', false],
    ['no file', 'new Promise (<anonymous>)', false],
    ['the copy of a config', 'file:///app/vite.config.ts.timestamp-1795363214533-0a70.mjs:5:13', false],
    ['a config', '/app/rsbuild.config.js:3:58', true],
    ['a server', 'start (file:///app/node_server.js:9:1)', true],
  ])('a frame of %s', (_, frame, isKept) => {
    const expected = isKept ? `${head}\n    at ${frame}` : head
    expect(shownWith([frame])).toEqual({ stack: expected, inspected: expected })
  })
})
