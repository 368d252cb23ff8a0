import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import ts from 'typescript'
import { createProjectInPackage } from '../hosts/test-project.ts'
import { packageRoot, placeOf, typed, type Block } from './pages.ts'

/** A file of the program, with the blocks that it is made of. */
interface Source {
  path: string
  text: string
  /** The block that each part of the text comes from, by its first line in the file, from 1. */
  parts: { from: number; block: Block }[]
}

/**
 * Files that examples import and no page shows: `support/check/src/generated/graphql.ts` is for docs/check.md. A
 * `prelude.ts` stands before each block of its page that names no file.
 */
const supportFolder = `${packageRoot}/test/docs/support`

/** The type errors of all blocks, by page and line: one program, with the types of the built package. */
export function typeErrorsOf(blocks: readonly Block[]): string[] {
  const sources = sourcesOf(blocks)
  const project = createProjectInPackage({
    ...supportFiles(),
    ...Object.fromEntries(sources.map(({ path, text }) => [path, text])),
  })
  try {
    const names = sources.map(({ path }) => path).concat(Object.keys(supportFiles()))
    const files = names.map((path) => join(project.root, path))
    const program = ts.createProgram([...files, `${packageRoot}/virtual.d.ts`, `${packageRoot}/hot.d.ts`], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      moduleDetection: ts.ModuleDetectionKind.Force,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.webworker.d.ts'],
      jsx: ts.JsxEmit.ReactJSX,
      strict: true,
      // Examples in JavaScript have no types of their own.
      noImplicitAny: false,
      allowJs: true,
      checkJs: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node', 'vite/client'],
    })
    return ts.getPreEmitDiagnostics(program).map((diagnostic) => describe(diagnostic, sources, project.root))
  } finally {
    project.close()
  }
}

function describe(
  { file, start, messageText }: ts.Diagnostic,
  sources: readonly Source[],
  root: string,
): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ')
  if (!file || start === undefined) return text
  const path = relative(root, file.fileName)
  const line = file.getLineAndCharacterOfPosition(start).line + 1
  const part = sources.find((source) => source.path === path)?.parts.findLast(({ from }) => from <= line)
  if (!part) return `${path}:${line} ${text}`
  return `${part.block.page}:${part.block.line + 1 + line - part.from} ${text}`
}

/** Each block is a file in the folder of its page; `<!-- continues -->` adds it to the block of code before it. */
export function sourcesOf(blocks: readonly Block[]): Source[] {
  const sources: Source[] = []
  for (const block of blocks) {
    if (!typed.includes(block.language) || block.markers.has('unchecked')) continue
    const last = sources.at(-1)
    if (block.markers.has('continues')) {
      if (last?.parts[0]!.block.page !== block.page)
        throw new Error(`${placeOf(block)} continues a block, and the page has none before it.`)
      last.parts.push({ from: last.text.split('\n').length, block })
      last.text += scriptOf(block)
    } else {
      const path = freePath(pathOf(block), (path) => sources.some((source) => source.path === path))
      const prelude = block.file === undefined ? preludeOf(block.page) : ''
      sources.push({
        path,
        text: prelude + scriptOf(block),
        parts: [{ from: prelude.split('\n').length, block }],
      })
    }
  }
  return sources
}

/** The script of a component, each line at its place; everything else as it is. */
function scriptOf({ language, text }: Block): string {
  if (!['vue', 'svelte', 'astro'].includes(language)) return text
  const between = language === 'astro' ? /^---\n([^]*?)^---$/m : /<script[^>]*>\n([^]*?)<\/script>/
  const match = between.exec(text)
  if (!match) return ''
  const before = text.slice(0, match.index + match[0].indexOf(match[1]!))
  return before.replaceAll(/[^\n]/g, '') + match[1]!
}

const extensions: Record<string, string> = { vue: 'ts', svelte: 'ts', astro: 'ts', js: 'mjs' }

const folderOf = (page: string) => page.replace(/^docs\//, '').replace(/\.md$/, '')

function preludeOf(page: string): string {
  const file = join(supportFolder, folderOf(page), 'prelude.ts')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function pathOf({ page, line, language, file }: Block): string {
  const isComponent = ['vue', 'svelte', 'astro'].includes(language)
  return `${folderOf(page)}/${file ? file + (isComponent ? '.ts' : '') : `block-${line}.${extensions[language] ?? language}`}`
}

/** Where a page shows two versions of a file, the first has its name. */
function freePath(path: string, isTaken: (path: string) => boolean): string {
  for (let number = 2, free = path; ; number++) {
    if (!isTaken(free)) return free
    free = `${path.slice(0, -extname(path).length)}~${number}${extname(path)}`
  }
}

function supportFiles(): Record<string, string> {
  if (!existsSync(supportFolder)) return {}
  const files = readdirSync(supportFolder, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(supportFolder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]
    }),
  )
}
