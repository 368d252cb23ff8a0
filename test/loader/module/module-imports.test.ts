import { describe, expect, it } from 'vitest'
import { scanImports } from '../../../src/loader/module/module-imports.ts'

const helper = (takesDefault: boolean) => [{ specifier: './x', takesDefault }]

describe('scanImports', () => {
  it.each<[text: string, found: { specifier: string; takesDefault: boolean }[]]>([
    ["import x from './x'", helper(true)],
    ["import x, { y } from './x'", helper(true)],
    ["import x, * as y from './x'", helper(true)],
    ["import * as x from './x'", helper(true)],
    ["import { default as x } from './x'", helper(true)],
    ["import type from './x'", helper(true)],
    ["import type, { y } from './x'", helper(true)],
    ["import from from './x'", helper(true)],
    ["export * from './x'", helper(true)],
    ["export { default } from './x'", helper(true)],
    ["const x = await import('./x')", helper(true)],
    ["const x = require('./x')", helper(true)],
    ["import x = require('./x')", helper(true)],
    ['const x = import(`./x`)', helper(true)],
    ["export default (await import('./x')).default", helper(true)],
    ["import { x } from './x'", helper(false)],
    ["import{x}from'./x'", helper(false)],
    ["import { x, // the one\n y } from './x'", helper(false)],
    ["import { x } /* the one */ from './x'", helper(false)],
    ["import { type X, y } from './x'", helper(false)],
    ["import './x'", helper(false)],
    ["export { x } from './x'", helper(false)],
    ["import type X from './x'", []],
    ["import type { X } from './x'", []],
    ["export type { X } from './x'", []],
    ["import x from 'x'", []],
    ["import x from 'node:fs'", []],
    ['import(`./${x}`)', []],
    ['import(name)', []],
    ["// import x from './x'", []],
    ["/* import x from './x' */", []],
    ["const important = './x'", []],
    ["export default './x'", []],
    ['const text = "import x from \'./x\'"', []],
    // Statements without semicolons
    ["export default list\nimport { x } from './x'", helper(false)],
    ["export { a, b }\nimport x from './x'", helper(true)],
    ["import a from 'a'\nimport { x } from './x'", helper(false)],
    // What looks like a comment, or hides one
    ["const glob = 'src/**'\nimport { x } from './x'\n/** A list */", helper(false)],
    ["import a from 'a' // everything in src/**\nimport { x } from './x'\n/** A list */", helper(false)],
    ["const url = 'http://a'; import { x } from './x'", helper(false)],
    ["const bare = path.replace(/^\\/*/, '')\nimport { x } from './x'\n/** A list */", helper(false)],
    ['const text = `a // b` + "c"\nimport { x } from \'./x\'', helper(false)],
    ["const text = 'it\\'s'\nimport { x } from './x'", helper(false)],
    ["const quote = /'/\nimport { x } from './x'", helper(false)],
  ])('%s', (text, found) => {
    const own = scanImports(text).filter(({ specifier }) => specifier.startsWith('.'))
    expect(own.map(({ specifier, takesDefault }) => ({ specifier, takesDefault }))).toEqual(found)
  })
})
