/* The JSON Schema that editors use, and the validator: a file that one of them refuses, the other one refuses, too. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
import { snippets, suggestions } from '../../../scripts/fixture-schema-examples.ts'
import { file } from '../send.ts'
import { right, wrong } from './corpus.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../../fixture.schema.json', import.meta.url), 'utf8'),
) as object
const isValid = new Ajv({ strict: false, allErrors: true }).compile(schema)

it.each(right.map((fixture) => [fixture]))('takes %j', (fixture) => {
  isValid(fixture)
  expect(isValid.errors).toBeNull()
  const { diagnostics } = parseFixture(fixture, { ...file, isCode: false })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

it.each(snippets.map(({ label, body }) => [label, body]))('the snippet "%s" is a route', (_, body) => {
  // As an editor inserts it: `^` is a number, and what is in the braces stays.
  const text = JSON.stringify(body)
    .replace(/"\^\$\{\d:([^}]*)\}"/g, '$1')
    .replace(/\$\{\d:([^}]*)\}/g, '$1')
  const fixture: unknown = [JSON.parse(text)]
  expect(isValid(fixture)).toBe(true)
  expect(parseFixture(fixture, file).diagnostics).toEqual([])
})

it.each(Object.entries(suggestions))('the examples of %s are valid', (name, keys) => {
  const { $defs } = schema as { $defs: Record<string, { properties: Record<string, object> }> }
  const ajv = new Ajv({ strict: false })
  for (const [key, { examples = [], ...others }] of Object.entries(keys)) {
    const isKey = ajv.compile({ $defs, ...$defs[name]!.properties[key] })
    const values = 'default' in others ? [others.default, ...examples] : examples
    expect([key, values.filter((value) => !isKey(value))]).toEqual([key, []])
  }
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
