/* The types of fixtures take what the validator takes, and refuse what it refuses by its shape. Slow: it compiles. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { right, wrong } from './corpus.ts'

/** What types can't say: the range of a number, the text of a path. */
const beyondTypes = [
  '"status":199',
  '"path":"a"',
  '"x-a":{}', // a value from the request, with none of its keys
  '"requests":0',
  '"file":""',
  '"perPage":0',
  '"scenario":""',
  '"scenario":"a,b"',
  '"scenario":[',
  '"response":[]',
]

it('hold for every fixture of the corpus', () => {
  const name = fileURLToPath(new URL('corpus-as-code.ts', import.meta.url))
  // An object around the routes is for the `$schema` of JSON files. Code exports the list.
  const all = [...right.filter(Array.isArray), ...wrong]
  const code = [
    `import type { Fixture } from '../../../src/core/schema/schema.ts'`,
    ...all.map((fixture, index) => `export const f${index}: Fixture = ${JSON.stringify(fixture)}`),
  ].join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
  }
  const host = ts.createCompilerHost(options)
  const original = { ...host }
  host.fileExists = (path) => path === name || original.fileExists(path)
  host.getSourceFile = (path, ...more) =>
    path === name
      ? ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true)
      : original.getSourceFile(path, ...more)
  const program = ts.createProgram([name], options, host)
  const source = program.getSourceFile(name)!
  const lines = program
    .getSemanticDiagnostics(source)
    .map(({ start }) => source.getLineAndCharacterOfPosition(start!).line - 1)
  const refused = [...new Set(lines)].map((index) => JSON.stringify(all[index]))
  const expected = wrong
    .map((fixture) => JSON.stringify(fixture))
    .filter((text) => !beyondTypes.some((part) => text.includes(part)))
  expect(refused).toEqual(expected)
})
