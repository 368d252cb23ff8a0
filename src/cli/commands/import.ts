import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { visible } from '../../core/diagnostics/format.ts'
import { canonicalBase } from '../../core/http/path.ts'
import { addTo } from '../../core/values/collections.ts'
import { attempt } from '../../core/values/thrown.ts'
import { isFolder } from '../../files/links.ts'
import { displayPath } from '../../files/paths.ts'
import { decodeText } from '../../files/read-whole-file.ts'
import type { Imported, ImportContext } from '../../import/imported.ts'
import { importKindOf, importKinds, lookOf, whatIsRead, type ImportKind } from '../../import/kinds.ts'
import { ImportSource } from '../../import/source.ts'
import { searchFiles } from '../../loader/find/search-files.ts'
import { baseOfConfig } from '../code/plugin-options.ts'
import { fileToRead, projectFolder } from '../places.ts'
import { saveImport, type SaveOptions } from '../save-import.ts'
import { createProgress, exitCodes, UsageError, type ExitCode, type Terminal } from '../terminal.ts'

export interface ImportOptions
  extends SaveOptions, Pick<ImportContext, 'url' | 'only' | 'origin' | 'errors' | 'collections' | 'send'> {
  base?: string
  paste?: boolean
}

/** The content decides what a file is, and the kinds are read one after the other. */
export async function importFiles(
  terminal: Terminal,
  names: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const sources = names.flatMap((name) => sourcesAt(root, name))
  if (options.paste) sources.push(new ImportSource('the clipboard', undefined, readClipboard()))
  if (sources.length === 0)
    throw new UsageError(
      names.length > 0
        ? `${names.join(', ')} has no file that is read. ${whatIsRead}`
        : 'Name a file or a folder, - for standard input, or --paste for the clipboard.',
    )
  const found = new Map<ImportKind, ImportSource[]>()
  const isOneOfMany = (source: ImportSource) => !names.some((name) => resolve(root, name) === source.path)
  for (const source of sources) {
    await source.load(root)
    const kind = importKindOf(source)
    if (kind) addTo(found, kind, source)
    else if (source.path === undefined || !isOneOfMany(source))
      throw new Error(`${source.name} can't be imported: ${lookOf(source)}. ${whatIsRead}`)
  }
  if (found.size === 0) throw new Error(`${names.join(', ')} has no file that is read. ${whatIsRead}`)
  // Files beside others may be any lists: bodies, or data of tests.
  for (const [kind, own] of found)
    if (kind.name === 'json-server' && found.size > 1 && own.every(isOneOfMany)) found.delete(kind)
  const made = new Map<string, Imported>()
  for (const [kind, own] of found) {
    const more = own.length > 3 ? ` and ${own.length - 3} more` : ''
    const shown = own.slice(0, 3).map(({ name }) => name)
    terminal.print(visible(`${shown.join(', ')}${more}: ${kind.title}`))
    made.set(kind.name, await kind.read(own, contextOf(terminal, root, options)))
  }
  const exitCode = await saveImport(terminal, joined(made), options)
  if (exitCode !== exitCodes.fine && made.size > 1)
    terminal.note('\nThese are files of several kinds. If they describe one API, import those of one kind.')
  return exitCode
}

/** A subcommand says what the files are. */
export async function importKind(
  terminal: Terminal,
  name: string,
  names: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const kind = importKinds.find((one) => one.name === name)!
  const sources = names.map((one) => sourceOf(root, fileToRead(root, one)))
  const progress = createProgress(terminal)
  for (const [index, source] of sources.entries()) {
    progress(() => `Loading: ${index} of ${sources.length} files`)
    await source.load(root)
    const other = attempt(() => importKindOf(source))
    if (other && other.read !== kind.read && !source.isModule)
      throw new UsageError(
        `${source.name} is ${other.title}, not ${kind.title}. Write: unplugin-mock-api import ${source.name}`,
      )
  }
  return saveImport(terminal, await kind.read(sources, contextOf(terminal, root, options)), options)
}

/** Code in a folder is not run: it may be any. */
const inFolders = /\.(?:json|ya?ml|har|bru|curl|sh|txt)$/i
/** Bodies of the mappings of WireMock, whatever they look like. */
const bodies = /[\\/]__files[\\/]/

function sourcesAt(root: string, name: string): ImportSource[] {
  if (name === '-') return [new ImportSource('standard input', undefined, decodeText(readFileSync(0)))]
  const path = resolve(root, name)
  if (!isFolder(path)) return [sourceOf(root, fileToRead(root, name))]
  return searchFiles(path, ['.'])
    .filter((file) => inFolders.test(file) && !bodies.test(file.slice(path.length)))
    .map((file) => sourceOf(root, file))
}

function sourceOf(root: string, path: string): ImportSource {
  return new ImportSource(displayPath(root, path), path)
}

function contextOf(terminal: Terminal, root: string, options: ImportOptions): ImportContext {
  const { base, ...given } = options
  return {
    ...given,
    base: base === undefined ? baseOfConfig(terminal, root) : canonicalBase(base),
    isBaseGiven: base !== undefined,
    note: (text) => terminal.note(text),
    progress: createProgress(terminal),
    confirm: terminal.isInteractive ? (question) => terminal.confirm(question) : undefined,
  }
}

/** Kinds have a folder each, if there are several. */
function joined(made: ReadonlyMap<string, Imported>): Imported {
  const all = [...made.values()]
  if (all.length === 1) return all[0]!
  const sum = (count: (one: Imported) => number) => all.reduce((total, one) => total + count(one), 0)
  return {
    files: [...made].flatMap(([name, { files }]) =>
      files.map((file) => ({ ...file, path: `${name}/${file.path}` })),
    ),
    omitted: all.flatMap(({ omitted }) => omitted),
    found: sum(({ found }) => found),
    written: sum(({ written }) => written),
    graphqlPaths: all.flatMap(({ graphqlPaths = [] }) => graphqlPaths),
    drafts: all.flatMap(({ drafts = [] }) => drafts).join('\n'),
  }
}

const clipboards: readonly (readonly [command: string, ...args: string[]])[] = [
  ['pbpaste'],
  ['powershell.exe', '-NoProfile', '-Command', 'Get-Clipboard -Raw'],
  ['wl-paste', '--no-newline'],
  ['xclip', '-selection', 'clipboard', '-out'],
  ['xsel', '--clipboard', '--output'],
]

function readClipboard(): string {
  for (const [command, ...args] of clipboards) {
    const text = attempt(() => execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] }))
    if (text !== undefined) return decodeText(text)
  }
  throw new UsageError('The clipboard can not be read here. Pipe its text: … | unplugin-mock-api import -')
}
