/*
 * What each built entry loads when it is imported. `vite build`, `vitest` and every reload of a config pay for it, so a
 * plugin's entry loads the check of the options and nothing that only a server needs. Needs `npm run build`, which `npm
 * test` does first.
 */
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { builtFile, builtFiles } from './built-file.ts'

/** What a built file and its static imports hold, and how large they are. */
function loadedBy(entry: string) {
  const files = new Set([entry])
  const imported = new Set<string>()
  for (const file of files)
    for (const path of builtFile(file).imports)
      if (/^(?:dist|\.)\//.test(path)) files.add(basename(path))
      else imported.add(path)
  const held = [...files].map(builtFile)
  return {
    files: [...files],
    bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
    packages: [...new Set(held.flatMap(({ packages }) => packages))],
    ours: [...new Set(held.flatMap(({ ours }) => ours))],
    imported: [...imported],
  }
}

/** What checks the options, what explains an invalid one, and the part of unplugin for one bundler. */
const light = {
  packages: ['leven', 'unplugin'],
  ours: /^(?:\w+\.ts$|core\/(?:values|options)\/|core\/diagnostics\/(?:compiler-texts|format|option-texts|text)\.ts$|core\/(?:http\/(?:path|scenario-list)|graphql\/settings)\.ts$|hosts\/(?:(?:overlay\/)?(?!mock-server|[\w-]+-(?:demo|devtools|pages|routes-module)|vitest)[\w-]+|node\/request-handler)\.ts$|bundle\/package-files\.ts$)/,
  /** Parts of Node that are loaded already, or in less than a millisecond. */
  imported: /^(?:node:)?(?:fs|module|path|url|util)$/,
}
/** Limits that tell when something has been added: these files have 17.8 to 20 KB. */
const limits = { vite: 18_000, webpack: 20_300, rspack: 20_300, rsbuild: 18_500 }
const plugins = Object.keys(limits) as (keyof typeof limits)[]

it.each(plugins)('%s: one file', (host) => {
  const { files, bytes, packages, ours, imported } = loadedBy(`${host}.js`)
  expect(files).toEqual([`${host}.js`])
  expect(bytes).toBeLessThan(limits[host])
  expect(ours).toContain(`hosts/${host}.ts`)
  expect(packages.filter((name) => !light.packages.includes(name))).toEqual([])
  expect(ours.filter((path) => !light.ours.test(path) || path === 'core/options/entry-options.ts')).toEqual(
    [],
  )
  expect(imported.filter((name) => !light.imported.test(name))).toEqual([])
})

it('index: these four', () => {
  const { files } = loadedBy('index.js')
  expect(files.toSorted()).toEqual(['index', ...plugins].map((name) => `${name}.js`).toSorted())
})

it('fixture: nothing', () => {
  expect(loadedBy('fixture.js')).toMatchObject({ packages: [], ours: ['fixture.ts'], imported: [] })
})

it('connect, which is a server: neither YAML, JSON with positions, patterns, globs, a watcher, TypeScript nor graphql-js', () => {
  const { packages, ours, imported } = loadedBy('connect.js')
  expect(ours).toContain('server/mock-server.ts')
  const heavy = [
    'yaml',
    '@humanwhocodes/momoa',
    'chokidar',
    're2js',
    'picomatch',
    'tinyglobby',
    'fdir',
    'graphql',
  ]
  expect(packages.filter((name) => heavy.includes(name))).toEqual([])
  expect(ours.filter((path) => path.startsWith('inspector/')).toSorted()).toEqual([
    'inspector/journal.ts',
    'inspector/keep-parts.ts',
  ])
  expect(imported.filter((name) => /^(?:jiti|graphql)\b/.test(name))).toEqual([])
})

it('a server has no texts about what fixture files say, and about requests that fail', () => {
  const texts = loadedBy('hosts-mock-server.js').ours.filter((path) => path.endsWith('-texts.ts'))
  const expected = ['folder', 'request', 'table']
  expect(texts.toSorted()).toEqual(expected.map((name) => `core/diagnostics/${name}-texts.ts`))
})

it('what a server loads is one file, to which createMiddleware adds its options', () => {
  const { files, bytes } = loadedBy('hosts-mock-server.js')
  expect(files).toEqual(['hosts-mock-server.js'])
  expect(bytes).toBeLessThan(120_000) // a limit that tells when something large has been added: it has 118 KB
  expect(builtFile('hosts-mock-server.js').ours).toContain('core/answer/respond.ts')
  expect(loadedBy('connect.js').files).toHaveLength(3)
})

it('fetch: nothing of Node, and nothing that is made for Node', () => {
  const { files, imported } = loadedBy('fetch.js')
  expect(files.filter((name) => !/^(?:fetch|web-chunk-\w+)\.js$/.test(name))).toEqual([])
  expect(imported).toEqual([])
})

it('what reads YAML: one file, without what js-yaml has to make and write it', () => {
  const name = builtFiles().find((file) => /^node-read-yaml-\w+\.js$/.test(file))!
  const reader = builtFiles().find((file) => /^node-reader-\w+\.js$/.test(file))!
  const others = loadedBy(reader).files
  expect(loadedBy(name).files.filter((file) => !others.includes(file))).toEqual([name])
  expect(builtFile(name).packages).toEqual(['js-yaml'])
  expect(builtFile(name).bytes).toBeLessThan(35_000)
})

it('what a server needs is in the package once, and what a fetch handler needs too', () => {
  const small = ['load', 'vitest', 'fixture', 'client', 'playwright', 'storybook', 'cli']
  // The last two run in pages and in the application, without the package.
  const alone = ['index', ...plugins, ...small, 'routes-runtime', 'start.global'].map((name) => `${name}.js`)
  const ofOneFile = new Set(alone.flatMap((name) => builtFile(name).modules))
  ofOneFile.add('src/loader/cache/cache-folder.ts') // also beside the script of the server, which can't share files
  const isWeb = (name: string) => /^(?:fetch|service-worker|msw|web-.+)\.js$/.test(name)
  for (const files of [builtFiles().filter(isWeb), builtFiles().filter((name) => !isWeb(name))]) {
    const modules = files.flatMap((name) => builtFile(name).modules)
    expect(modules).toContain('src/core/select/pattern.ts')
    const once = new Set<string>()
    const repeated = modules.filter((module) => once.size === once.add(module).size)
    expect(repeated.filter((module) => !ofOneFile.has(module))).toEqual([])
  }
})

it('load: one small file', () => {
  const { files, bytes } = loadedBy('load.js')
  expect(files).toEqual(['load.js'])
  expect(bytes).toBeLessThan(1000)
})

it('client: nothing but itself, and little of it', () => {
  const { packages, ours, imported } = loadedBy('client.js')
  expect([packages, imported]).toEqual([[], []])
  expect(ours.filter((path) => !/^client\.ts$|^inspector\/client\//.test(path))).toEqual([])
})

it('cli: the parser of arguments, and none of the commands', () => {
  const { packages, ours, imported } = loadedBy('cli.js')
  expect(packages).toEqual(['commander'])
  expect(ours.filter((path) => /^(?:cli\/commands|loader|hosts)\//.test(path))).toEqual([])
  expect(imported.filter((name) => /^(?:jiti|graphql)\b/.test(name))).toEqual([])
})
