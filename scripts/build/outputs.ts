/* What is changed in the files that esbuild has made. Each file that is loaded takes more than half a millisecond. */
import { basename } from 'node:path'
import type { EsbuildPlugin } from './esbuild-plugin.ts'
import { sharingNames, sourceOf } from './entries.ts'
import type { Parts } from './parts.ts'

type BuildResult = Parameters<Parameters<Parameters<EsbuildPlugin['setup']>[0]['onEnd']>[0]>[0]
type OutputFile = NonNullable<BuildResult['outputFiles']>[number]

/**
 * Leaves out files that do nothing but import another one: esbuild moves what several files share into a file of its own,
 * and leaves a stub that exports from there. The shared file takes the place of the stub. Entries of the package remain, since
 * they must not export anything else.
 */
export const withoutStubs = (parts: Parts): EsbuildPlugin => ({
  name: 'without-stubs',
  setup(build) {
    build.onEnd(({ outputFiles = [], metafile }) => {
      if (!metafile) return
      const { outputs } = metafile
      const publicFiles = sharingNames.map(sourceOf)
      const heads = Object.values(parts).map(([head]) => `src/${head}`)
      const stubs = Object.keys(outputs).filter((path) => {
        const { entryPoint, inputs } = outputs[path]!
        const isEmpty = Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0)
        return entryPoint && isEmpty && !publicFiles.includes(entryPoint)
      })
      const isHead = (path: string) => heads.includes(outputs[path]!.entryPoint!)
      for (const stub of [...stubs.filter(isHead), ...stubs.filter((path) => !isHead(path))]) {
        const { entryPoint, imports, exports } = outputs[stub]!
        const shared = imports[0]!.path
        const stubFile = outputFiles.find((file) => isAt(file, stub))!
        const names = namesThroughStub(stubFile.text, basename(shared))
        // Another stub may have given it its name, and a stub may export from several files.
        if (outputs[shared]!.entryPoint || names.length < exports.length) continue
        const sharedFile = outputFiles.find((file) => isAt(file, shared))!
        const list = exportList(sharedFile.text)
        const local = new Map(readNames(list).map(([from, name]) => [name, from]))
        const added = names.map(([from, name]) => `${local.get(from)!} as ${name}`)
        replaceText([sharedFile], list, list.replace('}', `,${added.join(',')}}`))
        sharedFile.path = stubFile.path
        outputFiles.splice(outputFiles.indexOf(stubFile), 1)
        outputs[stub] = { ...outputs[shared]!, entryPoint: entryPoint! }
        delete outputs[shared]
        for (const output of Object.values(outputs))
          for (const one of output.imports) if (one.path === shared) one.path = stub
        replaceText(outputFiles, `"./${basename(shared)}"`, `"./${basename(stub)}"`)
      }
    })
  },
})

/** esbuild has its helpers in a file of their own, which every file imports, whether it uses one or not. */
export const withoutUnusedHelpers: EsbuildPlugin = {
  name: 'without-unused-helpers',
  setup(build) {
    build.onEnd(({ outputFiles = [], metafile }) => {
      const outputs = Object.entries(metafile?.outputs ?? {})
      const helpers = outputs.filter(([, { inputs }]) => Object.keys(inputs).length === 0)
      for (const [helper] of helpers) {
        const changed = replaceText(outputFiles, `import"./${basename(helper)}";`, '')
        for (const [path, output] of outputs)
          if (changed.some((file) => isAt(file, path)))
            output.imports = output.imports.filter((one) => one.path !== helper)
      }
    })
  },
}

/** `export{…}`, at the end of a file. */
function exportList(text: string): string {
  const start = text.lastIndexOf('export{')
  return text.slice(start, text.indexOf('}', start) + 1)
}

/** What a stub exports from a file: pairs of its name there and its name in the stub. */
function namesThroughStub(stub: string, file: string): [from: string, name: string][] {
  const [list = ''] = new RegExp(`import\\{[^}]*\\}from"\\./${file.replaceAll('.', '\\.')}"`).exec(stub) ?? []
  const imported = new Map(readNames(list).map(([from, local]) => [local, from]))
  const exported = readNames(exportList(stub))
  return exported.flatMap(([local, name]) => (imported.has(local) ? [[imported.get(local)!, name]] : []))
}

/** Reads `{a as b,c}` as pairs: `[['a', 'b'], ['c', 'c']]`. */
export function readNames(list: string): [from: string, to: string][] {
  const names = /\{([^}]*)\}/.exec(list)?.[1] ?? ''
  return names.split(',').map((name) => {
    const [from, to = from] = name.split(' as ')
    return [from!, to!]
  })
}

export function isAt({ path }: OutputFile, output: string): boolean {
  return path.replaceAll('\\', '/').endsWith(`/${output}`)
}

/** @returns the files that have changed */
function replaceText(files: OutputFile[], text: string, by: string): OutputFile[] {
  const changed = files.filter((file) => file.text.includes(text))
  for (const file of changed) {
    const replaced = file.text.replaceAll(text, by)
    setText(file, replaced)
  }
  return changed
}

export function setText(file: OutputFile, text: string): void {
  // `text` is a getter, which reads what esbuild has written.
  Object.defineProperty(file, 'text', { value: text, configurable: true })
  file.contents = new TextEncoder().encode(text)
}
