import { describe, expect, it } from 'vitest'
import { compileSelector } from '../../../src/core/select/compile-selector.ts'
import { findWrittenRegex } from '../../../src/core/select/likely-mistakes.ts'
import { loadPatterns } from '../../../src/core/select/pattern.ts'

await loadPatterns()

describe('a text that is written like a regular expression', () => {
  it.each([
    ['/^a/', '^a', ''],
    ['/a$/i', 'a$', 'i'],
    ['/\\d+/gmu', '\\d+', 'm'],
    ['/[a-z]/', '[a-z]', ''],
    ['/[^a]/s', '[^a]', 's'],
    ['/a.*b/', 'a.*b', ''],
  ])('%s', (text, pattern, options) => {
    expect(findWrittenRegex(text)).toEqual({ pattern, options })
  })

  it.each([
    '',
    '/',
    '//',
    '/a',
    'a/',
    '/users/',
    '/users/me',
    '/a/b/',
    '/a/[id]/',
    '/{id}/',
    '/:id/',
    '/a+b/',
    '/^a',
    '/^a/x',
    '^a$',
  ])('not %j', (text) => expect(findWrittenRegex(text)).toBeUndefined())
})

const findings = (when: object) =>
  compileSelector(when, (path) => ({ file: path.join('.') })).diagnostics.map(
    ({ code, file }) => `${code} ${file}`,
  )

it.each<[when: object, expected: string[]]>([
  [{ query: { name: '/^a/' } }, ['selector-regex-text query.name']],
  [{ body: { name: '/^a/' } }, ['selector-regex-text body.name']],
  [{ body: { names: ['a', '/^a/'] } }, ['selector-regex-text body.names.1']],
  [{ query: { name: { $in: ['a', '/^a/'] } } }, ['selector-regex-text query.name.$in.1']],
  [{ query: { name: { $not: '/^a/' } } }, ['selector-regex-text query.name.$not']],
  [{ operationName: '/^Get/' }, ['selector-regex-text operationName']],
  [{ query: { name: { $regex: '/^a/' } } }, ['selector-invalid-pattern query.name.$regex']],
  [{ query: { name: { $regex: '/a$/i' } } }, ['selector-invalid-pattern query.name.$regex']],
  ...['/users/', '/users/\\d+/', '/api/.*/', '/[a-z]/', '/cost\\$/', '^/a/$'].map(
    (pattern): [object, string[]] => [{ query: { next: { $regex: pattern } } }, []],
  ),
  [{ query: { name: { $regex: /^\/a\/$/ } } }, []],
  [{ body: { name: /^a/ } }, []],
])('%o: %j', (when, expected) => {
  expect(findings(when)).toEqual(expected)
})

it('the fix is written as in YAML', () => {
  const when = { query: { name: "/^it's \\d/i" } }
  expect(compileSelector(when, () => ({ file: '' })).diagnostics[0]!.fix).toBe(
    "For a regular expression, write { $regex: '^it''s \\d', $options: i }.",
  )
})
