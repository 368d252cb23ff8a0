import { describe, expect, it, onTestFinished } from 'vitest'
import { diagnoseFile } from '../../src/core/diagnostics/file-texts.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import type { Options } from '../../src/core/options/options.ts'
import { createMiddleware } from '../../src/connect.ts'
import { createDiagnosticsLog } from '../../src/loader/log-diagnostics.ts'
import { Project, yaml } from './project.ts'

const wrong = (file: string) => diagnoseFile('fixture-syntax', { file, line: 1, column: 1 }, { reason: 'oh' })

function sink() {
  const logs: string[] = []
  const write = (message: string) => void logs.push(/ (\S+):1:1 /.exec(message)?.[1] ?? message)
  return { logs, logger: { info: write, warn: write, error: write } }
}

describe('two stores of one folder', () => {
  const pair = (more: Options = {}) => {
    const { logs, logger } = sink()
    const create = (options: Options) =>
      createDiagnosticsLog(resolveOptions({ logger, ...options }, { root: '/project', logger }))
    return { logs, one: create({}), two: create({ base: '/v2', ...more }) }
  }

  it('log the same finding once, each its own, and the same again when it comes back', () => {
    const { logs, one, two } = pair()
    one.update([wrong('a'), wrong('b')])
    two.update([wrong('a'), wrong('c')])
    expect(logs.splice(0)).toEqual(['a', 'b', 'c'])
    for (const store of [one, two]) store.update([])
    for (const store of [two, one]) store.update([wrong('a')])
    expect(logs).toEqual(['a'])
  })

  it('log the same notice once', () => {
    const { logs, one, two } = pair()
    for (const store of [one, two]) store.notice(wrong('a'))
    expect(logs).toEqual(['a'])
  })

  it('do not wait for one that is closed', () => {
    const { logs, one, two } = pair()
    one.update([wrong('a')])
    one.close()
    two.update([wrong('a')])
    expect(logs).toEqual(['a', 'a'])
  })

  it.each<[name: string, options: Options]>([
    ['another folder', { root: '/other' }],
    ['another log level', { logLevel: 'warn' }],
    ['another logger', { logger: sink().logger }],
  ])('%s: they know nothing of each other', (_, options) => {
    const { logs, one, two } = pair(options)
    one.update([wrong('a')])
    two.update([wrong('a')])
    expect(logs).toEqual('logger' in options ? ['a'] : ['a', 'a'])
  })
})

it('two middlewares with different bases say once what is wrong with a fixture file', async () => {
  const { root } = new Project({ 'fixtures/a.yaml': yaml('/a', 1), 'fixtures/b.yaml': '- [' })
  const { logs, logger } = sink()
  for (const base of ['', '/v2']) {
    const middleware = createMiddleware({ root, base, logger, watch: false })
    onTestFinished(() => middleware.close())
    await middleware.ready
  }
  expect(logs).toEqual([
    expect.stringContaining('b.yaml'),
    '[mock-api] 1 route from fixtures/a.yaml',
    '[mock-api] 1 route from fixtures/a.yaml, below /v2',
  ])
})
