import { expect, it } from 'vitest'
import type { OriginPolicy } from '../../../src/core/http/origin.ts'
import { resolveOrigins, type OriginOptions } from '../../../src/core/options/origin-options.ts'

it.each<[options: OriginOptions, policy: Partial<OriginPolicy>]>([
  [{}, { origins: new Set(), hosts: [] }],
  [
    { cors: true, allowedHosts: true },
    { origins: 'every', hosts: 'every' },
  ],
  [{ cors: false }, { origins: 'off' }],
  [{ cors: ['HTTPS://App.example:443', 'null'] }, { origins: new Set(['https://app.example', 'null']) }],
  [{ cors: ['https://bücher.example'] }, { origins: new Set(['https://xn--bcher-kva.example']) }],
  [{ allowedHosts: ['Mock-API', '.Bücher.example'] }, { hosts: ['mock-api', '.xn--bcher-kva.example'] }],
])('%j', (options, policy) => {
  expect(resolveOrigins(options)).toMatchObject(policy)
})
