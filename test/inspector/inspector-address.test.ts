import { createServer as createHttpServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { expect, it } from 'vitest'
import { inspectorAddress } from '../../src/inspector/inspector-folder.ts'
import { originOf } from '../../src/wire/node/listening-origin.ts'

const listening = (address: string, isSecure = false) => ({
  address: () => ({ address, port: 5173, family: '' }),
  once: () => {},
  ...(isSecure && { setSecureContext: () => {} }),
})

it.each([
  [listening('127.0.0.1'), '', 'http://127.0.0.1:5173/__mock-api/'],
  [listening('::'), '/', 'http://localhost:5173/__mock-api/'],
  [listening('0.0.0.0', true), '/app', 'https://localhost:5173/app/__mock-api/'],
  [listening('::1'), '/app/', 'http://localhost:5173/app/__mock-api/'],
  [listening('fe80::1'), 'app', 'http://[fe80::1]:5173/app/__mock-api/'],
  [listening('192.168.0.7'), '//', 'http://192.168.0.7:5173/__mock-api/'],
])('the address of server %# below %j is %s', (server, base, address) => {
  expect(inspectorAddress(originOf(server), base)).toBe(address)
})

it.each([
  ['localhost', '127.0.0.1', 'http://localhost:5173/__mock-api/'],
  ['0.0.0.0', '0.0.0.0', 'http://localhost:5173/__mock-api/'],
  ['dev.test', '127.0.0.1', 'http://dev.test:5173/__mock-api/'],
])('with the host %s, it has the name that the host prints', (host, address, expected) => {
  expect(inspectorAddress(originOf(listening(address), host), '/')).toBe(expected)
})

it('a server that does not listen, or not on a port, has none', () => {
  expect(inspectorAddress(originOf(createHttpServer()), '/')).toBeUndefined()
  expect(
    inspectorAddress(originOf({ ...listening(''), address: () => '/run/dev.sock' }), '/'),
  ).toBeUndefined()
  expect(inspectorAddress(originOf(null), '/')).toBeUndefined()
})

it('servers with certificates are known as such', () => {
  const isSecure = (server: object) => 'setSecureContext' in server
  expect([createHttpServer(), createHttpsServer(), createSecureServer()].map(isSecure)).toEqual([
    false,
    true,
    true,
  ])
})
