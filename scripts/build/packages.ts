/* How the build reads the packages that it bundles. */
import { readFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import type { EsbuildPlugin } from './esbuild-plugin.ts'

const require = createRequire(import.meta.url)

/**
 * The parser of graphql-js is bundled: as two dozen CommonJS files it takes half of the time of a start. What needs a schema
 * stays a dependency, which exists once in a project, and takes the parser's nodes, as it takes those of any other parser.
 */
export const graphqlParser = /^graphql\/(?:error|language|utilities\/valueFromASTUntyped)\b.*\.js$/
export const asModules: EsbuildPlugin = {
  name: 'graphql-parser-as-modules',
  setup(build) {
    build.onResolve({ filter: graphqlParser }, ({ path }) => ({
      path: require.resolve(path.replace(/\.js$/, '.mjs')),
      sideEffects: false,
    }))
  },
}

const unplugin = 'unplugin/dist/index.mjs'

/** Parts of bundled packages that we never use, by the end of the file's path, and what takes their place. */
const replacements: { file: string; part: string | RegExp; by: string | ((part: string) => string) }[] = [
  // Our plugins have the hooks of one bundler, and none of unplugin's own (see src/plugin/bundler-part.ts), so esbuild can drop
  // the code for these: filters, virtual modules, loaders and contexts.
  {
    file: unplugin,
    part: /\bplugin\.(?:watchChange \|\| plugin\.buildStart|resolveId|load|transform|watchChange|buildEnd|writeBundle)\b/g,
    by: '(void 0)',
  },
  // What only they need: the paths of loaders, a package that is required when a plugin for webpack is created, and one for
  // source maps, which esbuild keeps because it fills a table when it is loaded.
  {
    file: unplugin,
    part: /(?<=^const \w+_LOADER(?:\$\d)? = )(?=resolve\()/gm,
    by: '/* @__PURE__ */ ',
  },
  { file: unplugin, part: '__require("webpack-virtual-modules")', by: 'null' },
  { file: unplugin, part: 'import remapping from "@jridgewell/remapping";', by: '' },
  // esbuild can't know that these values are made without side effects: it would keep all that makes and writes YAML.
  {
    file: 'js-yaml/dist/js-yaml.mjs',
    part: /(?<=^var [\w$]+ = ).+(?:\n[\t\])}].*)*(?=;$)/gm,
    by: (value) => `/* @__PURE__ */ (() => (${value}))()`,
  },
  // No schema of ours asks for emojis, and esbuild keeps regular expressions with this flag.
  { file: 'valibot/dist/index.mjs', part: /(?<=const EMOJI_REGEX = ).+(?=;)/, by: 'undefined' },
  // Parsing the table as JSON takes a third of the time.
  {
    file: 'mrmime/index.mjs',
    part: /(?<=mimes = )\{[^{}]+\}/,
    by: (table) => `JSON.parse('${table.replaceAll(/\s/g, '')}')`,
  },
  // esbuild drops what is never called from ES modules alone, and adds no helpers to them.
  {
    file: 'cookie/dist/index.js',
    part: /^"use strict";\n(?:.*\bexports\b.*\n)+/,
    by: 'export { parseCookie, parseSetCookie }\n',
  },
  {
    file: 'content-type/dist/index.js',
    part: /(?:^.*\bexports\b.*\n)+/m,
    by: 'export { parse }\n',
  },
  ...['accept', 'mediaType'].flatMap((name) => [
    {
      file: `negotiator/lib/${name}.js`,
      part: /^var (\w+) = require\('content-type'\)/m,
      by: "import * as $1 from 'content-type'",
    },
    { file: `negotiator/lib/${name}.js`, part: /^module\.exports = /m, by: 'export default ' },
  ]),
  {
    file: 'negotiator/lib/mediaType.js',
    part: "var parseAcceptHeader = require('./accept')",
    by: "import parseAcceptHeader from './accept.js'",
  },
  { file: 'negotiator/lib/mediaType.js', part: /^module\.exports\..*/m, by: '' },
  // With one character that is not Latin-1, V8 keeps a whole file in two bytes per character.
  { file: 'rou3/dist/index.mjs', part: '\uFFFC', by: String.raw`\uFFFC` },
]

const importOfProcess = /\bimport (\w[\w$]*) from ["'](?:node:)?process["'];/g

const found = new Set<string | RegExp>()
const isFile = (path: string, file: string) =>
  `/${path}`.replaceAll('\\', '/').endsWith(`/node_modules/${file}`)

/**
 * Leaves out of bundled packages what is never used: their comments, up to half of what has to be read and parsed at each
 * start, the import of `process`, which takes 4 ms, since it makes all of its streams, and the parts above.
 */
export const withoutUnused: EsbuildPlugin = {
  name: 'without-unused',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      let source = await readFile(path, 'utf8')
      for (const { file, part, by } of replacements) {
        if (!isFile(path, file)) continue
        const replaced = source.replace(part, by as string)
        if (replaced !== source) found.add(part)
        source = replaced
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
          throw new Error(`${file} no longer has ${String(part)}: correct scripts/build/packages.ts.`)
    })
  },
}

/** Bundled CommonJS packages require parts of Node, which an ES module has to import. */
export const importsOfNode: EsbuildPlugin = {
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
