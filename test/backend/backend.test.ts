import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { readProxies } from '../../src/backend/proxies.ts'

it.each<[url: string, proxy: unknown, expected: boolean]>([
  ['/api/items', undefined, false],
  ['/api/items', {}, false],
  ['/api/items', { '/api': 'http://localhost' }, true],
  ['/items', { '/api': 'http://localhost' }, false],
  ['/v2/items', { '^/v\\d/': { target: 'http://localhost' } }, true],
  ['/api/items?a=/b', { '/api/**': {} }, true],
  ['/items?a=/api/b', { '/api/**': {} }, false],
  ['/api', [{ context: ['/auth', '/api'], target: 'http://localhost' }], true],
  ['/api', [{ pathFilter: '/api', target: 'http://localhost' }], true],
  ['/api', [{ context: (path: string) => path === '/api' }], true],
  ['/apis', [{ context: (path: string) => path === '/api' }], false],
  ['/any', [{ target: 'http://localhost' }], true],
])('%s through %j: %s', (url, proxy, expected) => {
  expect(readProxies(proxy)({ url } as IncomingMessage)).toBe(expected)
})
