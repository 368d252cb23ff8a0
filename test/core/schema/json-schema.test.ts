/* The JSON Schema that editors use, and the validator: a file that one of them refuses, the other one refuses, too. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parseFixture } from '../../../src/core/fixture/parse-fixture.ts'
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

it.each(wrong.map((fixture) => [fixture]))('refuses %j', (fixture) => {
  expect(isValid(fixture)).toBe(false)
  expect(parseFixture(fixture, file).diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
})
