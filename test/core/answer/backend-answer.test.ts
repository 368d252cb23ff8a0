import { expect, it } from 'vitest'
import type { BackendAnswer } from '../../../src/core/answer/backend-answer.ts'
import { entryOfBatch } from '../../../src/core/answer/entry-of-batch.ts'

const answerWith = (body: string): BackendAnswer => ({
  kind: 'complete',
  status: 200,
  headers: { 'content-type': 'application/json', date: 'Mon, 01 Jan 2024 00:00:00 GMT' },
  body: new TextEncoder().encode(body),
})

it.each([
  ['an entry', '[{"a":1},{"a":2}]', '{"a":2}', ['content-type']],
  [
    'a refusal of the whole batch',
    '{"error":"no batches"}',
    '{"error":"no batches"}',
    ['content-type', 'date'],
  ],
  ['a list that is too short', '[{"a":1}]', '[{"a":1}]', ['content-type', 'date']],
  ['text', 'no', 'no', ['content-type', 'date']],
])('%s of the answer to a batch', (_, sent, expected, headers) => {
  const entry = entryOfBatch(answerWith(sent), 1)
  if (entry.kind !== 'complete') throw new Error(`The entry is ${entry.kind}.`)
  expect(new TextDecoder().decode(entry.body)).toBe(expected)
  expect(Object.keys(entry.headers)).toEqual(headers)
})
