import { expect, it } from 'vitest'
import { askedAddress } from '../../../src/core/http/route-url.ts'

it.each([
  ['http://localhost:5173/__mock-api/origin/https://api.example.com/a?b', 'https://api.example.com/a?b'],
  ['http://localhost:5173/app/__mock-api/origin/omit/https://api.example.com/', 'https://api.example.com/'],
  ['http://localhost:5173/orders', 'http://localhost:5173/orders'],
  [
    'http://localhost:5173/a?to=/__mock-api/origin/https://a.example/',
    'http://localhost:5173/a?to=/__mock-api/origin/https://a.example/',
  ],
])('a page means by %s', (url, address) => expect(askedAddress(url)).toBe(address))
