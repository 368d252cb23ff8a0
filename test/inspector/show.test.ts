import { expect, it } from 'vitest'
import { showBody } from '../../src/inspector/show.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'
const size = 1000

it.each<[type: string, text: string, shown: string]>([
  [json, '{ "a": 1 }', '{ "a": 1 }'],
  [json, '{ "password": "x", "a": [1] }', '{"password":"…","a":[1]}'],
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
])('%s %s', (type, text, shown) => {
  const bytes = new TextEncoder().encode(text)
  expect(showBody(bytes, bytes.length, type)).toEqual({ size: bytes.length, text: shown, isCut: false })
  expect(showBody(text, text.length, type).text).toBe(shown)
}) // prettier-ignore

it('hides secrets in a body that is cut', () => {
  expect(showBody('{"password":"hunt', size, json)).toEqual({ size, text: '{"password":"…"', isCut: true })
  expect(showBody('{"a":1,"password":"hunter2","b":"c', size, json).text).toBe('{"a":1,"password":"…","b":"c')
})

it('shows the size alone of what is not text', () => {
  expect(showBody(new Uint8Array([0xff, 0xd8, 0]), 3, 'image/jpeg')).toEqual({ size: 3, isCut: false })
  expect(showBody(new Uint8Array([0, 1]), 2)).toEqual({ size: 2, isCut: false })
})

it('a cut body may end inside of a character', () => {
  const bytes = new TextEncoder().encode('aé').slice(0, 2)
  expect(showBody(bytes, size)).toEqual({ size, text: 'a', isCut: true })
  expect(showBody(bytes, 2).text).toBeUndefined()
})

it('reads the charset of the content type', () => {
  expect(showBody(new Uint8Array([0xe9]), 1, 'text/plain; charset=latin1').text).toBe('é')
})
