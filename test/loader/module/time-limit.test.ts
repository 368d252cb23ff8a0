import { writeFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createModuleLoader } from '../../../src/loader/module/load-module.ts'
import { createDeferred } from '../deferred.ts'
import { answers, findings, module, Project, yaml } from '../project.ts'

const texts = [
  ['function', '/* defineFixture */ export default () => new Promise(() => {})'],
  ['function', '/* defineFixture */ export default () => ({ then() {} })'],
  ['import', 'await new Promise(() => {})\nexport default []'],
] as const

it.each(texts)('a fixture file whose %s never settles is given up: %s', async (part, text) => {
  const project = new Project({ 'a.ts': text })
  const loading = createModuleLoader(project.root, { timeLimit: 30 }).load(project.path('a.ts'), 'a.ts', text)
  expect((await loading).source).toEqual({
    diagnostic: expect.objectContaining({
      code: 'fixture-timeout',
      severity: 'error',
      file: 'a.ts',
      message: `The fixture file gave no routes within 0.03 seconds: its ${part} did not settle.`,
    }) as unknown,
  })
})

it('waits 10 seconds where nothing else is said, so that the dev server does not wait for ever', async () => {
  const [, text] = texts[0]
  const project = new Project({ 'a.ts': text })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const loading = createModuleLoader(project.root).load(project.path('a.ts'), 'a.ts', text)
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(10_000)
    expect((await loading).source).toMatchObject({
      diagnostic: { message: expect.stringContaining('within 10 seconds') as string },
    })
  } finally {
    vi.useRealTimers()
  }
})

it('the next save is read, whatever the one before goes on to wait for', async () => {
  const [, never] = texts[2]
  const project = new Project({ 'a.ts': never })
  const modules = createModuleLoader(project.root, { timeLimit: 30 })
  const load = (text: string) => {
    writeFileSync(project.path('a.ts'), text)
    modules.forget(project.path('a.ts'))
    return modules.load(project.path('a.ts'), 'a.ts', text)
  }
  expect((await load(never)).source).toHaveProperty('diagnostic')
  expect((await load('export default [1]')).source).toMatchObject({ value: [1] })
})

it('nothing is waited for once it is told to stop', async () => {
  const [, text] = texts[0]
  const project = new Project({ 'a.ts': text })
  const stop = new AbortController()
  const modules = createModuleLoader(project.root, { timeLimit: 60_000, signal: stop.signal })
  const loading = modules.load(project.path('a.ts'), 'a.ts', text)
  stop.abort()
  expect((await loading).source).toHaveProperty('diagnostic')
  expect((await modules.load(project.path('a.ts'), 'a.ts', text)).source).toHaveProperty('diagnostic')
})

it('fixture modules are loaded concurrently', async () => {
  const released = 'globalThis.mockApiReleased'
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mockApiReleased'))
  Reflect.set(globalThis, 'mockApiReleased', createDeferred())
  const project = new Project({
    'fixtures/a.mts': `await ${released}.promise\n${module('/a', 1)}`,
    'fixtures/b.mts': `${released}.resolve()\n${module('/b', 1)}`,
    'fixtures/c.yaml': yaml('/c', 1),
  })
  const store = await project.load()
  expect(answers(store)).toEqual(['GET /a 1', 'GET /b 1', 'GET /c 1'])
  expect(findings(store)).toEqual([])
})

it('Node has nothing to warn of where many modules load at the same time', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const names = Array.from({ length: 12 }, (_, i) => `${i}.ts`)
  const project = new Project(Object.fromEntries(names.map((name) => [name, 'export default []'])))
  const modules = createModuleLoader(project.root, { signal: new AbortController().signal })
  await Promise.all(names.map((name) => modules.load(project.path(name), name, 'export default []')))
  expect(warn).not.toHaveBeenCalled()
})

it('loads where an environment such as happy-dom has an AbortSignal of its own', async () => {
  const text = 'export default [{ path: "/a" }]'
  const project = new Project({ 'a.ts': text })
  const signal = { aborted: false, addEventListener() {}, removeEventListener() {} } as unknown as AbortSignal
  const loader = createModuleLoader(project.root, { signal })
  expect((await loader.load(project.path('a.ts'), 'a.ts', text)).source).not.toHaveProperty('diagnostic')
})
