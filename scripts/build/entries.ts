/* What is built: the entries of the package, and what they import later. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { EsbuildPlugin } from './esbuild-plugin.ts'

/** tsup bundles this file, so that it does not know where it is. */
export const source = resolve('src')

export const pluginNames = ['index', 'vite', 'webpack', 'rspack', 'rsbuild']
/** The entry that shares files with what the plugins import later. */
export const nodeNames = ['connect']
/** Entries that also run where there is no Node. They share files with each other. */
export const webNames = ['fetch', 'service-worker', 'msw']
export const sharingNames = [...nodeNames, ...webNames]
/** Entries that have little of their own. */
export const smallNames = ['load', 'vitest', 'fixture', 'client', 'playwright', 'storybook']
export const sourceOf = (name: string) => `src/${name}.ts`

/** The files of ours that a file imports later, by `import()`. Paths start from `src/`. */
function laterImports(file: string): string[] {
  const code = readFileSync(join(source, file), 'utf8')
  return [...code.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path]) =>
    inSource(join(source, file, '..', path!)),
  )
}
export const inSource = (path: string) => relative(source, path).replaceAll('\\', '/')

const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)
/** What the entry `vitest` loads in Node by its name. */
const vitestInNode = 'vitest-node.ts'
export const importedLater = new Set([vitestInNode, ...sources.flatMap(laterImports)])

/** What the entries of one file import later. These have names of their own, without a hash. */
export const ofEntries = new Set([
  vitestInNode,
  ...sources
    .filter((name) =>
      /^(?:(?:plugin|server)[\\/](?:(?!node\b|web\b)[\w-]+[\\/])?)?[\w-]+\.ts$|^cli[\\/]commands\.ts$/.test(
        name,
      ),
    )
    .flatMap(laterImports),
])
export const builtName = (path: string) => path.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')

/** Imports what is imported later, and other entries, from their own files. */
export const builtApart: EsbuildPlugin = {
  name: 'built-apart',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, kind, importer, resolveDir }) => {
      const file = inSource(join(resolveDir, path))
      const isLater = kind === 'dynamic-import'
      if (isLater && !ofEntries.has(file))
        throw new Error(`${importer} imports ${path}: see ofEntries in scripts/build/entries.ts.`)
      const isEntry = importer !== '' && pluginNames.includes(builtName(file))
      return isLater || isEntry ? { path: `./${builtName(file)}.js`, external: true } : undefined
    })
  },
}
