import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
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

/** Parts of bundled packages that we never use, by the end of the file's path, and what takes their place. */
const replacements: { file: string; part: string; by: string }[] = [
  // Required each time a plugin for webpack is created, and used if it resolves modules.
  { file: 'unplugin/dist/index.mjs', part: '__require("webpack-virtual-modules")', by: 'null' },
  // Used if the filter of a hook is a glob.
  {
    file: 'unplugin/dist/webpack-like-BSTzHRun.mjs',
    part: 'import picomatch from "picomatch";',
    by: 'const picomatch = () => { throw new Error("Write the filter of the hook as a regular expression.") };',
  },
  // We only ask for media types.
  ...['charset', 'encoding', 'language'].map((part) => ({
    file: 'negotiator/index.js',
    part: `require('./lib/${part}')`,
    by: 'null',
  })),
  // With one character that is not Latin-1, V8 keeps a whole file in two bytes per character.
  { file: 'rou3/dist/index.mjs', part: '\uFFFC', by: String.raw`\uFFFC` },
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
        if (!found.has(part) && files.some((path) => path.includes(`node_modules/${file.split('/')[0]!}/`)))
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

/** The files of ours that a file imports later, by `import()`. Paths start from `src/`. */
function laterImports(file: string): string[] {
  const code = readFileSync(join(source, file), 'utf8')
  return [...code.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path]) =>
    inSource(join(source, file, '..', path!)),
  )
}
const inSource = (path: string) => relative(source, path).replaceAll('\\', '/')

const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)
/** What the entry `vitest` loads in Node by its name. */
const vitestInNode = 'vitest-node.ts'
const importedLater = new Set([vitestInNode, ...sources.flatMap(laterImports)])

/** What the entries of one file import later. These have names of their own, without a hash. */
const ofEntries = new Set([
  vitestInNode,
  ...sources
    .filter((name) => /^(?:hosts[\\/])?[\w-]+\.ts$|^cli[\\/]commands\.ts$/.test(name))
    .flatMap(laterImports),
])
const builtName = (path: string) => path.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')

/**
 * Parts of the package that are one file each. esbuild makes a file for each set of modules that the same entries share, and
 * loading a file takes half a millisecond. So an entry or a later import that needs one module of a part imports all of them.
 *
 * A part has the modules of ours that all of these files load at once, without those of the parts before it.
 */
const parts: Record<string, string[]> = {
  core: ['hosts/mock-server.ts', 'fetch.ts'],
  server: ['hosts/mock-server.ts'],
  documents: ['core/select/selector-document.ts', 'core/answer/handle-graphql.ts'],
  graphql: ['core/answer/handle-graphql.ts'],
  fixture: ['loader/read/reader.ts', 'fetch.ts'],
}
const wholeParts: EsbuildPlugin = {
  name: 'whole-parts',
  setup(build) {
    let loads = new Map<string, Set<string>>()
    let modules = new Map<string, string[]>()
    build.onStart(async () => {
      const files = [...importedLater, ...sharingNames.map((name) => `${name}.ts`)]
      loads = await loadedAtOnce(build.esbuild, files)
      const taken = new Set<string>()
      modules = new Map(
        Object.entries(parts).map(([part, [first, ...others]]) => {
          const isShared = (module: string) => others.every((file) => loads.get(file)!.has(module))
          const own = [...loads.get(first!)!].filter((module) => !taken.has(module) && isShared(module))
          own.forEach((module) => taken.add(module))
          return [part, own]
        }),
      )
    })
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const loaded = loads.get(inSource(path))
      if (!loaded) return undefined
      const needed = [...modules].filter(([, own]) => own.some((module) => loaded.has(module)))
      const imports = needed.map(([part]) => `import 'part:${part}'\n`)
      return { contents: `${await readFile(path, 'utf8')}\n${imports.join('')}`, loader: 'ts' }
    })
    build.onResolve({ filter: /^part:/ }, ({ path }) => ({ path, namespace: 'part' }))
    build.onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: modules
        .get(path.slice('part:'.length))!
        .map((module) => `import './${module}'\n`)
        .join(''),
      resolveDir: source,
    }))
  },
}

/** Of each file, the modules of ours that it loads at once, itself included. Paths start from `src/`. */
async function loadedAtOnce(
  esbuild: Parameters<EsbuildPlugin['setup']>[0]['esbuild'],
  files: readonly string[],
): Promise<Map<string, Set<string>>> {
  const entryPoints = Object.fromEntries(files.map((file) => [file, file]))
  const importsLater: EsbuildPlugin = {
    name: 'imports-later',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      )
    },
  }
  const { metafile } = await esbuild.build({
    absWorkingDir: source,
    entryPoints,
    outdir: '.',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    packages: 'external',
    plugins: [importsLater],
  })
  return new Map(
    Object.entries(metafile.outputs).map(([path, { inputs }]) => [
      path.replace(/\.js$/, ''),
      new Set(Object.keys(inputs).filter((module) => inputs[module]!.bytesInOutput > 0)),
    ]),
  )
}

/** Imports what is imported later, and other entries, from their own files. */
const builtApart: EsbuildPlugin = {
  name: 'built-apart',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, kind, importer, resolveDir }) => {
      const file = inSource(join(resolveDir, path))
      const isLater = kind === 'dynamic-import'
      if (isLater && !ofEntries.has(file))
        throw new Error(`${importer} imports ${path}: see ofEntries in tsup.config.ts.`)
      const isEntry = importer !== '' && pluginNames.includes(builtName(file))
      return isLater || isEntry ? { path: `./${builtName(file)}.js`, external: true } : undefined
    })
  },
}

/** For scripts/licenses.ts, and for tests of what each file holds. tsup would give those of all builds the same name. */
const writeMetafile = (name: string): EsbuildPlugin => ({
  name: 'write-metafile',
  setup(build) {
    build.onEnd(async ({ metafile }) => {
      await mkdir('dist', { recursive: true })
      await writeFile(`dist/metafile-${name}.json`, JSON.stringify(metafile))
    })
  },
})

/** The package has a limit of size, and the core is in two builds. */
const withoutSpace: NonNullable<Options['esbuildOptions']> = (options) => {
  options.minifyWhitespace = true
}

const common: Options = {
  format: 'esm', // scripts/commonjs.ts makes it callable with `require`
  target: 'node20.19',
  removeNodeProtocol: false, // it would come before `importsOfNode`
  esbuildOptions: withoutSpace,
}
const pluginNames = ['index', 'vite', 'webpack', 'rspack', 'rsbuild']
/** Entries that share files with each other and with what is imported later. */
const sharingNames = ['connect', 'fetch', 'service-worker', 'msw']
/** Entries that have little of their own. */
const smallNames = ['load', 'vitest', 'fixture', 'client', 'playwright', 'storybook']
const sourceOf = (name: string) => `src/${name}.ts`
const byName = (names: string[]) => Object.fromEntries(names.map((name) => [name, sourceOf(name)]))

/**
 * Entries that are one file, and share none with others: every config that lists a plugin loads its entry, and every file takes
 * half a millisecond. The rest is imported later.
 */
const ofOneFile: Options = {
  ...common,
  entry: byName([...pluginNames, ...smallNames, 'cli']),
  splitting: false,
  noExternal: ['unplugin'],
  esbuildPlugins: [withoutUnused, importsOfNode, builtApart, writeMetafile('of-one-file')],
}

/** What webpack and Rspack load by path. */
const loadedByBundlers: Options = {
  ...common,
  entry: {
    'bundle/entry': 'src/bundle/entry.ts',
    'bundle/module-loader': 'src/bundle/module-loader.ts',
    'bundle/routes-loader': 'src/bundle/routes-loader.ts',
  },
  splitting: false,
  esbuildPlugins: [writeMetafile('loaded-by-bundlers')],
}

/** Everything else, once: what answers requests, what loads fixture files, and the commands. */
const shared: Options = {
  ...common,
  entry: {
    ...byName(sharingNames),
    ...Object.fromEntries([...ofEntries].map((path) => [builtName(path), `src/${path}`])),
  },
  splitting: true,
  noExternal: [graphqlParser],
  esbuildOptions(options) {
    options.minifyWhitespace = true
    // graphql-js reads it. A fetch runtime need not have a `process`.
    options.define = { ...options.define, 'process.env.NODE_ENV': '"development"' }
    // `wholeParts` imports modules only for the file that they are in.
    options.logOverride = { ...options.logOverride, 'ignored-bare-import': 'silent' }
    options.alias = {
      // Its build for Node is CommonJS, which a bundle can't drop parts of.
      yaml: join(dirname(require.resolve('yaml/package.json')), 'browser/index.js'),
    }
  },
  dts: {
    // What is imported. The command is only run.
    entry: [...pluginNames, ...sharingNames, ...smallNames].map(sourceOf),
    resolve: ['valibot'],
    compilerOptions: {
      // tsup sets `baseUrl`, which TypeScript 6 calls deprecated.
      ignoreDeprecations: '6.0',
      // `npm run typecheck` checks the types. Here it would take half of the build.
      noCheck: true,
    },
  },
  esbuildPlugins: [asModules, withoutUnused, importsOfNode, wholeParts, writeMetafile('shared')],
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
  esbuildPlugins: [writeMetafile('inspector')],
}

/** What the modules call that src/bundle/write-module.ts writes. It shares nothing, so that it stays as small as it is. */
const routesRuntime: Options = {
  entry: { 'routes-runtime': 'src/bundle/runtime.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: false,
  esbuildPlugins: [writeMetafile('routes-runtime')],
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
  esbuildPlugins: [writeMetafile('service-page')],
}

// Before the builds, which run at the same time.
if (!process.argv.includes('--no-clean')) rmSync('dist', { recursive: true, force: true })

export default defineConfig([ofOneFile, loadedByBundlers, shared, inspector, routesRuntime, servicePage])
