import { readFileSync, statSync } from 'node:fs'
import { attempt } from '../../core/values/thrown.ts'

export interface ModuleImports {
  /** Absolute paths, of indirect imports too. Some may not exist yet. */
  all: Set<string>
  /** Modules whose default export is imported: it may be a list that this module includes. */
  defaults: Set<string>
  /** The first importer of each. */
  importers: Map<string, string>
}

/** The files that an import depends on. */
interface Followed {
  /** The module of the project that it leads to. */
  found?: string | undefined
  /** Where such a module may be created later, and configs that decide. */
  others: readonly string[]
}

export type Follow = (specifier: string, parent: string) => Followed

/**
 * Imports are read from the text: the module system knows them after evaluation, and tells only the first importer.
 *
 * @param envFiles what modules that read `import.meta.env` depend on
 */
export function findImports(path: string, follow: Follow, envFiles: readonly string[] = []): ModuleImports {
  const imports: ModuleImports = { all: new Set(), defaults: new Set(), importers: new Map() }
  const waiting = [path]
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    const text = readModule(module)
    if (text.includes('import.meta.env')) for (const file of envFiles) imports.all.add(file)
    for (const { specifier, takesDefault } of scanImports(text)) {
      const { found, others } = follow(specifier, module)
      for (const other of others) imports.all.add(other)
      if (found === undefined) continue
      if (takesDefault) imports.defaults.add(found)
      if (!imports.importers.has(found)) {
        imports.importers.set(found, module)
        waiting.push(found)
      }
      imports.all.add(found)
    }
  }
  imports.all.delete(path)
  imports.defaults.delete(path)
  return imports
}

interface ImportStatement {
  specifier: string
  takesDefault: boolean
  /** The text between `import` or `export` and `from`: `list, { a as b }`. */
  bound: string
}

/* No alternative can fail after a long match, and each continues where the last one ended: the time is linear. */
const text = /'[^'\\\n]*(?:\\[^][^'\\\n]*)*'?|"[^"\\\n]*(?:\\[^][^"\\\n]*)*"?/.source
const template = /`[^`\\]*(?:\\[^][^`\\]*)*`?/.source
const comment = /\/\*(?:[^]*?\*\/|[^]*)|\/\/[^\n]*/.source
const commentOrText = new RegExp(String.raw`(?<comment>${comment})|${text}|${template}|\\[^]`, 'g')
const importing = new RegExp(
  String.raw`\b(?:import|export|require)\b(?<clause>[\w$\s{},*(]*)(?:(['"\`])(?<specifier>[^'"\`\n]+)\2)?|${text}`,
  'g',
)

export function scanImports(module: string): ImportStatement[] {
  const code = module.replace(commentOrText, (match, comment?: string) =>
    comment === undefined ? match : ' ',
  )
  const found: ImportStatement[] = []
  for (const { groups } of code.matchAll(importing)) {
    const { clause, specifier } = groups!
    if (clause === undefined || specifier === undefined || specifier.includes('${')) continue
    // In code without semicolons, another statement may come before the import.
    const names = clause
      .split(/\b(?:import|export|require)\b/)
      .at(-1)!
      .trim()
    if (names === '' || names === '(') found.push({ specifier, takesDefault: names === '(', bound: '' })
    else if (/(?:^|[\s}*])from$/.test(names)) {
      const bound = names.slice(0, -4).trim()
      if (!/^type\s+[^\s,]/.test(bound)) found.push({ specifier, takesDefault: bindsDefault(bound), bound })
    }
  }
  return found
}

/** `list`, `* as all`, `*` and `{ default … }` take the default export. */
function bindsDefault(bound: string): boolean {
  return /^[\w$]|\*|\bdefault\b/.test(bound)
}

export function candidates(path: string): string[] {
  const bare = path.replace(/\.[cm]?[jt]sx?$/, '')
  const ofFile = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']
  const endings = [...ofFile, '/index.ts', '/index.tsx', '/index.js', '/index.jsx']
  return [path, ...endings.map((ending) => bare + ending)]
}

/** Parcel's `statSync` throws without an entry, whatever it is told. */
function isFile(path: string): boolean {
  return attempt(() => statSync(path, { throwIfNoEntry: false })?.isFile()) ?? false
}

/** The file that a specifier without its extension may mean. */
export function findModule(path: string): string | undefined {
  return candidates(path).find(isFile)
}

export function readModule(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

/** The index of a text in quotes, or -1. */
export function indexOfText(line: string, text: string): number {
  return Math.max(...[`'${text}'`, `"${text}"`, `\`${text}\``].map((literal) => line.indexOf(literal)))
}

/** Whether a line has a text in quotes. */
export function hasText(line: string, text: string): boolean {
  return indexOfText(line, text) !== -1
}
