import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { Documents } from '../../src/openapi/documents.ts'
import { exampleValue } from '../../src/openapi/example-value.ts'

const value = (schema: object, index = 0) =>
  exampleValue({ value: schema, file: '/api.json' }, new Documents('/'), { index })

/** Each schema, and the first two values of a list of it. */
const schemas: [schema: object, first: unknown, second: unknown][] = [
  [{ type: 'string', format: 'date' }, '2026-01-01', '2026-01-02'],
  [{ type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  [{ type: 'string', format: 'email' }, 'user1@example.com', 'user2@example.com'],
  [{ type: 'string', minLength: 6, maxLength: 8 }, 'textte', 'text 2'],
  [{ type: 'string', maxLength: 2 }, 'te', 'te'],
  [{ type: 'string', pattern: '^[A-Z]{3}$' }, 'AAA', 'BBB'],
  [{ type: 'string', pattern: '^(?!-)[A-Z-]{1,3}(?<!-)\\.[a-z]{2}$' }, 'A.aa', 'BB.bb'],
  [{ type: 'string', pattern: '^arn:\\d{4}:.+$', minLength: 30 }, `arn:9999:${'S'.repeat(36)}`, `arn:9999:${'S'.repeat(36)}`],
  [{ type: 'string', pattern: '\\d+', minLength: 12, maxLength: 12 }, '999999999999', '999999999999'],
  [{ enum: [null, 'a', 'b'] }, 'a', 'b'],
  [{ const: 7 }, 7, 7],
  [{ type: 'integer' }, 1, 2],
  [{ type: 'integer', minimum: 10, maximum: 10 }, 10, 10],
  [{ type: 'integer', multipleOf: 5 }, 5, 10],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 0.7 }, 0.5, 0.5],
  [{ type: 'integer', maximum: -3 }, -3, -3],
  [{ type: ['null', 'boolean'] }, true, true],
  [{ type: 'null' }, null, null],
  [{ oneOf: [{ type: 'null' }, { type: 'integer' }] }, 1, 2],
  [{ anyOf: [{ required: ['a'], properties: { a: { type: 'boolean' } } }] }, { a: true }, { a: true }],
  [{ allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { type: 'array', items: { const: 2 } } } }] }, { a: 1, b: [2, 2] }, { a: 1, b: [2, 2] }],
  [{ type: 'array', items: { type: 'integer' }, minItems: 3 }, [1, 2, 3], [1, 2, 3]],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, { key1: 1 }, { key1: 2 }],
  [{ properties: { shown: { const: 1 }, password: { type: 'string', writeOnly: true } } }, { shown: 1 }, { shown: 1 }],
  [{}, {}, {}],
] // prettier-ignore

const ajv = new Ajv2020({ strict: false, validateFormats: false })

test.for(schemas)('%j', ([schema, first, second]) => {
  expect([value(schema), value(schema, 1)]).toEqual([first, second])
  for (const one of [first, second]) expect(ajv.validate(schema, one), ajv.errorsText()).toBe(true)
})

test('exclusive limits of OpenAPI 3.0', () => {
  expect(value({ type: 'integer', minimum: 3, exclusiveMinimum: true })).toBe(4)
})
