import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from '../../src/reader/read-json.ts'
import { sampling } from '../sampling.ts'
import type { KeyPath } from '../../src/core/values/values.ts'

type Mode = Parameters<typeof readJson>[2]

function valueOf(text: string, mode: Mode): unknown {
  const source = readJson(text, 'a.json', mode)
  if ('diagnostic' in source) throw new Error(source.diagnostic.message)
  return source.value
}

const modes: Mode[] = ['json', 'jsonc', 'json5']

describe('the value', () => {
  it.each(modes)('%s: plain JSON', (mode) => {
    const value = [
      { path: '/a', response: { body: { n: -1.5e3, t: 'é"\\\n\u2028', l: [true, false, null, []], o: {} } } },
    ]
    expect(valueOf(JSON.stringify(value), mode)).toEqual(value)
    expect(valueOf(JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'), mode)).toEqual(value)
  })

  it.each<[mode: Mode, text: string, value: unknown]>([
    ['jsonc', '// a\n[1, /* b */ 2,] // c', [1, 2]],
    ['jsonc', '{ "a": 1, }', { a: 1 }],
    [
      'json5',
      "{ a: 'x', $b_1: +1, c: .5, d: 0x10, e: 5., /* f */ }",
      { a: 'x', $b_1: 1, c: 0.5, d: 16, e: 5 },
    ],
    ['json5', "['a\\\nb']", ['ab']],
    ['json5', '[Infinity, -Infinity, NaN]', [Infinity, -Infinity, NaN]],
  ])('%s: %s', (mode, text, value) => {
    expect(valueOf(text, mode)).toEqual(value)
  })
})

describe('a syntax error', () => {
  it.each<[mode: Mode, text: string, line: number, column: number]>([
    ['json', '[\n  1,\n]', 3, 1],
    ['json', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['json', '// a\n[]', 1, 1],
    ['json', "['a']", 1, 2],
    ['json', '[1', 1, 2],
    ['json', '[\r\n  x\r\n]', 2, 3],
    ['json', '[] []', 1, 4],
    ['json', '[01]', 1, 2],
    ['jsonc', "[\n  'a'\n]", 2, 3],
    ['jsonc', '[,]', 1, 2],
    ['jsonc', '[1 /* never closed', 1, 19],
    ['json5', '[\n  a b\n]', 2, 3],
    ['json5', '[1,,2]', 1, 4],
  ])('%s: %j', (mode, text, line, column) => {
    const source = readJson(text, `mocks/a.${mode}`, mode)
    expect(source).toMatchObject({
      diagnostic: { code: 'fixture-syntax', severity: 'error', file: `mocks/a.${mode}`, line, column },
    })
    if ('diagnostic' in source) {
      expect(source.diagnostic.message).toMatch(/^Syntax error: \S.*[^)]\.$/)
      expect(source.diagnostic.fix).toMatch(/^[A-Z].*\.$/)
    }
  })
})

it.each(modes)('%s: a file that is saved half is an error, wherever it ends', (mode) => {
  const text = String.raw`[{ "path": "/a", "response": { "body": "a \\ \" \u00e9 b" } }]`
  for (let end = 1; end < text.length; end++)
    expect(readJson(text.slice(0, end), 'a.json', mode), text.slice(0, end)).toHaveProperty('diagnostic')
})

/** The paths of a value and of everything in it. */
function pathsIn(value: unknown): KeyPath[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const keys: KeyPath = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return [[], ...keys.flatMap((key) => pathsIn(value[key as never]).map((path) => [key, ...path]))]
}

describe('locate', () => {
  const text = `[
  { "path": "/a", "response": {
    "body": [10, { "x/y": 1, "~": 2 }] } },
  { "path": "/b",
    "name": "/c" }
]`
  it.each<[path: KeyPath, target: 'key' | 'value', line: number, column: number]>([
    [[], 'value', 1, 1],
    [[0], 'value', 2, 3],
    [[0], 'key', 2, 3],
    [[0, 'path'], 'key', 2, 5],
    [[0, 'path'], 'value', 2, 13],
    [[0, 'response', 'body', 1, 'x/y'], 'key', 3, 20],
    [[0, 'response', 'body', 1, '~'], 'value', 3, 35],
    [[0, 'response', 'body', 0], 'value', 3, 14],
    [[0, 'response', 'body', 0, 'deeper'], 'value', 3, 14],
    [[0, 'response', 'missing'], 'value', 2, 31],
    [[7], 'value', 1, 1],
    [[1, 'path'], 'value', 4, 13],
  ])('%j, %s', (path, target, line, column) => {
    for (const mode of modes) {
      const source = readJson(text, 'a.json', mode)
      if ('diagnostic' in source) throw new Error(source.diagnostic.message)
      expect(source.locate(path, target), mode).toEqual({ line, column })
    }
  })

  it('finds the same positions as the parser of JSON with comments, in lists and in `routes`', () => {
    const key = fc.constantFrom('path', 'routes', 'a"b', '[', '\\')
    const { value: part } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(0, -1.5, null, true, 'x', 'routes', '"routes": [', ',\n'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    const list = fc.array(part, { maxLength: 3 })
    const wrapped = fc.record({ a: part, routes: list, b: part })
    fc.assert(
      fc.property(fc.oneof(list, wrapped, part), fc.constantFrom('', ' ', '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const [plain, other] = [readJson(text, 'a.json', 'json'), readJson(text, 'a.jsonc', 'jsonc')]
        if ('diagnostic' in plain || 'diagnostic' in other) throw new Error('a diagnostic')
        for (const path of pathsIn(value))
          for (const target of ['key', 'value'] as const)
            expect(plain.locate(path, target), `${path.join()} ${target}`).toEqual(other.locate(path, target))
      }),
      sampling(50),
    )
  })

  it('finds keys that JSON5 writes without quotes', () => {
    const source = readJson("[{\n  path: '/a' }]", 'a.json5', 'json5')
    if ('diagnostic' in source) throw new Error(source.diagnostic.message)
    expect(source.locate([0, 'path'], 'key')).toEqual({ line: 2, column: 3 })
    expect(source.locate([0, 'path'], 'value')).toEqual({ line: 2, column: 9 })
  })
})

describe('written', () => {
  it.each<[text: string, mode: (typeof modes)[number], written: string | undefined]>([
    ['[1.0]', 'json', '1.0'],
    ['[1.50]', 'json', '1.50'],
    ['[1e3]', 'json', '1e3'],
    ['[-0]', 'json', '-0'],
    ['[9999999999999999]', 'json', '9999999999999999'],
    ['[[1.0], [-1.50]]', 'json', '1.0'],
    ['{ "a": [0.0], "routes": [[1.0]] }', 'json', '1.0'],
    ['["1.0"]', 'json', undefined],
    ['[1.0]', 'jsonc', '1.0'],
    ['[0x10]', 'json5', '0x10'],
    ['[+1]', 'json5', '+1'],
  ])('the first number of %s (%s) is written %s', (text, mode, written) => {
    const source = readJson(text, `a.${mode}`, mode)
    const path = [...(text.startsWith('{') ? ['routes'] : []), 0, ...(text.includes('[[') ? [0] : [])]
    expect('written' in source && source.written?.(path)).toBe(written)
  })

  it('is not offered by plain JSON whose numbers have one spelling only: that file is not parsed twice', () => {
    const text = '[1, 2.5, -3, 10, 123456789012345, 0.05, "tenant-0", "10:00:00.000", "1e3", {"-0": true}]'
    const source = readJson(text, 'a.json', 'json')
    expect('written' in source && source.written).toBe(undefined)
  })
})

describe('a key that occurs twice', () => {
  it.each<[text: string, line: number, column: number]>([
    ['[{ "a": 1, "a": 1 }]', 1, 12],
    ['{\n"a": 1,\n"b": [{ "c": 1,\n  "c" : 2 }] }', 4, 3],
    // Not a key of one letter: Node 24 reads "\\u0061" as "\\" after it has read [{ "a": 1, "\\\\": 2 }].
    ['[{ "total": 1, "\\u0074otal": 2 }]', 1, 16],
    ['[{ "__proto__": 1, "__proto__": 2 }]', 1, 20],
  ])('%j', (text, line, column) => {
    for (const mode of modes) {
      const source = readJson(text, 'a.json', mode)
      expect(source, mode).toMatchObject({ diagnostic: { code: 'fixture-syntax', line, column } })
      if ('diagnostic' in source) expect(source.diagnostic.message).toMatch(/the key ".+" occurs twice/i)
    }
  })

  it.each([
    '[{ "a": 1 }, { "a": 1 }]',
    '{ "a": { "a": "\\"a\\": 1, \\\\" } }',
    '{ "a:": ":", "b": [] }',
    '{"":1}',
    '1',
  ])('is not seen in %s', (text) => {
    for (const mode of modes) expect(readJson(text, 'a.json', mode), mode).not.toHaveProperty('diagnostic')
  })
})
