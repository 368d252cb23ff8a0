/*
 * The types of the packed package where none of the bundlers is installed, with `skipLibCheck: false`. Needs `npm run build`.
 * (`types.slow.test.ts` has the bundlers beside it.)
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

const project = mkdtempSync(join(tmpdir(), 'types-'))
const installed = join(project, 'node_modules/unplugin-mock-api')
mkdirSync(installed, { recursive: true })
for (const part of ['dist', 'package.json', 'fixture.schema.json'])
  cpSync(join(packageRoot, part), join(installed, part), { recursive: true })
mkdirSync(join(project, 'node_modules/@types'))
symlinkSync(join(packageRoot, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
symlinkSync(join(packageRoot, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'))
afterAll(() => rmSync(project, { recursive: true }))

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

it.each([
  ['an ES module under node16', 'esm.mts', esm, 'node16', 'node16'],
  ['an ES module under nodenext', 'esm.mts', esm, 'nodenext', 'nodenext'],
  ['an ES module for a bundler', 'esm.mts', esm, 'esnext', 'bundler'],
  ['a CommonJS file under node16', 'commonjs.cts', commonjs, 'node16', 'node16'],
  ['a CommonJS file under nodenext', 'commonjs.cts', commonjs, 'nodenext', 'nodenext'],
])('%s', async (_, file, source, module, moduleResolution) => {
  writeFileSync(join(project, file), source)
  const flags = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2023']
  const lib = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node']
  const args = [tsc, '--noEmit', '--strict', '--skipLibCheck', 'false', ...flags, ...lib, file]
  const { stdout } = await run(process.execPath, args, { cwd: project }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
