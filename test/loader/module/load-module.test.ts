import { readFileSync, symlinkSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Diagnostic } from '../../../src/core/diagnostics/diagnostic.ts'
import { createModuleLoader, type ModuleLoader } from '../../../src/loader/module/load-module.ts'
import { Project, type Files } from '../project.ts'

async function load(
  project: Project,
  path: string,
  modules: ModuleLoader = createModuleLoader(project.root),
) {
  const text = readFileSync(project.path(path), 'utf8')
  const { source, dependencies } = await modules.load(project.path(path), path, text)
  return { source, dependencies: dependencies.map((file) => relative(project.root, file)).sort() }
}

/** What a fixture file exports by default; an error where it can not be loaded. */
async function valueOf(project: Project, path: string, modules?: ModuleLoader): Promise<unknown> {
  const { source } = await load(project, path, modules)
  if ('diagnostic' in source) throw new Error(`${source.diagnostic.code}: ${source.diagnostic.message}`)
  return source.value
}

describe('errors', () => {
  const failed = 'fixture-import-failed'
  const imported = "import { make } from './lib'\n\nexport default make()\n"
  it.each<[expected: string, reason: RegExp, text: string, lib?: string]>([
    [`${failed} a.ts:3`, /no luck/, "interface I {}\n\nthrow new RangeError('no luck')\nexport default [] as I[]"],
    [`${failed} a.ts:4`, /\w/, '\n\nconst x = undefined\nexport default x.y.z\n'],
    [`${failed} a.ts:1`, /it threw a text/, "throw 'a text'\n"],
    [`${failed} a.ts:1`, /it threw undefined/, 'throw undefined\n'],
    [`${failed} a.ts:2`, /no list/, "export default () => {\n  throw new Error('no list')\n}\n"],
    [`${failed} a.ts:3`, /no list/, "export default async () => {\n  await null\n  throw new Error('no list')\n}"],
    [`${failed} a.ts:1`, /it threw undefined/, 'export default () => Promise.reject()\n'],
    [`${failed} lib.ts:4`, /in it/, imported, 'interface I {}\n\nfunction fail(): I {\n  throw new Error("in it")\n}\nfail()'],
    [`${failed} lib.ts:4`, /\w/, imported, 'interface A {}\n\nexport function make(): A {\n  return (undefined as any).x\n}\n'],
    ['fixture-syntax lib.ts:3', /\w/, imported, 'const x = 1\nconst y = [1\nconst z = 3\n'],
    [`${failed} a.ts:2`, /nowhere/, "\nimport { x } from './nowhere'\nexport default [x]\n"],
    [`${failed} a.ts:2`, /no-such-package/, "\nimport { x } from 'no-such-package'\nexport default [x]\n"],
    ['fixture-no-default-export a.ts:1', /no default export/, ''],
    ['fixture-no-default-export a.ts:1', /no default export/, 'export default undefined\n'],
    ['fixture-no-default-export a.ts:1', /no default export/, 'export interface A {}\nexport type B = A\n'],
  ])('%s, %s: %j', async (expected, reason, text, lib = '') => {
    const { source } = await load(new Project({ 'a.ts': text, 'lib.ts': lib }), 'a.ts')
    const { diagnostic } = source as { diagnostic: Diagnostic }
    const { code, severity, file, line = 1, message, fix } = diagnostic
    expect([severity, `${code} ${file}:${line}`]).toEqual(['error', expected])
    expect(message).toMatch(reason)
    expect(fix).toMatch(/^(Correct|Write)/)
  }) // prettier-ignore

  it('says the same when it is loaded again without a change', async () => {
    const project = new Project({
      'a.ts': "throw new Error('always')",
      'b.ts': "import './helper'\nexport default []",
      'helper.ts': "export const x = 1\nthrow new Error('in the helper')",
      'c.ts': 'export const x = 1',
      'd.ts': "import './missing'\nexport default []",
      'e.ts': "export default () => { throw new Error('called') }",
      'f.ts': 'export default [',
      'g.cjs': 'module.exports = [',
    })
    const modules = createModuleLoader(project.root)
    for (const path of ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts', 'g.cjs']) {
      const { source } = await load(project, path, modules)
      expect((await load(project, path, modules)).source, path).toEqual(source)
      expect(source).toHaveProperty('diagnostic')
    }
  })
})

describe('dependencies', () => {
  // The forms of imports are those of module-imports.test.ts.
  it.each<[imports: string, expected: string[]]>([
    ["import { b } from './lib/b'", ['lib/b.ts']],
    ["import { b } from './lib/b.js'", ['lib/b.ts']],
    ["const { b } = require('./lib/b')", ['lib/b.ts']],
    ["import { d } from './lib/d.mjs'", ['lib/d.mjs']],
    ["import e from './lib/e.json'", ['lib/e.json']],
    ["import { f } from './lib/f'", ['lib/f.js']],
    ["import { c } from './lib/'", ['c.ts', 'lib/index.ts']],
    ["import { g } from '../g'\nimport { c } from './lib'", ['../g.ts', 'c.ts', 'lib/index.ts']],
    ["import { readFileSync } from 'node:fs'", []],
  ])('%s', async (imports, expected) => {
    const project = new Project({
      'app/lib/b.ts': 'export const b = 1',
      'app/lib/index.ts': "export { c } from '../c.js'",
      'app/c.ts': 'export const c = 1',
      'app/lib/d.mjs': 'export const d = 1',
      'app/lib/e.json': '{ "e": 1 }',
      'app/lib/f.js': 'exports.f = 1',
      'g.ts': 'export const g = 1',
      'app/a.ts': `${imports}\nexport default [];\n`,
    })
    const root = project.path('app')
    const { source, dependencies } = await createModuleLoader(root).load(project.path('app/a.ts'), 'a.ts', '')
    expect(source).toMatchObject({ value: [] })
    expect(dependencies.map((path) => relative(root, path)).sort()).toEqual(expected)
  })

  it('are known of a module that fails', async () => {
    const project = new Project({
      'a.ts': "import './b'\nexport default [",
      'b.ts': "import './c'\n",
      'c.ts': "throw new Error('x')",
      'd.ts': "import './b'\nexport default []",
    })
    expect((await load(project, 'a.ts')).dependencies).toEqual(['b.ts', 'c.ts'])
    expect((await load(project, 'd.ts')).dependencies).toEqual(['b.ts', 'c.ts'])
  })

  it('of modules that import each other', async () => {
    const project = new Project({
      'a.ts': "import { b } from './b'\nexport const a = 1\nexport default [b]",
      'b.ts':
        "import { a } from './a'\nimport { c } from './c'\nexport const b = 2\nexport const d = () => a + c",
      'c.ts': "import { b } from './b'\nexport const c = () => b",
    })
    const { source, dependencies } = await load(project, 'a.ts')
    expect(source).toMatchObject({ value: [2] })
    expect(dependencies).toEqual(expect.arrayContaining(['b.ts', 'c.ts']))
  })
})

describe('forget', () => {
  const chain: Files = {
    'a.ts': "import { b } from './lib/b'\nexport default [b]",
    'other.ts': "import { c } from './lib/c'\nexport default [c]",
    'apart.ts': 'export default [globalThis.Math.random()]',
    'lib/b.ts': "import { c } from './c'\nexport const b = `b${c}`",
    'lib/c.ts': 'export const c = 1',
  }
  it.each<[name: string, edits: Files, a: unknown[], other: unknown[]]>([
    ['the fixture file', { 'a.ts': 'export default [9]' }, [9], [1]],
    ['a module it imports', { 'lib/b.ts': "import { c } from './c'\nexport const b = `B${c}`" }, ['B1'], [1]],
    ['a module that a module imports, shared by two', { 'lib/c.ts': 'export const c = 2' }, ['b2'], [2]],
    [
      'several at once',
      {
        'lib/c.ts': 'export const c = 2',
        'lib/b.ts': "export const b = 'b'",
        'a.ts': "export { b as default } from './lib/b'",
      },
      'b' as never,
      [2],
    ],
    [
      'a new import',
      { 'lib/b.ts': "import { d } from './d'\nexport const b = d", 'lib/d.ts': 'export const d = 4' },
      [4],
      [1],
    ],
  ])('%s', async (_, edits, a, other) => {
    const project = new Project(chain)
    const modules = createModuleLoader(project.root)
    expect(await valueOf(project, 'a.ts', modules)).toEqual(['b1'])
    expect(await valueOf(project, 'other.ts', modules)).toEqual([1])
    const apart = await valueOf(project, 'apart.ts', modules)
    for (const [path, text] of Object.entries(edits)) project.write(path, text)
    for (const path of Object.keys(edits)) modules.forget(project.path(path))
    expect(await valueOf(project, 'a.ts', modules)).toEqual(a)
    expect(await valueOf(project, 'other.ts', modules)).toEqual(other)
    expect(await valueOf(project, 'apart.ts', modules)).toEqual(apart)
  })

  const esm = '{ "type": "module" }'
  it.each<[what: string, fixture: string, helper: string, manifest: string]>([
    ['TypeScript', 'a.ts', 'b.ts', '{}'],
    ['TypeScript in an ESM package', 'a.ts', 'b.ts', esm],
    ['explicit ESM', 'a.mjs', 'b.mjs', '{}'],
    ['explicit ESM in TypeScript', 'a.mts', 'b.mts', '{}'],
    ['JavaScript in an ESM package', 'a.js', 'b.js', esm],
    ['JavaScript in a CommonJS package', 'a.js', 'b.js', '{}'],
    ['TypeScript with a helper in explicit ESM', 'a.ts', 'b.mjs', '{}'],
    ['TypeScript with a helper in JavaScript', 'a.ts', 'b.js', esm],
    ['JavaScript with a helper in TypeScript', 'a.mjs', 'b.ts', esm],
    ['TypeScript with JSON', 'a.ts', 'b.json', esm],
  ])('%s: %s and %s', async (_, fixture, helper, manifest) => {
    const json = helper.endsWith('json')
    const main = (x: string) =>
      `import ${json ? 'b' : '{ b }'} from './${helper}'\nexport default ['${x}', b]`
    const part = (x: number) => (json ? JSON.stringify({ x }) : `export const b = { x: ${x} }`)
    const project = new Project({ 'package.json': manifest, [fixture]: main('one'), [helper]: part(1) })
    const modules = createModuleLoader(project.root)
    expect(await valueOf(project, fixture, modules)).toEqual(['one', { x: 1 }])
    for (const round of [2, 3]) {
      project.write(helper, part(round))
      modules.forget(project.path(helper))
      expect(await valueOf(project, fixture, modules)).toEqual([round === 2 ? 'one' : 'two', { x: round }])
      project.write(fixture, main('two'))
      modules.forget(project.path(fixture))
      expect(await valueOf(project, fixture, modules)).toEqual(['two', { x: round }])
    }
  })

  it.each<[what: string, files: Files, steps: [edits: Files, value: unknown][]]>([
    [
      'CommonJS modules that require each other',
      { 'a.js': "module.exports = [require('./b')]", 'b.js': 'module.exports = 1' },
      [
        [{}, [1]],
        [{ 'b.js': 'module.exports = 2' }, [2]],
        [{ 'a.js': "module.exports = [require('./b'), 3]" }, [2, 3]],
      ],
    ],
    [
      'a top-level await',
      { 'a.mts': 'export default await Promise.resolve([1])' },
      [
        [{}, [1]],
        [{ 'a.mts': 'export default await Promise.resolve([2])' }, [2]],
      ],
    ],
    [
      'an import that an edit of a helper brought',
      {
        'a.ts': "export { b as default } from './b'",
        'b.ts': 'export const b = [1]',
        'c.ts': 'export const b = [2]',
      },
      [
        [{}, [1]],
        [{ 'b.ts': "export { b } from './c'" }, [2]],
        [{ 'c.ts': 'export const b = [3]' }, [3]],
      ],
    ],
    [
      'errors of the file, and of a helper',
      { 'a.ts': "import './b'\nexport default [1]", 'b.ts': "throw new Error('x')" },
      [
        [{}, 'fixture-import-failed'],
        [{ 'b.ts': '' }, [1]],
        [{ 'a.ts': 'export default [' }, 'fixture-syntax'],
        [{ 'a.ts': "import './missing'\nexport default [2]" }, 'fixture-import-failed'],
        [{ 'missing.ts': '' }, [2]],
      ],
    ],
  ])('%s', async (_, files, steps) => {
    const project = new Project(files)
    const modules = createModuleLoader(project.root)
    const [fixture] = Object.keys(files)
    for (const [edits, expected] of steps) {
      for (const [path, text] of Object.entries(edits)) {
        project.write(path, text)
        modules.forget(project.path(path))
      }
      const { source } = await load(project, fixture!, modules)
      expect('diagnostic' in source ? source.diagnostic.code : source.value).toEqual(expected)
    }
  })

  it('in a linked folder: the file, and a helper', async () => {
    const project = new Project({
      'real/a.ts': "export { b as default } from './b'",
      'real/b.ts': 'export const b = [1]',
    })
    symlinkSync(project.path('real'), project.path('link'))
    const modules = createModuleLoader(project.root)
    const { dependencies } = await load(project, 'link/a.ts', modules)
    expect(await valueOf(project, 'link/a.ts', modules)).toEqual([1])
    project.write('real/b.ts', 'export const b = [2]')
    for (const path of dependencies) modules.forget(project.path(path))
    expect(await valueOf(project, 'link/a.ts', modules)).toEqual([2])
    project.write('real/a.ts', 'export default [3]')
    modules.forget(project.path('link/a.ts'))
    expect(await valueOf(project, 'link/a.ts', modules)).toEqual([3])
  })

  it('evaluates a helper that two fixtures share once', async () => {
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'mockApiEvaluations'))
    const project = new Project({
      'a.ts': "import { evaluations } from './shared'\nexport default [evaluations]",
      'b.ts': "import { evaluations } from './shared'\nexport default [evaluations]",
      'shared.ts':
        'export const evaluations = (globalThis.mockApiEvaluations = (globalThis.mockApiEvaluations ?? 0) + 1)',
    })
    const modules = createModuleLoader(project.root)
    expect(await valueOf(project, 'a.ts', modules)).toEqual([1])
    expect(await valueOf(project, 'b.ts', modules)).toEqual([1])
    modules.forget(project.path('shared.ts'))
    expect(await valueOf(project, 'a.ts', modules)).toEqual([2])
    expect(await valueOf(project, 'b.ts', modules)).toEqual([2])
  })

  it('what is unknown, or before anything is loaded, is nothing to forget', async () => {
    const project = new Project({ 'a.ts': 'export default [1]' })
    const modules = createModuleLoader(project.root)
    modules.forget(project.path('a.ts'))
    expect(await valueOf(project, 'a.ts', modules)).toEqual([1])
    modules.forget(project.path('nowhere.ts'))
    expect(await valueOf(project, 'a.ts', modules)).toEqual([1])
  })
})

describe('a new loader', () => {
  it.each<[what: string, edits: Files]>([
    ['fixture file', { 'a.ts': 'export default [2]' }],
    ['helper', { 'b.ts': 'export const b = [2]' }],
  ])(
    'sees the current state of a %s, whatever another loader of the process has cached',
    async (_, edits) => {
      const project = new Project({
        'a.ts': "export { b as default } from './b'",
        'b.ts': 'export const b = [1]',
      })
      expect(await valueOf(project, 'a.ts')).toEqual([1])
      for (const [path, text] of Object.entries(edits)) project.write(path, text)
      expect(await valueOf(project, 'a.ts')).toEqual([2])
    },
  )
})

it('gives the exported routes, whatever the module does to them later', async () => {
  const source =
    "const routes = [{ path: '/a', response: { body: { n: 1 } } }]\nexport default routes\nglobalThis.changeRoutes = () => { routes[0].response.body.n = 2; routes.push({ path: '/b' }) }\n"
  const project = new Project({ 'a.ts': source })
  const value = await valueOf(project, 'a.ts')
  ;(globalThis as { changeRoutes?: () => void }).changeRoutes!()
  delete (globalThis as { changeRoutes?: () => void }).changeRoutes
  expect(value).toEqual([{ path: '/a', response: { body: { n: 1 } } }])
})

it('reports an accessor of what it exports that throws', async () => {
  const project = new Project({
    'a.ts': "export default [{ get path(): string { throw new Error('no path') } }]\n",
  })
  await expect(valueOf(project, 'a.ts')).rejects.toThrow('fixture-import-failed: The fixture file failed while it was imported: no path') // prettier-ignore
})

describe('modules that are loaded concurrently', () => {
  it('several modules that import a module with a top-level await all get its exports', async () => {
    const project = new Project({
      'slow.mts': 'await new Promise((resolve) => setTimeout(resolve, 20))\nexport const path = "/a"',
      'a.mts': 'import { path } from "./slow.mts"\nexport default [{ path }]',
      'b.mts': 'import { path } from "./slow.mts"\nexport default async () => [{ path }]',
      'c.ts': 'import { path } from "./slow.mts"\nexport default [{ path }]',
    })
    const modules = createModuleLoader(project.root)
    const load = (file: string) => modules.load(project.path(file), file, '')
    const sources = await Promise.all(['a.mts', 'b.mts', 'c.ts', 'a.mts'].map(load))
    expect(sources.map(({ source }) => source)).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ value: [{ path: '/a' }] }) as unknown),
    )
  })

  it('have one deadline, not one after another; others are loaded meanwhile', async () => {
    const never = 'await new Promise(() => {})\nexport default []'
    const project = new Project({
      'a.mts': never,
      'b.mts': `import './a.mts'\n${never}`,
      'c.mts': never,
      'd.mts': 'await Promise.resolve()\nexport default () => new Promise(() => {})',
      'e.mts': 'export default []',
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const modules = createModuleLoader(project.root)
      let settled = 0
      const loading = ['a', 'b', 'c', 'd', 'e'].map(async (name) => {
        const { source } = await modules.load(project.path(`${name}.mts`), `${name}.mts`, '')
        settled++
        return 'diagnostic' in source ? source.diagnostic.code : source.value
      })
      while (settled < 1 || vi.getTimerCount() < 4) await new Promise((resolve) => setImmediate(resolve))
      expect(await loading[4]).toEqual([])
      vi.advanceTimersByTime(9_999)
      await new Promise((resolve) => setImmediate(resolve))
      expect(settled).toBe(1)
      vi.advanceTimersByTime(1)
      expect(await Promise.all(loading)).toEqual([...Array.from({ length: 4 }, () => 'fixture-timeout'), []])
    } finally {
      vi.useRealTimers()
    }
  })
})
