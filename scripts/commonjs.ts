/*
 * Writes what `require` returns for each entry: its ES modules once more, file by file, as CommonJS. Jest and other module systems
 * load no ES module from a CommonJS one. What must be one in a process is found by symbols, so both copies share it. Minified, since
 * the same is readable beside it. A plugin is the function itself, as CommonJS configs expect, with `default` and the named exports on it.
 */
import { build } from 'esbuild'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url)
const root = new URL('../', import.meta.url)
const callable = ['index', 'vite', 'webpack', 'rspack', 'rsbuild']

const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, string | { require: { types: string; default: string } }>
}
const entries = Object.entries(exports).flatMap(([path, entry]) =>
  typeof entry === 'string' ? [] : { path, name: basename(entry.require.default, '.cjs'), ...entry.require },
)

/** The modules of all entries; writing one adds those that it imports. */
const modules = new Set(entries.map(({ name }) => `${name}.js`))
for (const module of modules) await writeCommonJs(module)

for (const { name } of entries) {
  if (!callable.includes(name) || !existsSync(new URL(`${name}.d.ts`, dist))) continue
  const values = Object.keys((await import(new URL(`${name}.js`, dist).href)) as object)
  write(`${name}.d.cts`, callableTypes(name, typesOf(name, values)))
}

// Jest 27 and TypeScript's `moduleResolution: node` know no `exports`: they look for a folder with the name of the entry.
for (const { path, default: main, types } of entries) {
  if (path === '.') continue
  mkdirSync(new URL(`${path}/`, root), { recursive: true })
  const manifest = { main: `.${main}`, types: `.${types}` }
  writeFileSync(new URL(`${path}/package.json`, root), `${JSON.stringify(manifest)}\n`)
}

// The types again as CommonJS: TypeScript does not let a CommonJS file import the types of an ES module.
for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
  const name = basename(file, '.d.ts')
  const types = readFileSync(new URL(file, dist), 'utf8')
  write(
    callable.includes(name) ? `${name}.types.d.cts` : `${name}.d.cts`,
    types.replace(
      /((?:from|import) '\.\/[^']+)\.js'/g,
      (_, path: string) => `${path}${isCallable(path) ? '.types' : ''}.cjs'`,
    ),
  )
}

async function writeCommonJs(module: string): Promise<void> {
  const dynamic = new Set<string>()
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(module, dist))],
    ...{
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      logLevel: 'error',
    },
    ...{ minifyWhitespace: true, minifySyntax: true, tsconfigRaw: {} },
    lineLimit: 160, // Node shows the whole line of an error that nobody catches
    define: { 'import.meta.url': 'importMetaUrl', 'import.meta.dirname': '__dirname' },
    plugins: [
      {
        name: 'file-by-file',
        setup(bundling) {
          bundling.onResolve({ filter: /./ }, ({ kind, path }) => {
            if (kind === 'entry-point') return undefined
            const isOwn = path.startsWith('.') && path.endsWith('.js')
            if (isOwn) modules.add(posix.join(dirname(module), path))
            const required = isOwn ? path.replace(/js$/, 'cjs') : path
            if (kind === 'dynamic-import') dynamic.add(JSON.stringify(required))
            return { path: required, external: true }
          })
        },
      },
    ],
  })
  let text = outputFiles[0]!.text
  // What is imported by its name. Vite and other modules of the project are left to Node, since they may be ES modules.
  for (const path of dynamic)
    text = text.replaceAll(
      `import(${path})`,
      `Promise.resolve().then(()=>require(${path})).then(m=>m.__esModule?m:{...m,default:m})`,
    )
  if (text.includes('importMetaUrl'))
    text = `const importMetaUrl=require("node:url").pathToFileURL(__filename).href;${text}`
  if (callable.includes(basename(module, '.js')))
    text += 'module.exports=Object.assign(module.exports.default,module.exports);\n'
  write(module.replace(/js$/, 'cjs'), `"use strict";${text}`)
}

function callableTypes(entry: string, types: readonly string[]): string {
  return `import entry = require('./${entry}.types.cjs')
declare const plugin: typeof entry.default & typeof entry
declare namespace plugin {
${types.map((name) => `  export type ${name} = entry.${name}\n`).join('')}}
export = plugin
`
}

/** The names of the types that an entry exports: those that are not values. */
function typesOf(entry: string, values: readonly string[]): string[] {
  const types = readFileSync(new URL(`${entry}.d.ts`, dist), 'utf8')
  return [...types.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim().split(/\s+/).at(-1)!)
    .filter((name) => !values.includes(name))
}

function isCallable(path: string): boolean {
  return callable.includes(basename(path))
}

function write(name: string, text: string): void {
  writeFileSync(new URL(name, dist), text)
}
