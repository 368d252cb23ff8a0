import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { defineConfig, type Options } from 'tsup'

const require = createRequire(import.meta.url)
const source = join(import.meta.dirname, 'src')

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

/** Parts of bundled packages that none of our plugins uses, by the end of the file's path, and what takes their place. */
const replacements: { file: string; part: string; by: string }[] = [
  // Required each time a plugin for webpack is created, and used if it resolves modules.
  { file: 'unplugin/dist/index.mjs', part: '__require("webpack-virtual-modules")', by: 'null' },
  // Used if the filter of a hook is a glob.
  {
    file: 'unplugin/dist/webpack-like-BSTzHRun.mjs',
    part: 'import picomatch from "picomatch";',
    by: 'const picomatch = () => { throw new Error("Write the filter of the hook as a regular expression.") };',
  },
]

const importOfProcess = /\bimport (\w[\w$]*) from ["'](?:node:)?process["'];/g

/**
 * Leaves out of bundled packages what is never used: their comments, up to half of what has to be read and parsed at each
 * start, the import of `process`, which takes 4 ms, since it makes all of its streams, and the parts above.
 */
const withoutUnused: EsbuildPlugin = {
  name: 'without-unused',
  setup(build) {
    const found = new Set<string>()
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      let source = await readFile(path, 'utf8')
      for (const { file, part, by } of replacements) {
        if (!path.replaceAll('\\', '/').endsWith(`/node_modules/${file}`)) continue
        if (source.includes(part)) found.add(part)
        source = source.replaceAll(part, by)
      }
      source = source.replace(importOfProcess, 'const $1 = globalThis.process;')
      // These comments say what can be dropped.
      if (/[#@]__(?:PURE|NO_SIDE_EFFECTS)__/.test(source)) return { contents: source, loader: 'js' }
      const { code } = await build.esbuild.transform(source, {
        minifyWhitespace: true,
        legalComments: 'none',
      })
      return { contents: code, loader: 'js' }
    })
    build.onEnd(({ metafile }) => {
      const files = Object.keys(metafile?.inputs ?? {})
      for (const { file, part } of replacements)
        if (!found.has(part) && files.some((path) => path.includes('node_modules/unplugin/')))
          throw new Error(`${file} no longer has ${part}: correct tsup.config.ts.`)
    })
  },
}

/** Bundled CommonJS packages require parts of Node, which an ES module has to import. */
const importsOfNode: EsbuildPlugin = {
  name: 'imports-of-node',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'node' } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'node' }, ({ path }) => ({
      contents: /^(?:node:)?process$/.test(path)
        ? 'module.exports = globalThis.process'
        : `export * from '${path.startsWith('node:') ? path : `node:${path}`}'`,
    }))
  },
}

/**
 * Modules that are imported later, by `import()`, with what is loaded by then. esbuild makes a chunk for each set of modules
 * that share code, and loading a chunk takes half a millisecond. A later module that exports what is loaded already shares
 * all of it, so that it stays together.
 */
const loadedBefore: Record<string, string> = {
  'backend/ask-backend.ts': 'hosts/mock-server.ts',
  'hosts/mock-server.ts': 'core/options/options.ts',
  'core/answer/check-response.ts': 'core/options/options.ts', // the fetch entry loads these two, too
  'core/graphql-schema/create-checker.ts': 'core/options/options.ts',
  'inspector/server/serve.ts': 'hosts/mock-server.ts',
  'loader/find-fixtures.ts': 'hosts/mock-server.ts',
  'loader/read/parse-yaml.ts': 'loader/read/read-yaml.ts',
  'loader/read/read-json.ts': 'hosts/mock-server.ts',
  'loader/read/read-schema.ts': 'hosts/mock-server.ts',
  'loader/read/read-yaml.ts': 'hosts/mock-server.ts',
  'loader/read/reader.ts': 'hosts/mock-server.ts',
  'loader/watch/watch-fixtures.ts': 'hosts/mock-server.ts',
}
const fewChunks: EsbuildPlugin = {
  name: 'few-chunks',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const before = loadedBefore[relative(source, path).replaceAll('\\', '/')]
      if (before === undefined) return undefined
      const code = await readFile(path, 'utf8')
      return { contents: `${code}\nexport * as before from '${join(source, before)}'\n`, loader: 'ts' }
    })
  },
}

/** What a plugin loads when a server starts: the files of ours that the entries of plugins import by `import()`. */
const loadedByPlugins = {
  'mock-server': 'src/hosts/mock-server.ts',
  'write-module': 'src/bundle/write-module.ts',
  'build-demo': 'src/bundle/build-demo.ts',
}

/** What webpack and Rspack load by path. */
const loadedByBundlers = {
  'bundle/entry': 'src/bundle/entry.ts',
  'bundle/module-loader': 'src/bundle/module-loader.ts',
  'bundle/routes-loader': 'src/bundle/routes-loader.ts',
}

/** The entries of plugins import each other, and what a server needs, from other built files. */
const builtApart: EsbuildPlugin = {
  name: 'built-apart',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, kind, importer }) => {
      const name = basename(path, '.ts')
      const isLater = kind === 'dynamic-import'
      if (isLater && !(name in loadedByPlugins))
        throw new Error(`${importer} imports ${path}, which loadedByPlugins in tsup.config.ts has to list.`)
      const isEntry =
        basename(importer) === 'index.ts' && /^\.\/(?:vite|webpack|rspack|rsbuild)\.ts$/.test(path)
      return isLater || isEntry ? { path: `./${name}.js`, external: true } : undefined
    })
    build.onEnd(async ({ metafile }) => {
      await mkdir('dist', { recursive: true })
      await writeFile('dist/metafile-plugins.json', JSON.stringify(metafile)) // for scripts/licenses.ts
    })
  },
}

const common: Options = {
  format: 'esm', // scripts/commonjs.ts makes it callable with `require`
  target: 'node20.19',
  removeNodeProtocol: false, // it would come before `importsOfNode`
}
const pluginNames = ['index', 'vite', 'webpack', 'rspack', 'rsbuild']
const otherNames = [
  'connect',
  'fetch',
  'service-worker',
  'load',
  'msw',
  'vitest',
  'fixture',
  'client',
  'playwright',
  'storybook',
]
const sourceOf = (name: string) => `src/${name}.ts`

/**
 * The entries of plugins. Each is one file that shares none with other entries: every config that lists the plugin loads it,
 * and every file takes half a millisecond.
 */
const plugins: Options = {
  ...common,
  entry: pluginNames.map(sourceOf),
  splitting: false,
  noExternal: ['unplugin'],
  esbuildPlugins: [withoutUnused, importsOfNode, builtApart],
}

const entries: Options = {
  ...common,
  entry: {
    ...Object.fromEntries([...otherNames, 'cli'].map((name) => [name, sourceOf(name)])),
    ...loadedByPlugins,
    ...loadedByBundlers,
    'vitest-node': 'src/vitest-node.ts', // what the setup file loads in Node
  },
  // tsup sets `baseUrl` for its type build, which TypeScript 6 calls deprecated.
  dts: {
    // What is imported. The command is only run.
    entry: [...pluginNames, ...otherNames].map(sourceOf),
    resolve: ['valibot'],
    compilerOptions: { ignoreDeprecations: '6.0' },
  },
  // The files of the other builds, which run at the same time.
  clean: [
    '!inspector/**',
    '!service-worker-page/**',
    '!routes-runtime.js',
    '!metafile-plugins.json',
    ...pluginNames.map((name) => `!${name}.js`),
  ],
  splitting: true,
  noExternal: [graphqlParser],
  esbuildPlugins: [asModules, withoutUnused, importsOfNode, fewChunks],
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

/** What the modules call that src/bundle/write-module.ts writes. It shares nothing, so that it stays as small as it is. */
const routesRuntime: Options = {
  entry: { 'routes-runtime': 'src/bundle/runtime.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: false,
  clean: false,
}

/** What each page of a demo build runs first: one script, which build-demo.ts reads as text. */
const servicePage: Options = {
  entry: { start: 'src/service-worker/page/start.ts' },
  outDir: 'dist/service-worker-page',
  format: 'iife',
  globalName: 'mockApi',
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  splitting: false,
  clean: true,
}

export default defineConfig([plugins, entries, inspector, routesRuntime, servicePage])
