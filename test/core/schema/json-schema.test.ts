/* The JSON Schema that editors use, and the validator: a file that one of them refuses, the other one refuses, too. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { file } from '../send.ts'
import { right, wrong } from './corpus.ts'

interface Definition {
  properties?: Record<string, { default?: unknown; examples?: unknown[] }>
  defaultSnippets?: { label: string; body: unknown }[]
}
const schema = JSON.parse(readFileSync(new URL('../../../fixture.schema.json', import.meta.url), 'utf8')) as {
  $defs: Record<string, Definition>
}
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(schema, 'fixture')
const isValid = ajv.getSchema('fixture')!

it.each(right.map((fixture) => [fixture]))('takes %j', (fixture) => {
  void isValid(fixture)
  expect(isValid.errors).toBeNull()
  const { diagnostics } = parseFixture(fixture, { ...file, isCode: false })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

const snippets = schema.$defs['routeSchema']!.defaultSnippets!
it.each(snippets.map(({ label, body }) => [label, body]))('the snippet "%s" is a route', (_, body) => {
  // As an editor inserts it: `^` is a number, and what is in the braces stays.
  const text = JSON.stringify(body)
    .replace(/"\^\$\{\d:([^}]*)\}"/g, '$1')
    .replace(/\$\{\d:([^}]*)\}/g, '$1')
  const fixture: unknown = [JSON.parse(text)]
  expect(isValid(fixture)).toBe(true)
  expect(parseFixture(fixture, file).diagnostics).toEqual([])
})

it.each(Object.entries(schema.$defs))(
  'what editors suggest for keys of %s is valid',
  (definition, { properties = {} }) => {
    for (const [key, property] of Object.entries(properties)) {
      const isKey = ajv.compile({ $ref: `fixture#/$defs/${definition}/properties/${key}` })
      const values = [...('default' in property ? [property.default] : []), ...(property.examples ?? [])]
      expect([key, values.filter((value) => !isKey(value))]).toEqual([key, []])
    }
  },
)

it('editors suggest a value of every key, and the default that its comment names', () => {
  const { properties } = schema.$defs['routeSchema']!
  expect(properties!['method']).toMatchObject({ default: 'GET', examples: [['GET', 'POST']] })
  const all = Object.values(schema.$defs).flatMap((one) => Object.entries(one.properties ?? {}))
  expect(all.filter(([key, { examples }]) => !examples && key !== 'file')).toEqual([])
})

/** What a file may hold, but code has no need of. */
const wrapped = [{ $schema: '../fixture.schema.json', routes: [{ path: '/a' }] }, { routes: [] }]
it.each(wrapped)('takes %j', (fixture) => {
  expect(isValid(fixture)).toBe(true)
  expect(parseFixture(fixture, file).diagnostics).toEqual([])
})

it.each([{ routes: [{ path: 7 }] }, { routes: {} }, { routes: [], version: 1 }])('refuses %j', (fixture) => {
  expect(isValid(fixture)).toBe(false)
  expect(parseFixture(fixture, file).diagnostics).toHaveLength(1)
})

it.each(wrong.map((fixture) => [fixture]))('refuses %j', (fixture) => {
  expect(isValid(fixture)).toBe(false)
  expect(parseFixture(fixture, file).diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
})
