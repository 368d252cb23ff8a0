/*
 * Makes a script of an ES module, so that the code which V8 makes of it can be kept from one start to the next: Node can do that
 * with the functions of scripts only (src/server/run-script.ts).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { init, parse } from 'es-module-lexer'
import { builtApart, source } from './entries.ts'
import type { EsbuildPlugin } from './esbuild-plugin.ts'
import { isAt, readNames, setText } from './outputs.ts'

/**
 * Puts the code of a later import into a script. Its file remains a module with the same imports and exports, which runs the
 * script: files that import it do not notice, and bundlers find all that it imports.
 *
 * @param entry a path that starts from `src/`
 */
export const asScript = (entry: string): EsbuildPlugin => ({
  name: 'as-script',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], metafile }) => {
      const outputs = Object.entries(metafile!.outputs)
      const [path, output] = outputs.find(([, { entryPoint }]) => entryPoint === `src/${entry}`)!
      refuseVariables(Object.keys(output.inputs).filter((file) => file.startsWith('src/')))
      const file = outputFiles.find((one) => isAt(one, path))!
      const result = await build.esbuild.build({
        stdin: { contents: await withScript(file.text), resolveDir: source },
        bundle: true,
        write: false,
        metafile: true,
        format: 'esm',
        minify: true,
        target: build.initialOptions.target!,
        external: ['node:*', './*.js'],
        plugins: [builtApart],
      })
      setText(file, result.outputFiles[0]!.text)
      const [{ bytes, imports, inputs }] = Object.values(result.metafile.outputs) as [typeof output]
      delete inputs['<stdin>']
      const own = output.imports.filter(({ external }) => !external)
      const others = imports.filter((one) => one.path.startsWith('node:'))
      metafile!.outputs[path] = {
        ...output,
        bytes,
        imports: [...own, ...others],
        inputs: { ...output.inputs, ...inputs },
      }
    })
  },
})

/** What is exported is read once, when the script has run. */
function refuseVariables(files: readonly string[]): void {
  for (const file of files) {
    const [found] = /^export (?:let|var) \w+/m.exec(readFileSync(file, 'utf8')) ?? []
    if (found !== undefined) throw new Error(`${file}: "${found}" must be a constant.`)
  }
}

/** The parameters of the script, by names that no minified file has. */
const [meta, importLater] = ['$meta', '$importLater']

/**
 * The module that runs a module's code as a script.
 *
 * @param text as esbuild writes it: with one list of exports, at its end
 * @throws if it has an import or export of another form
 */
export async function withScript(text: string): Promise<string> {
  await init()
  const [imports, exports] = parse(text)
  const statements: string[] = []
  const later = new Set<string>()
  let script = ''
  let end = 0
  const replace = (from: number, to: number, by: string) => {
    script += text.slice(end, from) + by
    end = to
  }
  for (const one of imports) {
    const { importStart, importEnd } = one
    const statement = text.slice(importStart, importEnd)
    if (one.type === 'import-meta') replace(importStart, importEnd, meta)
    else if (one.type === 'dynamic' && one.specifier !== undefined) {
      later.add(text.slice(one.start, one.end))
      replace(importStart, importStart + 'import'.length, importLater)
    } else if (one.type === 'static') {
      statements.push(statement)
      replace(importStart, importEnd, '')
    } else throw new Error(`A script can't have "${statement}".`)
  }
  const own = exports.filter((one) => one.type === 'direct')
  const exportList = text.lastIndexOf('export{')
  if (exportList < end || own.length < exports.length) throw new Error('A script needs one list of exports.')
  replace(exportList, text.indexOf('}', exportList) + 1, '')
  script += text.slice(end)

  const parameters = [meta, importLater, ...statements.flatMap(importedNames)]
  const results = own.map(({ name, localName }) => `${name}: ${localName}`)
  const run = `(function (${parameters.join()}) { "use strict"; ${script}; return { ${results.join()} } })`
  const hash = createHash('sha1').update(run).digest('hex')
  const exported = own.map(({ name }) => name)
  return `
    import { runScript } from './server/run-script.ts'
    ${statements.join('\n')}
    const later = { ${[...later].map((path) => `${path}: () => import(${path})`).join()} }
    const ${meta} = import.meta
    const ${importLater} = (path) => later[path]()
    const run = runScript(${JSON.stringify(run)}, { name: ${meta}.url + '?script', hash: '${hash}' })
    const { ${exported.map((name) => `${name}: export_${name}`).join()} } = run(${parameters.join()})
    export { ${exported.map((name) => `export_${name} as ${name}`).join()} }`
}

/** Reads what `import a,{b as c}from"…"` or `import*as a from"…"` declares. */
function importedNames(statement: string): string[] {
  const form = /^import(?:\*as ([\w$]+)|(?: ([\w$]+),?)?(\{[^}]*\})?)\s*(?:from)?["']/
  const found = form.exec(statement)
  if (!found) throw new Error(`A script can't have "${statement}".`)
  const [, all, whole, list] = found
  const names = list === undefined ? [] : readNames(list).map(([, local]) => local)
  return [all, whole, ...names].filter((name) => name !== undefined)
}
