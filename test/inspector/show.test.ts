import { expect, it } from 'vitest'
import type { JournalEntry } from '../../src/inspector/journal.ts'
import { createSearch, showBody } from '../../src/inspector/show.ts'
import { expectCpuTime } from '../cpu-time.ts'
import { isThorough } from '../sampling.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'
const size = 1000

it.each<[type: string, text: string, shown: string]>([
  [json, '{ "a": 1 }', '{ "a": 1 }'],
  [json, '{ "password": "x", "a": [1] }', '{ "password": "…", "a": [1] }'],
  [json, '{"user":{"accessToken":7,"api_key":{"a":1}}}', '{"user":{"accessToken":"…","api_key":"…"}}'],
  [json, '{"password":null,"token":true}', '{"password":null,"token":true}'],
  [json, '{"pageToken":"a"}', '{"pageToken":"a"}'],
  [json, '[{"secret":"x"}]', '[{"secret":"…"}]'],
  [json, '{"password":"x"', '{"password":"…"'],
  [json, '{"a":1}\n{"password":"x"}', '{"a":1}\n{"password":"…"}'],
  [json, '{"query":"{ login(password: \\"x\\", id: 1) { id } }"}', '{"query":"{ login(password: \\"…\\", id: 1) { id } }"}'],
  [json, '{"query":"query A($password: String) { a(password: $password) }"}', '{"query":"query A($password: String) { a(password: $password) }"}'],
  ['', '{"password":"x"}', '{"password":"…"}'],
  [form, 'user=a&password=x', 'user=a&password=…'],
  [multipart, '--x\r\ncontent-disposition: form-data; name="password"\r\n\r\nx\r\n--x--', '--x\r\ncontent-disposition: form-data; name="password"\r\n\r\n…\r\n--x--'],
  ['text/plain', 'plain text', 'plain text'],
  ['text/plain', 'password: hunter\nAuthorization: Bearer ab.c', 'password: …\nAuthorization: …'],
  ['text/html', '<input name=password><p>Token: new</p>', '<input name=password><p>Token: new</p>'],
  ['text/html', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc', '…'],
  [json, '{"n":1234567890123456789,"access token":"x"}', '{"n":1234567890123456789,"access token":"…"}'],
  [json, '{"message":"Invalid password: must be longer"}', '{"message":"Invalid password: must be longer"}'],
  [json, '{"log":"{\\"user\\":{\\"pin\\":1234,\\"password\\":\\"a\\\\\\"b\\"}}","id":1}', '{"log":"{\\"user\\":{\\"pin\\":\\"…\\",\\"password\\":\\"…\\"}}","id":1}'],
  [json, '{"query":"{ login(password: \\"\\"\\"x \\"y\\" z\\"\\"\\", pin: 1) { id } }"}', '{"query":"{ login(password: \\"\\"\\"…\\"\\"\\", pin: …) { id } }"}'],
  [json, '{"query":"query A($password: String! = \\"x\\") { token: a }"}', '{"query":"query A($password: String! = \\"…\\") { token: … }"}'],
  ['application/graphql', '{ a(password: """x "y" z""", token: $token) { id } }', '{ a(password: """…""", token: $token) { id } }'],
  [multipart, '--x\r\ncontent-disposition: form-data; name="o"\r\n\r\n{"pin":1}\r\n--x--', '--x\r\ncontent-disposition: form-data; name="o"\r\n\r\n{"pin":"…"}\r\n--x--'],
])('%s %s', (type, text, shown) => {
  const bytes = new TextEncoder().encode(text)
  expect(showBody(bytes, bytes.length, type)).toEqual({ size: bytes.length, text: shown, isCut: false })
  expect(showBody(text, text.length, type).text).toBe(shown)
}) // prettier-ignore

it('hides secrets in a body that is cut', () => {
  expect(showBody('{"password":"hunt', size, json)).toEqual({ size, text: '{"password":"…"', isCut: true })
  expect(showBody('{"a":1,"password":"hunter2","b":"c', size, json).text).toBe('{"a":1,"password":"…","b":"c')
})

it.each([
  ['{"credentials":{"user":"a","x":"hunt"},"b":"c', '{"credentials":"…","b":"c'],
  ['{"credentials":{"user":"}","x":["hunt', '{"credentials":"…"'],
  ['{"log":"{\\"password\\":\\"hunt', '{"log":"{\\"password\\":\\"…\\"'],
  ['{"a":"b","token":12', '{"a":"b","token":"…"'],
])('hides what is inside of a secret that is cut: %s', (text, shown) => {
  expect(showBody(text, size, json).text).toBe(shown)
})

it.each([
  'name="',
  'name=""',
  'name=""\r\n',
  'eyJaaaaaaaa-',
  'a ',
  'a.',
  'a-',
  '\\',
  '"',
  '\\"',
  'pin:"',
  'pin:\\"',
  'pin:{',
  '$pin:[a ',
  '"pin"  ',
  'pin=',
  '{',
])('hides in time that grows with the length: %j', (part) => {
  for (const type of [json, multipart, form, 'text/html']) {
    const text = part.repeat(30_000 / part.length)
    expectCpuTime(250, () => showBody(text, text.length, type))
    expectCpuTime(250, () => showBody(`pin:${text}`, text.length, type))
    const spaces = ' '.repeat(30_000)
    expectCpuTime(250, () => showBody(part + spaces + part, 35_000, type))
  }
})

it('shows the size alone of what is not text', () => {
  expect(showBody(new Uint8Array([0xff, 0xd8, 0]), 4, 'image/jpeg')).toEqual({ size: 4, isCut: true })
  expect(showBody(new Uint8Array([0, 1]), 2)).toEqual({ size: 2, isCut: false })
})

it('shows an image that is kept as a whole', () => {
  const shown = showBody(new Uint8Array([0xff, 0xd8, 0]), 3, 'image/jpeg')
  expect(shown).toEqual({ size: 3, base64: '/9gA', isCut: false })
})

it('a cut body may end inside of a character', () => {
  const bytes = new TextEncoder().encode('aé').slice(0, 2)
  expect(showBody(bytes, size)).toEqual({ size, text: 'a', isCut: true })
  expect(showBody(bytes, 2).text).toBeUndefined()
})

it('reads the charset of the content type', () => {
  expect(showBody(new Uint8Array([0xe9]), 1, 'text/plain; charset=latin1').text).toBe('é')
})

it.runIf(isThorough)('a search in hundreds of large bodies takes no longer than in a few', () => {
  const bytes = new TextEncoder().encode('<token>'.repeat(9_000))
  const headers = { 'content-type': 'text/html' }
  const entries = Array.from({ length: 500 }, () => ({ headers, body: { bytes, size: bytes.length } }))
  const isFound = createSearch('token')
  expectCpuTime(5000, () => entries.filter((entry) => isFound(entry as unknown as JournalEntry)))
})
