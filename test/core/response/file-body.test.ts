import { expect, it } from 'vitest'
import { contentTypeOf, textTypeOf } from '../../../src/core/response/prepare-response.ts'

it.each<[file: string, type: string]>([
  ['a.json', 'application/json; charset=utf-8'],
  ['a.svg', 'image/svg+xml; charset=utf-8'],
  ['a.pdf', 'application/pdf'],
  ['a.unheard-of', 'application/octet-stream'],
])('the file %s is %s', (file, type) => {
  expect(contentTypeOf(file)).toBe(type)
})

it.each<[path: string, type: string | undefined]>([
  ['/config.js', 'text/javascript; charset=utf-8'],
  ['/files/:name.mjs', 'text/javascript; charset=utf-8'],
  ['/theme.CSS', 'text/css; charset=utf-8'],
  ['/orders.csv', 'text/csv; charset=utf-8'],
  ['/data.json', 'application/json; charset=utf-8'],
  ['/feed.xml', 'text/xml; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/logo.png', undefined], // text is no picture
  ['/v1.0', undefined],
  ['/config.js/a', undefined],
  ['/js', undefined],
  ['', undefined],
])('text at "%s" is %s', (path, type) => {
  expect(textTypeOf(path)).toBe(type)
})
