/* Which modules are in one file of the build. */
import { readFile } from 'node:fs/promises'
import type { EsbuildPlugin } from './esbuild-plugin.ts'
import { importedLater, inSource, sharingNames, source } from './entries.ts'

/**
 * Parts of a build that are one file each. esbuild makes a file for each set of modules that the same entries share, and
 * loading a file takes half a millisecond. So an entry or a later import that needs one module of a part imports all of them.
 *
 * A part has the modules of ours that all of these files load at once, without those of the parts before it.
 */
export type Parts = Record<string, string[]>

/** What is loaded later by servers and by fetch handlers. */
const laterParts: Parts = {
  explanations: ['core/answer/explanations.ts'],
  overlays: ['core/answer/apply-overlay.ts'],
  documents: ['core/select/selector-document.ts', 'core/answer/handle-graphql.ts'],
  graphql: ['core/answer/handle-graphql.ts'],
}
export const nodeParts: Parts = {
  server: ['server/mock-server.ts'],
  options: ['connect.ts', 'loader/load-routes.ts'],
  ...laterParts,
  reader: ['loader/read/reader.ts'],
  yaml: ['loader/read/read-yaml.ts'],
}
export const webParts: Parts = {
  core: ['fetch.ts', 'server/mock-server.ts'],
  ...laterParts,
  fixture: ['fetch.ts', 'loader/read/reader.ts'],
}

export const wholeParts = (parts: Parts): EsbuildPlugin => ({
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
})

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
