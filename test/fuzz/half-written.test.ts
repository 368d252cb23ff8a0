/*
 * A file that is half written: every reader comes to an end at every place where its text may stop, and so does the look at a
 * module. An endless loop would stop the dev server while someone types.
 */
import '../core/send.ts'
import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { parseFixture } from '../../src/core/fixture/parse-fixture.ts'
import { lookAtModule } from '../../src/loader/module/look-at-module.ts'
import { scanImports } from '../../src/loader/module/module-imports.ts'
import { readJson } from '../../src/reader/read-json.ts'
import { explainYaml } from '../../src/reader/explain-yaml.ts'
import type { FixtureSource } from '../../src/core/fixture/route.ts'
import { readYaml } from '../../src/reader/read-yaml.ts'
import { isThorough, patience } from '../sampling.ts'

/** Milliseconds for all that is made of one text, which takes less than one hundredth of it. Only an endless loop takes longer. */
const timeLimit = 60_000

const jsonText = String.raw`[{ "path": "/a\\b\"\u00e9\/", "when": { "query": { "n": -1.5e+3, "$in": [true, null] } },
  "response": { "status": 201, "headers": { "x-a": "b" }, "body": [[], {}, "\ud83d\ude00"] } }]`
const commented = jsonText.replace('[{', '// one\n[ /* two ** / */ {').replace(' }]', ', }, ]')
const relaxed = String.raw`// one \
[{ path: '/a\'b\
c\x41', $unquoted: .5, 'k': +0xFF, n: [NaN, -Infinity, 1., ], /* \ */ response: { body: "\u{41}\0" }, }]`
const yamlText = String.raw`%YAML 1.2
---
- &first
  path: "/a\x41\u00e9\
    b" # a comment
  when: { query: { page: '2''s', "n": [1, ~, .inf] } }
  ? name
  : !!str 5
  response:
    body: |+2
       text
    headers: &h { x-a: >-
      folded }
- { <<: *first, path: /b }
- <<: [*first, { method: POST }]
...
`
const moduleText = String.raw`import { a as b, type C } from './a' /* ' */
import d, * as e from "./d\"" // "
export { default } from ${'`./f${1}`'}
const re = /[/'"]\//g, list: { path: string }[] = [...b, { path: '/a', body: ${'`x${`y\\`}`'} }]
export { list as default }
module.exports = async () => await require('./g')
export default [{ path: '/a\\' }]`

const readers: {
  name: string
  texts: string[]
  /** Does all its work before it returns. */
  read: (text: string) => FixtureSource | Promise<FixtureSource> | undefined
}[] = [
  ...(['json', 'jsonc', 'json5'] as const).map((name) => ({
    name,
    texts: [jsonText, commented, relaxed],
    read: (text: string) => readJson(text, `a.${name}`, name),
  })),
  {
    name: 'YAML',
    texts: [yamlText, yamlText.replaceAll(/^(?:%.*|\.\.\.)\n|!!str /gm, ''), jsonText, relaxed],
    read(text) {
      explainYaml(text)
      return readYaml(text, 'a.yaml')
    },
  },
  {
    name: 'the look at a module',
    texts: [moduleText],
    read(text) {
      lookAtModule('/nowhere/a.ts', text)
      scanImports(text)
      return undefined
    },
  },
]
/** What the part that is written may end with: what begins an escape, a comment, a text or a value. */
const endings = ['', '\\', '/', '/*', '"', "'", '`', '&', '*', '-', '\n']

it.each(readers)('$name', { timeout: patience }, async ({ texts, read }) => {
  const sources: [part: string, FixtureSource | Promise<FixtureSource> | undefined][] = []
  const add = (part: string) => sources.push([part, read(part)])
  const readAll = () => {
    for (const text of texts) {
      for (let end = 0; end <= text.length; end += isThorough ? 1 : 2) {
        const begun = text.slice(0, end)
        if (isThorough || end % 4 === 0) add(begun)
        if (isThorough || end % 4 === 2) add(begun + endings[end % endings.length]!)
      }
    }
  }
  // A loop can be interrupted only from outside of it.
  Object.assign(globalThis, { readAll })
  new Script('readAll()').runInThisContext({ timeout: timeLimit })
  const failures: string[] = []
  for (const [part, source] of sources) {
    const problem = findProblem(part, await source)
    if (problem !== undefined) failures.push(`${problem}: ${JSON.stringify(part.slice(-40))}`)
  }
  expect(failures).toEqual([])
})

/** What is wrong with what was read of a text: the diagnostic has a place in it, or the value gives routes or diagnostics. */
function findProblem(text: string, source: FixtureSource | undefined): string | undefined {
  if (source === undefined) return undefined
  const parsed =
    'diagnostic' in source
      ? { diagnostics: [source.diagnostic], hasLostRoutes: true }
      : parseFixture(source.value, { file: 'a', ...source })
  const errors = parsed.diagnostics.filter(({ severity }) => severity === 'error')
  if (parsed.hasLostRoutes && errors.length === 0) return 'routes are lost without an error'
  const lines = text.split(/\r\n?|\n/)
  const misplaced = errors.find(
    ({ line = 0, column = 0 }) =>
      line < 1 || line > lines.length || column < 1 || column > lines[line - 1]!.length + 2,
  )
  return misplaced && `${misplaced.code} at ${misplaced.line}:${misplaced.column}`
}
