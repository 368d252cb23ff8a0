import { describe, expect, it } from 'vitest'
import { expectCpuTimeOf } from '../cpu-time.ts'
import { readYaml } from '../../src/reader/read-yaml.ts'
import type { KeyPath } from '../../src/core/values/values.ts'

async function valueOf(text: string): Promise<unknown> {
  const source = await readYaml(text, 'a.yaml')
  if ('diagnostic' in source) throw new Error(source.diagnostic.message)
  return source.value
}

// Another library agrees on the values of usual files, in test/fuzz/yaml-parsers.test.ts; hostile ones are in its corpus.
describe('the value', () => {
  it.each<[name: string, text: string, value: unknown]>([
    ['an empty file', '', null],
    ['comments alone', '# nothing yet\n', null],
    ['YAML 1.2: yes, no and on are text', '[yes, no, on, off, y]', ['yes', 'no', 'on', 'off', 'y']],
    ['YAML 1.2: numbers', '[010, 0o10, 0x10, 1e3, 1_000]', [10, 8, 16, 1000, '1_000']],
    ['dates are text', '[2001-12-14]', ['2001-12-14']],
    ['a merge that stands last', '- &a { x: 1, y: 2 }\n- { y: 3, <<: *a }', [{ x: 1, y: 2 }, { y: 3, x: 1 }]],
    [
      'a merge of a merge',
      '- &a { x: 1 }\n- &b { <<: *a, y: 2 }\n- { <<: *b, y: 3 }',
      [{ x: 1 }, { x: 1, y: 2 }, { x: 1, y: 3 }],
    ],
    [
      'in a merged object too, its own keys take precedence over those merged into it',
      '- <<:\n    <<: { x: 1, y: 2 }\n    y: 3\n  z: 4',
      [{ x: 1, y: 3, z: 4 }],
    ],
    ['a merge that is quoted is a key', '- { "<<": 1 }', [{ '<<': 1 }]],
    ['an anchor that is set twice', '- &a 1\n- *a\n- &a 2\n- *a', [1, 1, 2, 2]],
    ['keys that are not strings', '{ 1: a, true: b, 1.5: c, ~: d }', { 1: 'a', true: 'b', 1.5: 'c', '': 'd' }],
    ['keys without values', '{ a, b: }', { a: null, b: null }],
    ['CRLF', '- path: /a\r\n  name: x\r\n', [{ path: '/a', name: 'x' }]],
    ['a document marker and a directive', '%YAML 1.2\n---\n- 1\n...\n', [1]],
  ])('%s', async (_, text, value) => {
    expect(await valueOf(text)).toEqual(value)
  }) // prettier-ignore
})

describe('a syntax error', () => {
  it.each<[name: string, text: string, line: number, column: number, reason: RegExp]>([
    ['a bracket that is never closed', '- path: /a\n- [1, 2\n', 3, 1, /"\[" is not closed/],
    ['a brace that is never closed', '- { path: /a\n', 2, 1, /"{" is not closed/],
    ['a quote that is never closed', '- path: "/a\n', 2, 1, /a quote is not closed/],
    ['a tab as indentation', '- path: /a\n  response:\n\tbody: 1\n', 3, 1, /indented with a tab/],
    ['a tab after a plain value', '- path: /a\n\tresponse:\n\t\tbody: 1\n', 2, 2, /indented with a tab/],
    ['a value in the wrong place', '- path: /a: b\n', 1, 9, /the indentation does not fit/],
    ['indentation that fits nothing', '- path: /a\n   response: {}\n', 1, 9, /the indentation does not fit/],
    ['a key twice', '- path: /a\n  name: x\n  path: /b\n', 3, 3, /"path" occurs twice/],
    ['an anchor that does not exist', '- path: /a\n- response: *nowhere\n', 2, 13, /nowhere/],
    ['an anchor that comes after its alias', '- *late\n- &late { path: /a }\n', 1, 3, /late/],
    ['a merge of what is no object', '- path: /a\n- { <<: 3 }\n', 2, 5, /takes an object/],
    ['a reserved character', '- path: @a\n', 1, 9, /reserved|@/],
    ['CRLF before it', '- path: /a\r\n\r\n- { path: /b\r\n', 4, 1, /"{" is not closed/],
  ])('%s', async (_, text, line, column, reason) => {
    const source = await readYaml(text, 'mocks/a.yaml')
    expect(source).toMatchObject({
      diagnostic: { code: 'fixture-syntax', severity: 'error', file: 'mocks/a.yaml', line, column },
    })
    if ('diagnostic' in source) {
      expect(source.diagnostic.message).toMatch(reason)
      expect(source.diagnostic.fix).toMatch(/^[A-Z].*\.$/)
    }
  })
})

it('20 000 aliases in an anchor take a time that grows with their number', async () => {
  const text = `a: &a { x: 1 }\nb: &b [${Array(20_000).fill('*a').join()}]\nc: *b`
  await expectCpuTimeOf(6000, async () => expect(await readYaml(text, 'a.yaml')).toHaveProperty('value'))
})

it('a syntax error after 2 million characters is not explained, but found', async () => {
  expect(await readYaml(`- ${'x'.repeat(2_000_000)}\n- [1, 2\n`, 'a.yaml')).toMatchObject({
    diagnostic: { code: 'fixture-syntax', message: expect.stringMatching(/deficient indentation/) as string },
  })
})

describe('locate', () => {
  const text = `# comment
- path: /a
  when:
    query: { page: 2, 'quoted key': x }
  response:
    headers:
      x-a: 1
    body: |
      text
- &base
  path: /b
  response: &r { status: 200 }
- <<: *base
  name: merged
- path: /c
  response: *r
- 404: number
  true: boolean
`
  it.each<[path: KeyPath, target: 'key' | 'value', line: number, column: number]>([
    [[], 'value', 2, 1],
    [[0], 'value', 2, 3],
    [[0, 'path'], 'key', 2, 3],
    [[0, 'path'], 'value', 2, 9],
    [[0, 'when', 'query'], 'key', 4, 5],
    [[0, 'when', 'query', 'page'], 'key', 4, 14],
    [[0, 'when', 'query', 'page'], 'value', 4, 20],
    [[0, 'when', 'query', 'quoted key'], 'key', 4, 23],
    [[0, 'response', 'headers', 'x-a'], 'value', 7, 12],
    [[0, 'response', 'body'], 'key', 8, 5],
    [[0, 'response', 'body'], 'value', 8, 11],
    // What the document does not have: the deepest part that it has.
    [[0, 'response', 'missing'], 'value', 6, 5],
    [[0, 'missing', 'deeper'], 'key', 2, 3],
    [[9], 'value', 2, 1],
    // Behind an alias: where it is written.
    [[3, 'response', 'status'], 'value', 12, 26],
    [[3, 'response', 'status'], 'key', 12, 18],
    // From a merge: where it is written.
    [[2, 'path'], 'value', 11, 9],
    [[2, 'path'], 'key', 11, 3],
    [[2, 'response', 'status'], 'value', 12, 26],
    [[2, 'name'], 'value', 14, 9],
    [[4, '404'], 'key', 17, 3],
    [[4, 'true'], 'value', 18, 9],
  ])('%j, %s', async (path, target, line, column) => {
    const source = await readYaml(text, 'a.yaml')
    if ('diagnostic' in source) throw new Error(source.diagnostic.message)
    expect(source.locate(path, target)).toEqual({ line, column })
  })

  it('in an empty file', async () => {
    const source = await readYaml('', 'a.yaml')
    expect('locate' in source && source.locate([], 'value')).toEqual({ line: 1, column: 1 })
  })
})

it.each<[path: KeyPath, written: string | undefined]>([
  [[0, 'a'], '01234'],
  [[0, 'b'], '1.0'],
  [[0, 'c', 0], '9999999999999999'],
  [[0, 'c', 1], '2'],
  [[0, 'd'], undefined],
  [[0, 'e'], undefined],
  [[0, 'missing'], undefined],
  [[1, 'a'], '01234'],
])('the number at %j is written %s', async (path, written) => {
  const source = await readYaml(
    "- { a: &n 01234, b: 1.0, c: [9999999999999999, 2], d: '01', e: x }\n- { a: *n }",
    'a.yaml',
  )
  expect('written' in source && source.written?.(path)).toBe(written)
})
