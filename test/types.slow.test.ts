/*
 * The types of the built package, as a project compiles them that has installed it. Beside the bundlers, in `types/` too, which
 * has a file for each subject; and where no bundler is installed. With `skipLibCheck: false`, so that they have to hold by
 * themselves. Needs `npm run build`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { projectOfTest } from './hosts/of-test.ts'
import { createProjectInPackage } from './hosts/test-project.ts'
import { npm } from './installed/install.ts'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))

const common = `
const options: Options = { base: '/api' }
const plugins = [vite(options), vite(), webpack(options), rspack(options), rsbuild(options), webpackPlugin()]
const all = [unplugin.vite(options), unplugin.webpack(), unplugin.rspack(), unplugin.rsbuild()]
// @ts-expect-error -- an unknown option
vite({ fixture: 'mocks' })
createHttpServer(createMiddleware({ cors: true }))
createHttp2Server(createMiddleware())
connect().use(createMiddleware())
express().use(createMiddleware())
const fixture = defineFixture([{ path: '/a', response: ({ params }) => ({ body: params.id }) }])
const later = defineFixture(async () => [{ path: '/a', response: { body: 1 } }])
// @ts-expect-error -- an unknown key
defineFixture([{ path: '/a', respnse: {} }])
const handler: FetchHandler = createFetchHandler(fixture, { base: '/api' })
const diagnostics: readonly Diagnostic[] = new MockApiError([]).diagnostics
export const used = [plugins, all, later, handler, diagnostics]
`
const others = `
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
`
const asModule = `
import connect from 'connect'
import express from 'express'
import vite, { type Options } from 'unplugin-mock-api/vite'
import webpack, { mockApi as webpackPlugin } from 'unplugin-mock-api/webpack'
import rspack from 'unplugin-mock-api/rspack'
import rsbuild from 'unplugin-mock-api/rsbuild'
import unplugin, { MockApiError, type Diagnostic } from 'unplugin-mock-api'
import { createMiddleware } from 'unplugin-mock-api/connect'
import { createFetchHandler, type FetchHandler } from 'unplugin-mock-api/fetch'
import { defineFixture } from 'unplugin-mock-api/fixture'
`
const asCommonJs = `
import connect = require('connect')
import express = require('express')
import vite = require('unplugin-mock-api/vite')
import webpack = require('unplugin-mock-api/webpack')
import rspack = require('unplugin-mock-api/rspack')
import rsbuild = require('unplugin-mock-api/rsbuild')
import packageRoot = require('unplugin-mock-api')
import { createMiddleware } from 'unplugin-mock-api/connect'
import { createFetchHandler, type FetchHandler } from 'unplugin-mock-api/fetch'
import { defineFixture } from 'unplugin-mock-api/fixture'
const { default: unplugin, MockApiError } = packageRoot
const webpackPlugin = webpack.mockApi
const fromDefault = webpack.default({ base: '/api' })
type Options = vite.Options
type Diagnostic = packageRoot.Diagnostic
export { fromDefault }
`

const node16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }
const nodenext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }

const subjects = readdirSync(new URL('types/', import.meta.url))
const beside = {
  'esm.mts': others + asModule + common,
  'esm.ts': others + asModule + common,
  'cjs.cts': others + asCommonJs + common,
  'interop.cts': others + asModule + common,
  'tests.mts': ['client', 'load', 'vitest', 'msw']
    .map((entry) => `export type * from 'unplugin-mock-api/${entry}'`)
    .join('\n'),
  ...Object.fromEntries(
    subjects.map((name) => [name, readFileSync(new URL(`types/${name}`, import.meta.url), 'utf8')]),
  ),
}
const ambient = ['../../virtual.d.ts', '../../hot.d.ts']
const strictest = {
  ...bundler,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node', 'vite/client'],
}

it.each<[string, files: string[], ts.CompilerOptions]>([
  ['node16', ['esm.mts', 'cjs.cts', 'interop.cts'], node16],
  ['nodenext', ['esm.mts', 'cjs.cts', 'interop.cts', 'tests.mts'], nodenext],
  ['bundler', ['esm.ts'], bundler],
  ['types/', [...subjects, ...ambient], strictest],
])('beside the bundlers: %s', { timeout: 300_000 }, (_, files, options) => {
  expect(errorsOf(projectOfTest(beside, createProjectInPackage).root, files, options)).toEqual([])
})

/** What many projects still have, and what a new one gets. Installed elsewhere: their command has the name of ours. */
it.each(['5.9', '7.0'])('beside the bundlers, with TypeScript %s', async (version) => {
  const compiler = projectOfTest({ 'package.json': '{}' }).root
  await npm.add(compiler, `typescript@~${version}`)
  const options = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, noEmit: true }
  const project = projectOfTest(
    {
      ...beside,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...options,
          module: 'nodenext',
          skipLibCheck: false,
          types: ['node', 'vite/client'],
        },
        files: ['esm.mts', 'cjs.cts', 'interop.cts', 'tests.mts', ...subjects, ...ambient],
      }),
    },
    createProjectInPackage,
  )
  const script = join(compiler, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [script, '--pretty', 'false'], {
    cwd: project.root,
    encoding: 'utf8',
  })
  expect(stdout.split('\n').filter((line) => line && !line.includes('@rsbuild/core/compiled/'))).toEqual([])
})

describe('without a bundler', () => {
  const esm = `
import plugins, { MockApiError, type Diagnostic } from 'unplugin-mock-api'
import rsbuild from 'unplugin-mock-api/rsbuild'
import rspack from 'unplugin-mock-api/rspack'
import vite, { mockApi, type Options } from 'unplugin-mock-api/vite'
import webpack from 'unplugin-mock-api/webpack'
import { createMiddleware } from 'unplugin-mock-api/connect'
import { createFetchHandler } from 'unplugin-mock-api/fetch'
import { defineFixture, type Fixture } from 'unplugin-mock-api/fixture'

const options: Options = { base: '/api' }
export const names: string[] = [vite(options).name, mockApi().name, plugins.vite().name, rsbuild().name]
export const apply: ((compiler: object) => void)[] = [webpack().apply, rspack(options).apply]
export const middleware = createMiddleware(options)
export const places = (error: MockApiError): readonly Diagnostic[] => error.diagnostics

const routes = defineFixture([{ path: '/a/:id', response: ({ params }) => ({ body: { id: params['id'] } }) }])
export const handler: (request: Request) => Promise<Response | undefined> = createFetchHandler(routes)
export const list: Fixture = routes
export const lazy: () => Fixture | Promise<Fixture> = defineFixture(async () => [{ path: '/a', response: {} }])
// @ts-expect-error: a wrong key
defineFixture([{ path: '/a', respnse: {} }])
// @ts-expect-error: a wrong option
vite({ bas: '/api' })
`

  const commonjs = `
import webpack = require('unplugin-mock-api/webpack')
import vite = require('unplugin-mock-api/vite')
import plugins = require('unplugin-mock-api')
import connect = require('unplugin-mock-api/connect')
import fixture = require('unplugin-mock-api/fixture')

const options: webpack.Options = { base: '/api' }
webpack(options).apply({})
webpack.mockApi().apply({})
webpack.default().apply({})
const name: string = vite().name
plugins.vite({ base: name })
connect.createMiddleware()
fixture.defineFixture([{ path: '/a', response: {} }])
`

  it.each<[string, file: string, ts.CompilerOptions]>([
    ['an ES module under node16', 'esm.mts', node16],
    ['an ES module under nodenext', 'esm.mts', nodenext],
    ['an ES module for a bundler', 'esm.mts', bundler],
    ['a CommonJS file under node16', 'commonjs.cts', node16],
    ['a CommonJS file under nodenext', 'commonjs.cts', nodenext],
  ])('%s', { timeout: 120_000 }, (_, file, options) => {
    const { root } = projectOfTest({ 'esm.mts': esm, 'commonjs.cts': commonjs })
    const modules = join(root, 'node_modules')
    for (const part of ['dist', 'package.json', 'fixture.schema.json'])
      cpSync(join(packageRoot, part), join(modules, 'unplugin-mock-api', part), { recursive: true })
    mkdirSync(join(modules, '@types'))
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name))
    // Not the types beside the tests.
    const typeRoots = [join(modules, '@types')]
    const own = { target: ts.ScriptTarget.ES2023, exactOptionalPropertyTypes: false, typeRoots, ...options }
    expect(errorsOf(root, [file], own)).toEqual([])
  })
})

function errorsOf(root: string, files: string[], options: ts.CompilerOptions): string[] {
  const paths = files.map((file) => join(root, file))
  const program = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    esModuleInterop: true,
    skipLibCheck: false,
    types: ['node'],
    ...options,
  })
  return (
    ts
      .getPreEmitDiagnostics(program)
      // The types of Rsbuild 2.2 do not hold under node16, with or without us.
      .filter(({ file }) => !file?.fileName.includes('/node_modules/@rsbuild/core/compiled/'))
      .map(({ file, start, messageText }) => {
        const line = file && file.getLineAndCharacterOfPosition(start ?? 0).line + 1
        const place = file ? `${relative(root, file.fileName)}:${line}` : ''
        return `${place} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      })
  )
}

describe('in an editor', () => {
  const text = (route: string) =>
    `import { defineFixture } from 'unplugin-mock-api/fixture'\nexport default defineFixture([${route}])\n`

  /** What the editor says about the text of a fixture file. */
  function editorOf(content: string) {
    const file = join(packageRoot, 'a-fixture.ts')
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, strict: true, types: [] }
    const read = (name: string) => (name === file ? content : ts.sys.readFile(name))
    return ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, moduleResolution: ts.ModuleResolutionKind.Bundler }),
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: (name) => {
        const found = read(name)
        return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
      },
      getCurrentDirectory: () => packageRoot,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (name) => name === file || ts.sys.fileExists(name),
      readFile: read,
      directoryExists: ts.sys.directoryExists.bind(ts.sys),
    })
  }
  const name = join(packageRoot, 'a-fixture.ts')

  it('each key of a fixture has its description', () => {
    const content = text(
      `{ name: 'a', method: 'GET', path: '/a', when: { query: { p: 2 }, params: {}, variables: {} },
         response: { status: 200, body: {}, headers: {}, delay: 3 }, paginate: { perPage: 3, items: [] } }`,
    )
    const editor = editorOf(content)
    expect(editor.getSemanticDiagnostics(name)).toEqual([])
    const keys = [...content.matchAll(/(?<=[{,]\s+)\w+(?=: )/g)].filter(({ 0: key }) => key !== 'p')
    const bare = keys.filter(
      ({ index }) => !editor.getQuickInfoAtPosition(name, index)?.documentation?.length,
    )
    // TypeScript shows no comment over a key that two alternatives have, but it does in the list of keys.
    expect([keys.length, bare.map(([key]) => key)]).toEqual([15, ['path']])
    const listed = editor.getCompletionEntryDetails(
      ...([name, content.indexOf("path: '/a'"), 'path'] as const),
      ...([undefined, undefined, undefined, undefined] as const),
    )
    expect(ts.displayPartsToString(listed?.documentation)).toMatch(/^The path: /)
  })

  it.each([
    [`{ pth: '/a' }`, "'pth'", "'path'"],
    [`{ path: '/a', respnse: {} }`, "'respnse'", "'response'"],
  ])('the misspelt key of %s names the right one', (route, wrong, right) => {
    const [found] = editorOf(text(route)).getSemanticDiagnostics(name)
    const message = ts.flattenDiagnosticMessageText(found!.messageText, '\n')
    expect(message).toContain(`${wrong} does not exist`)
    expect(message).toContain(`Did you mean to write ${right}?`)
  })
})
