import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number]
const require = createRequire(import.meta.url)

const plugins = ['vite', 'webpack', 'rspack', 'rsbuild']
/** What the plugins import with `import()`. What is missing here becomes a chunk of theirs. */
const startedByPlugins = [
  'server/mock-server',
  'plugin/vite/vite-module',
  'plugin/vite/vite-demo',
  'plugin/webpack/compiler-build',
]
const servers = ['connect', 'angular', 'next', 'fetch', 'service-worker', 'load']
/** Started as the command, loaded by vitest.ts in Node, and by storybook.ts for routes of stories. */
const loadedByPath = ['cli', 'test-node', 'intercept/browser/story-routes']
/** Used in tests, loaded by webpack and Rspack, and imported by a bundled worker. They have hardly anything of a server. */
const small = [
  ...['index', 'vitest', 'jest', 'node-test', 'fixture', 'client', 'playwright', 'cypress', 'storybook'],
  ...['bundle/entry', 'bundle/module-loader', 'bundle/routes-loader', 'bundle/worker-state'],
  ...['plugin/overlay/note-loader', 'plugin/badge/badge-loader'],
]

const sourcesOf = (names: readonly string[]) => names.map((name) => `src/${name}.ts`)
const browsers = ['chrome123', 'firefox121', 'safari17.5']

/** Writes what each file holds, for scripts/licenses.ts and test/package.test.ts. */
const writeMetafile = (name: string): EsbuildPlugin => ({
  name: 'write-metafile',
  setup(build) {
    build.onEnd(({ metafile }) => {
      mkdirSync('dist', { recursive: true })
      writeFileSync(`dist/metafile-${name}.json`, JSON.stringify(metafile))
    })
  },
})

/** The whole of graphql-js takes 60 ms to load, and a GraphQL request needs its parser only, which is bundled. */
const graphqlParser = /^graphql\/(?:error|jsutils|language|utilities)\/.*\.js$/
/** Its ES modules stand beside the CommonJS that Node imports. Bundlers can leave out parts of these alone. */
const asModules: EsbuildPlugin = {
  name: 'graphql-parser-as-modules',
  setup(build) {
    build.onResolve({ filter: graphqlParser }, ({ path }) => ({
      path: require.resolve(path.replace(/js$/, 'mjs')),
      sideEffects: false,
    }))
  },
}

const graphqlJs = /^graphql\/(?:index|validation\/validate)\.js$/

/** Modules that import the whole of graphql-js take it from src/core/graphql/with-graphql-js.ts. */
const graphqlJsLater: EsbuildPlugin = {
  name: 'graphql-js-later',
  setup(build) {
    const users = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join('src', name), 'utf8'))
      .filter((text) => text.includes("'graphql/index.js'"))
      .join()
    const names = Object.keys(require('graphql') as object).filter((name) => users.includes(name))
    build.onResolve({ filter: graphqlJs }, ({ kind, path }) =>
      kind === 'import-statement'
        ? { path: 'loaded', namespace: 'graphql-js', sideEffects: false }
        : { path, external: true },
    )
    build.onLoad({ filter: /./, namespace: 'graphql-js' }, () => ({
      contents: `import { graphqlJs } from './core/graphql/with-graphql-js.ts'
export const { ${names.join()}, validateSDL } = graphqlJs`,
      resolveDir: resolve('src'),
    }))
  },
}

/** graphql-ws would bring the whole of graphql-js to every worker that may be asked for a WebSocket. */
const partsForWebSockets: EsbuildPlugin = {
  name: 'graphql-parts-for-web-sockets',
  setup(build) {
    build.onResolve({ filter: /^graphql$/ }, () => ({
      path: resolve('src/server/sockets/graphql-ws.shim.ts'),
    }))
  },
}

/** `ws` is CommonJS, and an ES module has no `require` for what it asks of Node. */
const nodeWithoutRequire: EsbuildPlugin = {
  name: 'node-without-require',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'node-without-require' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'node-without-require' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

/** Leaves what imports the source of an entry to the other build, where it is built. */
const builtApart = (names: readonly string[]): EsbuildPlugin => ({
  name: 'built-apart',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, resolveDir, path }) => {
      const name = relative('src', join(resolveDir, path)).replace(/\.ts$/, '').replaceAll('\\', '/')
      const isOther = kind !== 'entry-point' && names.includes(name)
      return isOther ? { path: `./${name}.js`, external: true } : undefined
    })
  },
})

/** What Node imports later than a server, or without one: the parts of a running server, of the loader, of the plugins, and commands. */
const afterServerFiles = new RegExp(
  `src.(?:${[
    'inspector.server.serve',
    'backend.(?:ask-backend|backend|recording)',
    'server.(?:sockets.sockets|origins.serve-origins)',
    'loader.(?:load-routes|module.project-modules|read.generate-items)',
    'reader.(?:read-yaml|read-json|explain-yaml)',
    'plugin.(?:vite.vite-(?:module|demo)|webpack.compiler-build)',
    'cli.commands.(?:serve|check|import|bundle|explore|init|mcp)',
    'test-node',
  ].join('|')})\\.ts$`,
)

/**
 * esbuild makes one file of what each set of entries shares, and a module that `import()` loads counts as an entry. A server's start
 * would load 41 files, one for each set, and use 36 ms of CPU time. If each of these parts imports the server, it loads 12 files and
 * uses 23 ms.
 */
const afterServer: EsbuildPlugin = {
  name: 'after-server',
  setup(build) {
    build.onLoad({ filter: afterServerFiles }, ({ path }) => ({
      contents: `import ${JSON.stringify(resolve('src/server/mock-server.ts'))}\n${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }))
  },
}

/** The main entries and what they share, with chunks. Packages in `devDependencies` are bundled, those in `dependencies` are not. */
const entries: Options = {
  entry: sourcesOf([...startedByPlugins, ...servers, 'msw', ...loadedByPath]),
  format: 'esm', // scripts/commonjs.ts adds what `require` returns
  target: 'node20.19',
  splitting: true,
  removeNodeProtocol: false,
  noExternal: [graphqlParser, graphqlJs, /^graphql$/],
  esbuildOptions(options) {
    // graphql-js reads it, and fetch runtimes need not have a `process`.
    options.define = { ...options.define, 'process.env.NODE_ENV': '"development"' }
    // Its build for Node is CommonJS, whose `require('process')` an ES module does not have.
    options.alias = { yaml: join(require.resolve('yaml/package.json'), '../browser/index.js') }
  },
  dts: {
    entry: sourcesOf([...plugins, ...servers, 'msw', ...small.filter((name) => !name.includes('/'))]),
    resolve: ['valibot'],
    compilerOptions: {
      ignoreDeprecations: '6.0', // tsup sets `baseUrl`, which TypeScript 6 calls deprecated
      noCheck: true, // `npm run typecheck` checks the types
    },
  },
  esbuildPlugins: [
    asModules,
    graphqlJsLater,
    partsForWebSockets,
    nodeWithoutRequire,
    afterServer,
    builtApart(plugins),
    writeMetafile('entries'),
  ],
}

/**
 * The plugins, apart from what they start: a config loads one file for Vite and three for the others, not twenty. `npm run bench`
 * says how long that takes, in a process that has loaded `node:fs` and `node:http`, as each bundler has.
 */
const pluginEntries = [['vite'], ['webpack', 'rspack', 'rsbuild']].map((names): Options => ({
  ...entries,
  entry: sourcesOf(names),
  dts: false,
  esbuildPlugins: [builtApart(startedByPlugins), writeMetafile(`plugins-${names[0]}`)],
}))

const smallEntries: Options = {
  ...entries,
  entry: sourcesOf(small),
  dts: false,
  external: ['@jest/globals'], // made by Jest itself, and by Bun
  esbuildPlugins: [asModules, builtApart([...plugins, ...loadedByPath]), writeMetafile('small')],
}

/** What modules call that src/bundle/write-module.ts writes. One file, so that it stays small in bundles. */
const routesRuntime: Options = {
  entry: { 'routes-runtime': 'src/bundle/runtime.ts' },
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  splitting: false,
  esbuildPlugins: [writeMetafile('routes-runtime')],
}

/** The inspector's page. */
const inspector: Options = {
  entry: { inspector: 'src/inspector/page/main.tsx', index: 'src/inspector/page/index.html' },
  outDir: 'dist/inspector',
  format: 'esm',
  platform: 'browser',
  target: browsers,
  noExternal: [graphqlParser],
  loader: { '.html': 'copy' },
  minify: true,
  splitting: false,
  esbuildPlugins: [asModules, writeMetafile('inspector')],
}

/**
 * What pages run before the application: of demo builds, for misses, and while fixtures have routes of other origins. One script each,
 * which is read as text.
 */
const pageScripts = [
  ['service-worker-page', 'start', 'service-worker/page/start', 'mockApi'],
  ['badge', 'badge', 'plugin/badge/badge', undefined],
  ['origins', 'origins', 'server/origins/page/start', 'mockApiOrigins'],
].map(([folder, name, source, globalName]): Options => ({
  entry: { [name!]: `src/${source}.ts` },
  outDir: `dist/${folder}`,
  format: 'iife',
  ...(globalName && { globalName }),
  platform: 'browser',
  target: browsers,
  minify: true,
  splitting: false,
  outExtension: () => ({ js: '.js' }),
  esbuildPlugins: [writeMetafile(folder!)],
}))

// Before the builds, which run at the same time.
if (!process.argv.includes('--no-clean')) rmSync('dist', { recursive: true, force: true })

export default defineConfig([
  entries,
  ...pluginEntries,
  smallEntries,
  routesRuntime,
  inspector,
  ...pageScripts,
])
