import { expect, it, onTestFinished } from 'vitest'
import { withMockApi } from '../src/next.ts'
import { createTestProject } from './hosts/test-project.ts'

const context = { defaultConfig: {} }

interface Rewrites {
  beforeFiles: { source: string; destination: string }[]
  afterFiles: object[]
  fallback: { source: string; destination: string; missing: object[] }[]
}

it('rewrites lead to one server, after those of the application', async () => {
  const project = createTestProject({ 'fixtures/a.yaml': '- { path: /value, response: { body: { a: 1 } } }' })
  onTestFinished(project.close)
  const options = { root: project.root, watch: false, logLevel: 'silent' as const }
  const own = { source: '/old', destination: '/new' }
  const wrapped = withMockApi((phase: string) => ({ phase, rewrites: () => Promise.resolve([own]) }), options)
  const config = await wrapped('phase-development-server', context)
  const { beforeFiles, afterFiles, fallback } = (await config.rewrites()) as unknown as Rewrites
  expect([config.phase, afterFiles]).toEqual(['phase-development-server', [own]])
  const [{ source, destination, missing }] = fallback as [Rewrites['fallback'][0]]
  expect([source, missing]).toEqual([
    '/:path*',
    [
      { type: 'header', key: 'sec-fetch-mode', value: 'navigate' },
      { type: 'header', key: 'rsc' },
    ],
  ])
  const ask = (to: string, path: string) => fetch(to.replace('/:path*', path))
  expect(await (await ask(destination, '/value')).json()).toEqual({ a: 1 })
  // Next.js takes the slash away.
  const inspector = await ask(beforeFiles[0]!.destination, '')
  expect([inspector.redirected, await inspector.text()]).toEqual([
    false,
    expect.stringContaining('src="__mock-api/inspector.js"'),
  ])
  const other = await withMockApi({}, options)('phase-development-server', context)
  const again = other as { rewrites?: () => Promise<Rewrites> }
  expect((await again.rewrites!()).fallback).toEqual(fallback)
})

it('a build has the config as it is', async () => {
  const config = { reactStrictMode: true }
  expect(await withMockApi(config)('phase-production-build', context)).toBe(config)
})
