/*
 * The types of the built package, as a project that installed it compiles them: with `skipLibCheck: false`, so that they
 * have to hold by themselves. Slow, since that checks the types of all bundlers too. Needs `npm run build`, which `npm test` does first.
 */
import { join, relative } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProjectInPackage, type TestProject } from './hosts/test-project.ts'

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

let project: TestProject
beforeAll(() => {
  project = createProjectInPackage({
    'esm.mts': others + asModule + common,
    'esm.ts': others + asModule + common,
    'cjs.cts': others + asCommonJs + common,
    'interop.cts': others + asModule + common,
    // In a project of its own, `types` in tsconfig.json names it.
    'app.ts': `
      import type {} from 'unplugin-mock-api/hot'
      import.meta.hot?.on('mock-api:reload', ({ routeCount, errors }): number => routeCount + errors)
      // @ts-expect-error -- a number
      import.meta.hot?.on('mock-api:reload', ({ errors }) => errors.length)
    `,
    'module.ts': `
      import { handler, routes } from 'virtual:mock-api'
      export const answer: Promise<Response | undefined> = handler(new Request('http://localhost/'))
      export const paths: string[] = routes.map(({ path }) => path)
      // @ts-expect-error -- a list
      routes.path
    `,
  })
})
afterAll(() => project.close())

const node16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }
const nodenext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }

it.each([
  ['node16', ['esm.mts', 'cjs.cts', 'interop.cts'], node16],
  ['nodenext', ['esm.mts', 'cjs.cts', 'interop.cts'], nodenext],
  ['bundler', ['esm.ts'], bundler],
])('%s', { timeout: 120_000 }, (_, files, options) => {
  expect(errorsOf(files, options)).toEqual([])
})

it('the event of import.meta.hot is typed where the application names unplugin-mock-api/hot', () => {
  expect(errorsOf(['app.ts'], { ...bundler, types: ['vite/client'] })).toEqual([])
})

it('virtual:mock-api is typed where the application names unplugin-mock-api/virtual', () => {
  expect(errorsOf(['../../virtual.d.ts', 'module.ts'], bundler)).toEqual([])
})

function errorsOf(files: string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(
    files.map((file) => join(project.root, file)),
    {
      target: ts.ScriptTarget.ES2022,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      esModuleInterop: true,
      skipLibCheck: false,
      types: ['node'],
      ...options,
    },
  )
  return (
    ts
      .getPreEmitDiagnostics(program)
      // The types of Rsbuild 2.2 do not hold under node16, with or without us.
      .filter(({ file }) => !file?.fileName.includes('/node_modules/@rsbuild/core/compiled/'))
      .map(({ file, messageText }) => {
        const place = file ? relative(project.root, file.fileName) : ''
        return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      })
  )
}
