import { describe, expect, it } from 'vitest'
import {
  complete,
  describeKey,
  type JsonSchema,
} from '../../../../../src/inspector/page/logic/editing/complete.ts'

const selector: JsonSchema = {
  type: 'object',
  properties: {
    query: { $ref: '#/$defs/operators' },
    body: {},
    operationType: { anyOf: [{ enum: ['query', 'mutation'] }] },
  },
}
const schema: JsonSchema = {
  type: ['array', 'object'],
  items: { $ref: '#/$defs/route' },
  properties: { $schema: { type: 'string' }, routes: { type: 'array', items: { $ref: '#/$defs/route' } } },
  $defs: {
    route: {
      properties: {
        name: { type: 'string', description: 'Shown in logs. Default: none.' },
        path: { type: 'string' },
        when: { allOf: [{ $ref: '#/$defs/selector' }] },
        shape: { type: 'boolean' },
        response: {
          anyOf: [{ $ref: '#/$defs/response' }, { type: 'array', items: { $ref: '#/$defs/response' } }],
        },
      },
    },
    selector,
    operators: { additionalProperties: { properties: { $in: {}, $gt: {} } } },
    response: {
      properties: {
        status: { type: 'number', description: 'The status.' },
        body: {},
        fault: { enum: ['reset', 'empty'] },
      },
    },
  },
}

describe('completes at |', () => {
  it.each<[text: string, expected: string[] | undefined]>([
    ['- |', ['name', 'path', 'when', 'shape', 'response']],
    ['- name: a\n  pa|', ['path']],
    ['- path: /a\n  |', ['name', 'when', 'shape', 'response']],
    ['- path: /a\n- na|', ['name']],
    ['- path: /a\n  when:\n    |', ['query', 'body', 'operationType']],
    ['- path: /a\n  when: # only these\n    query:\n      page:\n        $|', ['$in', '$gt']],
    ['- path: /a\n  when:\n    query: { page: 1 }\n  re|', ['response']],
    ['- path: /a\n  when: { query: { page: { $g|', ['$gt']],
    ['- path: /a\n  when: { query: { page: 1 }, op|', ['operationType']],
    ['- path: /a\n  when: { operationType: |', ['query', 'mutation']],
    ['- path: /a\n  shape: t|', ['true']],
    ['- path: /a\n  response:\n    - st|', ['status']],
    ['- path: /a\n  response:\n    - status: 200\n      |', ['body', 'fault']],
    ['- path: /a\n  response: { fault: r|', ['reset']],
    ['- path: /a\n  response: { status: 404, |', ['body', 'fault']],
    ['- path: /a\n  unknown:\n    |', undefined],
    ['- name|', undefined],
    ['[{ "|', ['name', 'path', 'when', 'shape', 'response']],
    ['[{ "name": "a, b", "pa|', ['path']],
    ['{ "routes": [{ "path": "/a" }, { "na|', ['name']],
    ['[{ "when": { "query": { "page": { "$g|', ['$gt']],
    ['[{ "when": { "query": {}, "op|": 1 }', ['operationType']],
    ['[{ "response": [{ "st|', ['status']],
    ['[{ "shape": t|', ['true']],
    ['[{ "response": { "fault": "r|" } }]', ['reset']],
    ['[{ "path"|', undefined],
    ['[ n|', undefined],
  ])('%j', (text, expected) => {
    const caret = text.indexOf('|')
    expect(
      complete(text.replace('|', ''), caret, schema, /^[[{]/.test(text))?.list.map(({ label }) => label),
    ).toEqual(expected)
  })
})

it('says what a key is for, and what it writes', () => {
  expect(complete('- na', 4, schema)).toEqual({
    from: 2,
    list: [{ label: 'name', text: 'name: ', help: 'Shown in logs.' }],
  })
  expect(complete('- shape:', 8, schema)?.list[0]!.text).toBe(' true')
  const written = (text: string) => complete(text, text.length, schema, true)?.list[0]!.text
  expect(['[{ na', '[{ "na', '[{ "response": { "fault": r', '[{ "shape": '].map(written)).toEqual([
    ...['"name": ', 'name": ', '"reset"', 'true'],
  ])
})

describe('describes the key at |', () => {
  it.each<[text: string, expected: string | undefined]>([
    ['- na|me: a', 'Shown in logs. Default: none.'],
    ['- name: a|', 'Shown in logs. Default: none.'],
    ['- path: /a\n  response: { status: 4|04, body: {} }', 'The status.'],
    ['- path: /a\n  response:\n    stat|us: 404', 'The status.'],
    ['- pa|th: /a', undefined],
    ['- unknown: |', undefined],
    ['|', undefined],
    ['[{ "na|me": "a" }]', 'Shown in logs. Default: none.'],
    ['[{ "response": { "status": 4|04 } }]', 'The status.'],
  ])('%j', (marked, expected) => {
    const isJson = marked.startsWith('[')
    expect(describeKey(marked.replace('|', ''), marked.indexOf('|'), schema, isJson)).toBe(expected)
  })
})
