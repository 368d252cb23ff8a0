import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'

const require = createRequire(import.meta.url)

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * The parser of graphql-js is bundled: as two dozen CommonJS files it takes half of the time of a start. What needs a schema
 * stays a dependency, which exists once in a project, and takes the parser's nodes, as it takes those of any other parser.
 */
const graphqlParser = /^graphql\/(?:error|language|utilities\/valueFromASTUntyped)\b.*\.js$/
const asModules: EsbuildPlugin = {
  name: 'graphql-parser-as-modules',
  setup(build) {
    build.onResolve({ filter: graphqlParser }, ({ path }) => ({
      path: require.resolve(path.replace(/\.js$/, '.mjs')),
      sideEffects: false,
    }))
  },
}

/**
 * Leaves out of bundled packages what is never used: their comments, up to half of what has to be read and parsed at each
 * start, and `webpack-virtual-modules`. unplugin's webpack part requires it each time a plugin is created, and uses it where
 * the plugin resolves modules. Ours does not, and nothing is installed beside a bundle to require.
 */
const withoutUnused: EsbuildPlugin = {
  name: 'without-unused',
  setup(build) {
    const required = '__require("webpack-virtual-modules")'
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (/[\\/]unplugin[\\/]dist[\\/]index\.mjs$/.test(path) && !source.includes(required))
        throw new Error(`${path} no longer has ${required}: correct tsup.config.ts.`)
      const { code } = await build.esbuild.transform(source.replaceAll(required, 'null'), {
        minifyWhitespace: true,
        legalComments: 'none',
      })
      return { contents: code, loader: 'js' }
    })
  },
}

const entries: Options = {
  entry: [
    'src/index.ts',
    'src/vite.ts',
    'src/webpack.ts',
    'src/rspack.ts',
    'src/rsbuild.ts',
    'src/connect.ts',
    'src/fetch.ts',
    'src/fixture.ts',
  ],
  format: 'esm', // scripts/commonjs.ts makes it callable with `require`
  target: 'node20.19',
  // tsup sets `baseUrl` for its type build, which TypeScript 6 calls deprecated.
  dts: { resolve: ['valibot'], compilerOptions: { ignoreDeprecations: '6.0' } },
  clean: ['!inspector/**'], // the other build's, which runs at the same time
  splitting: true,
  noExternal: [graphqlParser],
  esbuildPlugins: [asModules, withoutUnused],
  metafile: true, // for scripts/licenses.ts
  esbuildOptions(options) {
    // graphql-js reads it. A fetch runtime need not have a `process`.
    options.define = { ...options.define, 'process.env.NODE_ENV': '"development"' }
    options.alias = {
      // Its build for Node is CommonJS, which a bundle can't drop parts of.
      yaml: join(dirname(require.resolve('yaml/package.json')), 'browser/index.js'),
      // Its build for Node imports `node:diagnostics_channel`, which a fetch runtime need not have.
      'lru-cache': join(dirname(require.resolve('lru-cache')), '../../esm/browser/index.js'),
    }
  },
}

/** The inspector's page: one file of each kind, loaded by the browser only. */
const inspector: Options = {
  entry: { inspector: 'src/inspector/page/main.tsx', index: 'src/inspector/page/index.html' },
  outDir: 'dist/inspector',
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  loader: { '.html': 'copy' },
  minify: true,
  splitting: false,
  noExternal: ['preact'],
  clean: true,
  metafile: true,
}

export default defineConfig([entries, inspector])
