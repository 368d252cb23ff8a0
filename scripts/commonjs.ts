/*
 * Writes what `require` returns for each entry: a stub that requires the ES module, which Node does from 20.19 and 22.12 on.
 * One build serves both module systems, so there is one copy of everything. A plugin's stub exports the function itself, as CommonJS
 * configs expect, with `default` and the named exports on it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const dist = new URL('../dist/', import.meta.url)
const callable = ['index', 'vite', 'webpack', 'rspack', 'rsbuild']

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, string | { require: { default: string } }>
}
const entries = Object.values(exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [basename(entry.require.default, '.cjs')],
)

for (const entry of entries) {
  if (callable.includes(entry)) {
    write(`${entry}.cjs`, callableStub(entry))
    if (existsSync(new URL(`${entry}.d.ts`, dist))) {
      const values = Object.keys((await import(new URL(`${entry}.js`, dist).href)) as object)
      write(`${entry}.d.cts`, callableTypes(entry, typesOf(entry, values)))
    }
  } else {
    write(`${entry}.cjs`, `'use strict'\nmodule.exports = require('./${entry}.js')\n`)
  }
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

function callableStub(entry: string): string {
  return `'use strict'
const entry = require('./${entry}.js')
module.exports = Object.assign(entry.default, entry)
`
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
