/* The plugins: what each host takes, and the options. */
import type { Configuration as RspackConfiguration, RspackPluginInstance } from '@rspack/core'
import type { RsbuildConfig, RsbuildPlugin } from '@rsbuild/core'
import unplugin, { MockApiError, type Diagnostic, type Logger } from 'unplugin-mock-api'
import rsbuild, { mockApi as namedRsbuild } from 'unplugin-mock-api/rsbuild'
import rspack, { mockApi as namedRspack } from 'unplugin-mock-api/rspack'
import vite, { mockApi as namedVite, type Options } from 'unplugin-mock-api/vite'
import webpack, { mockApi as namedWebpack } from 'unplugin-mock-api/webpack'
import type { PluginOption, UserConfig } from 'vite'
import { expectTypeOf } from 'vitest'
import type { Configuration as WebpackConfiguration, WebpackPluginInstance } from 'webpack'

expectTypeOf(vite()).toExtend<PluginOption>()
expectTypeOf(webpack()).toExtend<WebpackPluginInstance>()
expectTypeOf(rspack()).toExtend<RspackPluginInstance>()
expectTypeOf(rsbuild()).toExtend<RsbuildPlugin>()

export const configs = [
  { plugins: [vite(), [namedVite()]] } satisfies UserConfig,
  { plugins: [webpack(), namedWebpack()] } satisfies WebpackConfiguration,
  { plugins: [rspack(), namedRspack()] } satisfies RspackConfiguration,
  { plugins: [rsbuild(), namedRsbuild()] } satisfies RsbuildConfig,
]
// @ts-expect-error -- a plugin for webpack is none for Vite
export const swapped: PluginOption = webpack()

expectTypeOf(vite).parameters.toEqualTypeOf<[options?: Options | undefined]>()
expectTypeOf(webpack).parameters.toEqualTypeOf<[options?: Options | undefined]>()
expectTypeOf(rspack).parameters.toEqualTypeOf<[options?: Options | undefined]>()
expectTypeOf(rsbuild).parameters.toEqualTypeOf<[options?: Options | undefined]>()
expectTypeOf(unplugin.vite).toEqualTypeOf(vite)
expectTypeOf(unplugin.webpack).toEqualTypeOf(webpack)
expectTypeOf(unplugin.rspack).toEqualTypeOf(rspack)
expectTypeOf(unplugin.rsbuild).toEqualTypeOf(rsbuild)

// @ts-expect-error -- an unknown option
vite({ fixture: 'mocks' })
// @ts-expect-error -- an unknown option
webpack({ fixture: 'mocks' })
// @ts-expect-error -- an unknown option
rspack({ fixture: 'mocks' })
// @ts-expect-error -- an unknown option
rsbuild({ fixture: 'mocks' })
// @ts-expect-error -- the host decides who may read
vite({ cors: true })

const logger: Logger = { info() {}, warn() {}, error() {} }
vite({
  root: '.',
  fixtures: ['mocks/*.yaml', 'templates'],
  base: '/api',
  enabled: process.env['MOCK'],
  unmatched: 'passthrough',
  navigation: 'passthrough',
  scenario: ['payment-down'],
  bodyLimit: 1,
  functionTimeout: 0,
  routeHeader: false,
  graphql: { path: '/query', strict: true, shape: true, schema: 'schema.graphql', maxDepth: 10 },
  logLevel: 'silent',
  logger,
  watch: false,
  inspector: { preview: true },
  record: { target: 'https://example.com' },
  build: { type: 'service-worker', badge: true },
})
// Each may be the value of a variable that is not set.
vite({ root: undefined, fixtures: undefined, scenario: undefined, graphql: { path: undefined } })
// @ts-expect-error -- a folder, or a list of them
vite({ fixtures: 1 })
// @ts-expect-error -- a path
vite({ base: ['/api'] })
// @ts-expect-error -- true, false or text
vite({ enabled: 1 })
// @ts-expect-error -- "error" or "passthrough"
vite({ unmatched: 'pass' })
// @ts-expect-error -- "answer" or "passthrough"
vite({ navigation: true })
// @ts-expect-error -- bytes
vite({ bodyLimit: '1mb' })
// @ts-expect-error -- a level
vite({ logLevel: 'debugging' })
// @ts-expect-error -- all functions of a logger
vite({ logger: { info() {} } })
// @ts-expect-error -- true, false, or { preview }
vite({ inspector: 'preview' })
// @ts-expect-error -- an unknown kind of build
vite({ build: 'worker' })
// @ts-expect-error -- an unknown option of GraphQL
vite({ graphql: { pth: '/graphql' } })
// @ts-expect-error -- true or false
vite({ graphql: { strict: 'yes' } })

try {
  vite()
} catch (error) {
  if (error instanceof MockApiError) expectTypeOf(error.diagnostics).toEqualTypeOf<readonly Diagnostic[]>()
}
declare const diagnostic: Diagnostic
// @ts-expect-error -- a code that no diagnostic has
export const isUnknown = diagnostic.code === 'no-such-code'
export const isKnown = diagnostic.code === 'option-unknown'
