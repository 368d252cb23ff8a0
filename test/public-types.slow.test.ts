/*
 * The public types: what a correct program may write, and that each wrong use is an error. `types/` has a file for each
 * subject; they are compiled against the built types, in one program. Needs `npm run build`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, it } from 'vitest'
import { createProjectInPackage } from './hosts/test-project.ts'

const folder = new URL('types/', import.meta.url)
const files = Object.fromEntries(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
)
const project = createProjectInPackage(files)
afterAll(() => project.close())

it('what fits compiles, and what does not is an error', { timeout: 300_000 }, () => {
  const ambient = ['virtual.d.ts', 'hot.d.ts'].map((name) => join(project.root, '../..', name))
  const paths = Object.keys(files).map((name) => join(project.root, name))
  const program = ts.createProgram([...paths, ...ambient], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    // types.slow.test.ts checks the declarations themselves.
    skipLibCheck: true,
    types: ['node', 'vite/client'],
  })
  const errors = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && file.getLineAndCharacterOfPosition(start ?? 0).line + 1
    const place = file && `test/types/${relative(project.root, file.fileName)}:${line}`
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
  expect(errors, errors.join('\n')).toEqual([])
})
