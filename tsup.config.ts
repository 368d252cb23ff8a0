import { rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { buildId } from './scripts/build/build-id.ts'
import {
  builtApart,
  builtName,
  nodeNames,
  ofEntries,
  pluginNames,
  sharingNames,
  smallNames,
  sourceOf,
  webNames,
} from './scripts/build/entries.ts'
import type { EsbuildPlugin } from './scripts/build/esbuild-plugin.ts'
import { asModules, graphqlParser, importsOfNode, withoutUnused } from './scripts/build/packages.ts'
import { withoutStubs, withoutUnusedHelpers } from './scripts/build/outputs.ts'
import { asScript } from './scripts/build/script.ts'
import { nodeParts, webParts, wholeParts, type Parts } from './scripts/build/parts.ts'

const require = createRequire(import.meta.url)

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

const common: Options = {
  format: 'esm', // scripts/commonjs.ts makes it callable with `require`
  target: 'node20.19',
  removeNodeProtocol: false, // it would come before `importsOfNode`
  minify: true, // the package has a limit of size, and what is shorter is loaded faster
}
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

/** What entries share, by the parts of `parts`. */
const sharing = (name: string, parts: Parts, last: EsbuildPlugin[] = []): Options => ({
  ...common,
  splitting: true,
  noExternal: [graphqlParser],
  esbuildOptions(options) {
    // The builds have files with equal hashes, which need not be equal in the end.
    options.chunkNames = `${name}-[name]-[hash]`
    // graphql-js reads it. A fetch runtime need not have a `process`.
    options.define = {
      ...options.define,
      'process.env.NODE_ENV': '"development"',
      'process.env.MOCK_API_BUILD': JSON.stringify(buildId()),
    }
    // `wholeParts` imports modules only for the file that they are in.
    options.logOverride = { ...options.logOverride, 'ignored-bare-import': 'silent' }
    options.alias = {
      // Its build for Node is CommonJS, which a bundle can't drop parts of.
      yaml: join(dirname(require.resolve('yaml/package.json')), 'browser/index.js'),
    }
  },
  esbuildPlugins: [
    asModules,
    withoutUnused,
    importsOfNode,
    wholeParts(parts),
    withoutStubs(parts),
    withoutUnusedHelpers,
    ...last,
    writeMetafile(name),
  ],
})

/** What answers requests in Node, what loads fixture files, and the commands. */
const node: Options = {
  ...sharing('node', nodeParts, [asScript('server/mock-server.ts')]),
  entry: {
    ...byName(nodeNames),
    ...Object.fromEntries([...ofEntries].map((path) => [builtName(path), `src/${path}`])),
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
}

/** What answers requests anywhere. It has nothing from `node`, which is not loaded as ES modules alone. */
const web: Options = { ...sharing('web', webParts), entry: byName(webNames) }

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

export default defineConfig([ofOneFile, loadedByBundlers, node, web, inspector, routesRuntime, servicePage])
