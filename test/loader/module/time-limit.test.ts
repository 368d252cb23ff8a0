import { writeFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createModuleLoader } from '../../../src/loader/module/load-module.ts'
import { createDeferred } from '../deferred.ts'
import { answers, findings, module, Project, yaml } from '../project.ts'

const never = 'await new Promise(() => {})\nexport default []'

it('a fixture file whose function gives what never settles is given up', async () => {
  const text = '/* defineFixture */ export default () => ({ then() {} })'
  const project = new Project({ 'a.ts': text })
  const loading = createModuleLoader(project.root, { timeLimit: 30 }).load(project.path('a.ts'), 'a.ts', text)
  expect((await loading).source).toMatchObject({
    diagnostic: {
      code: 'fixture-timeout',
      file: 'a.ts',
      message: 'The fixture file gave no routes within 0.03 seconds: its function did not settle.',
    },
  })
})

it('the next save is read, whatever the one before goes on to wait for', async () => {
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
  const project = new Project({ 'a.ts': never })
  const stop = new AbortController()
  const modules = createModuleLoader(project.root, { timeLimit: 60_000, signal: stop.signal })
  const loading = modules.load(project.path('a.ts'), 'a.ts', never)
  stop.abort()
  expect((await loading).source).toHaveProperty('diagnostic')
  expect((await modules.load(project.path('a.ts'), 'a.ts', never)).source).toHaveProperty('diagnostic')
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
