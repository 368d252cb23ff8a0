import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readYaml } from '../../../src/loader/read/read-yaml.ts'
import { splitList } from '../../../src/loader/read/yaml-chunks.ts'
import type { Source } from '../../../src/loader/source.ts'

/** Text that is long enough to be read in chunks. */
const long = (entry: (index: number) => string, head = '') =>
  head + Array.from({ length: 3000 }, (_, index) => entry(index)).join('')

const route = (index: number) => `- path: /r${index}\n  response:\n    body: { id: ${index} } # {\n`

describe('a long list is read in chunks', () => {
  it.each<[what: string, text: string]>([
    ['routes', long(route)],
    ['Windows line ends', long(route).replaceAll('\n', '\r\n')],
    ['comments between, before and behind', long((i) => `# - no entry\n\n${route(i)}`, '# head\n\n')],
    ['entries on the line after the dash', long((i) => `-\n  path: /r${i}\n`)],
    ['block scalars with dashes', long((i) => `- path: /r${i}\n  text: |\n   - not an entry\n   ---\n`)],
    ['lists in lists', long((i) => `- - ${i}\n  - a: 1\n- - 2\n`)],
    ['scalars and empty entries', long((i) => `- ${i}\n-\n- "a\n  - b"\n`)],
  ])('%s', (_, text) => {
    expect(splitList(text)!.length).toBeGreaterThan(1)
    const source = readYaml(text, 'a.yaml')
    expect(source).toHaveProperty('value')
    expect((source as { value: unknown }).value).toEqual(parse(text, { schema: 'core', uniqueKeys: false }))
  })

  it('every entry, key and value has its position', () => {
    const text = long(route, '# head\n')
    const { locate } = readYaml(text, 'a.yaml') as Extract<Source, { value: unknown }>
    const lineOf = (index: number) => 2 + index * 3
    for (const index of [0, 1, 1499, 2999]) {
      expect(locate([index], 'value')).toEqual({ line: lineOf(index), column: 3 })
      expect(locate([index, 'path'], 'value')).toEqual({ line: lineOf(index), column: 9 })
      expect(locate([index, 'response', 'body', 'id'], 'key')).toEqual({
        line: lineOf(index) + 2,
        column: 13,
      })
    }
    expect(locate([], 'value')).toEqual({ line: 2, column: 1 })
    expect(locate([3000], 'value')).toEqual({ line: 2, column: 1 })
  })

  it.each<[what: string, mistake: string, message: RegExp]>([
    ['an unknown tag', '- !include a.json\n', /Unresolved tag/],
    ['a key twice', '- { a: 1, a: 2 }\n', /the key "a" occurs twice/],
    ['a quote that is not closed', '- "a\n', /a quote is not closed/],
    ['a list that is not closed', '- [a,\n', /./],
  ])('with %s, the diagnostic says where', (what, mistake, message) => {
    const text = long((index) => (index === 2000 ? mistake : `- path: /${'x'.repeat(20)}\n`))
    const source = readYaml(text, 'a.yaml')
    expect(source).toMatchObject({ diagnostic: { code: 'fixture-syntax', file: 'a.yaml' } })
    const { diagnostic } = source as Extract<Source, { diagnostic: unknown }>
    expect(diagnostic.message).toMatch(message)
    expect(diagnostic.line).toBeGreaterThan(2000)
    expect(diagnostic.line).toBeLessThan(what === 'a quote that is not closed' ? 2200 : 2003)
  })
})

describe('documents that are read as a whole', () => {
  it.each<[what: string, text: string]>([
    ['a short list', route(1)],
    ['anchors and aliases', long((i) => (i === 0 ? '- &a { path: /a }\n' : '- *a\n'))],
    ['a merged map', long((i) => (i === 0 ? '- &base { path: /a }\n' : '- { <<: *base }\n'))],
    ['two documents', `${long(route)}---\n${long(route)}`],
    ['a directive', `%YAML 1.2\n---\n${long(route)}`],
    ['a map', `routes:\n${long(route)}`],
    ['a flow list', `[\n${'{ path: /a },\n'.repeat(5000)}]`],
  ])('%s', (_, text) => {
    expect(splitList(text)).toBeUndefined()
  })

  it('anchors and aliases mean the same as in a short file', () => {
    const source = readYaml(
      long((i) => (i === 0 ? '- &a { path: /a }\n' : '- *a\n')),
      'a.yaml',
    )
    expect((source as { value: unknown[] }).value[2999]).toEqual({ path: '/a' })
  })
})

it.each<[what: string, text: string, limit: string]>([
  ['a list', `- a: "${'x'.repeat(100)}"\n`.repeat(200_000), '20'],
  ['a map', `a: "${'x'.repeat(2_000_000)}"`, '2'],
])('%s that is too large is refused at once, with the way out', (_, text, limit) => {
  expect(readYaml(text, 'a.yaml')).toMatchObject({
    diagnostic: {
      code: 'fixture-too-large',
      file: 'a.yaml',
      message: `The fixture file is not read: it has more than ${limit} million characters of YAML.`,
      fix: expect.stringContaining('Write it as JSON') as string,
    },
  })
})
