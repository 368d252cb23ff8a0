/* The build makes a script of a module (scripts/build/script.ts). */
import { expect, it } from 'vitest'
import { withScript } from '../scripts/build/script.ts'

it('runs the code of a module, with its imports and exports', async () => {
  const text = await withScript(
    `import a,{b as c}from"./b.js";import*as d from"node:path";var e=1;import"./f.js";` +
      `var g=()=>import("./g.js"),h=import.meta.url;export{e as first,g};`,
  )
  const [, script] = /runScript\((".*"), \{/.exec(text)!
  expect(JSON.parse(script!)).toMatch(/^\(function \(\$meta,\$importLater,a,c,d\) \{ "use strict"; /)
  expect(JSON.parse(script!)).toContain('var g=()=>$importLater("./g.js"),h=$meta.url;')
  expect(JSON.parse(script!)).toMatch(/return \{ first: e,g: g \} \}\)$/)
  expect(text).toContain('const later = { "./g.js": () => import("./g.js") }')
  expect(text).toContain('export { export_first as first,export_g as g }')
})

it.each([
  ['a default import beside a namespace', 'import a,*as b from"./a.js";export{b};'],
  ['a path that is not known', 'var a=(b)=>import(b);export{a};'],
  ['an export from another file', 'var a=1;export{b}from"./b.js";export{a};'],
  ['all exports of another file', 'export*from"./b.js";var a;export{a};'],
  ['an export at its declaration', 'export var a=1;'],
])('refuses %s', async (_, module) => {
  await expect(withScript(module)).rejects.toThrow(/^A script /)
})
