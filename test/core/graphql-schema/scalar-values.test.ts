import { describe, expect, it } from 'vitest'
import { scalarValue } from '../../../src/core/graphql-schema/fill.ts'

describe('a text that a client is likely to parse is what it looks like', () => {
  it.each([
    ['email', 'user8@example.com'],
    ['contactEmail', 'user8@example.com'],
    ['emailAddress', 'user8@example.com'],
    ['emails', 'emails 8'],
    ['url', 'https://example.com/8'],
    ['href', 'https://example.com/8'],
    ['avatarUrl', 'https://example.com/8'],
    ['avatarURL', 'https://example.com/8'],
    ['avatar_url', 'https://example.com/8'],
    ['imageUri', 'https://example.com/8'],
    ['curl', 'curl 8'],
    ['date', '2024-01-15T12:00:00.000Z'],
    ['createdAt', '2024-01-15T12:00:00.000Z'],
    ['created_at', '2024-01-15T12:00:00.000Z'],
    ['birthDate', '2024-01-15T12:00:00.000Z'],
    ['format', 'format 8'],
    ['flat', 'flat 8'],
    ['title', 'title 8'],
  ])('%s: %s', (fieldName, value) => {
    expect(scalarValue('String', { typeName: 'T', fieldName }, 7)).toBe(value)
  })
})

it.each([
  ['hasNextPage', false],
  ['has_more', false],
  ['hasPreviousPage', false],
  ['hasChildren', true],
  ['isNext', true],
])('a list has no further page: %s is %j', (fieldName, value) => {
  expect(scalarValue('Boolean', { typeName: 'T', fieldName }, 7)).toBe(value)
})

it.each([
  ['DateTime', '2024-01-15T12:00:00.000Z'],
  ['date_time', '2024-01-15T12:00:00.000Z'],
  ['LocalTime', '12:00:00'],
  ['JSONObject', {}],
  ['BigInt', 8],
  ['Decimal', 0.07],
  ['URL', 'https://example.com/8'],
  ['EmailAddress', 'user8@example.com'],
  ['Void', null],
  ['constructor', 'constructor 8'],
  ['Whatever', 'Whatever 8'],
])('a value of the scalar %s: %j', (name, value) => {
  expect(scalarValue(name, { typeName: 'T', fieldName: 'f' }, 7)).toEqual(value)
})

it('makes UUIDs of version 4, each its own', () => {
  const uuids = Array.from({ length: 1000 }, (_, seed) => scalarValue('UUID', { typeName: 'T', fieldName: 'f' }, seed))
  expect(new Set(uuids).size).toBe(1000)
  for (const uuid of uuids) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
}) // prettier-ignore
