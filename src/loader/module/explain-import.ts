import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Diagnostic, SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import { quote } from '../../core/values/describe-value.ts'
import { nearestName } from '../../core/values/spelling.ts'
import { attempt, namesFile, placeInStack, reasonOf } from '../../core/values/thrown.ts'
import { displayPath } from '../../files/paths.ts'
import { MissingModule, withoutStack } from './missing-module.ts'
import { hasText, indexOfText, readModule, type ModuleImports } from './module-imports.ts'

/** The diagnostic is located in the module of the project where the error was thrown. */
export function importFailed(
  error: unknown,
  root: string,
  path: string,
  { all, importers }: Pick<ModuleImports, 'all' | 'importers'> = { all: new Set(), importers: new Map() },
): Diagnostic {
  const modules = [path, ...all]
  if (error instanceof MissingModule) return importMissing(error, root, path, importers)
  const reason = withoutStack(reasonOf(error))
  // A syntax error has its location at the end of the message, every other error in its stack.
  const parsed = /\s(\S+):(\d+):(\d+)\s*$/.exec(reason)
  if (parsed && modules.includes(parsed[1]!)) {
    const line = Number(parsed[2]) // 0 if the parser does not know
    const place = {
      file: displayPath(root, parsed[1]!),
      ...(line > 0 && { line, column: Number(parsed[3]) + 1 }),
    }
    return diagnoseFile('fixture-syntax', place, {
      reason: `${reason
        .slice(0, parsed.index)
        .trimEnd()
        .replace(/^ParseError: /, '')
        .replace(/\.$/, '')}.`,
    })
  }
  const place = failurePlace(error, root, modules)
  return diagnoseFile('fixture-import-failed', place, { reason, fix: importFix(reason, place, modules) })
}

function importMissing(
  { message, specifier, importer, tried }: MissingModule,
  root: string,
  path: string,
  importers: ReadonlyMap<string, string>,
): Diagnostic {
  const shown = (file: string) => displayPath(root, file)
  const lines = readModule(importer).split('\n')
  const index = lines.findIndex((text) => hasText(text, specifier))
  const place = {
    file: shown(importer),
    ...(index !== -1 && { line: index + 1, column: indexOfText(lines[index]!, specifier) + 1 }),
  }
  const chain = [importer]
  for (let at = importers.get(importer); at && at !== path && !chain.includes(at); at = importers.get(at))
    chain.unshift(at)
  const way = importer === path ? '' : ` (${[path, ...chain].map(shown).join(' → ')})`
  const [first] = tried
  const meant = first && similarModule(first.path)
  return diagnoseFile('fixture-import-failed', place, {
    reason: message,
    missing:
      first &&
      `It imports ${quote(specifier)}, which is ${quote(shown(first.path))} by ${first.by}: no such file`,
    way,
    fix:
      meant === undefined
        ? first
          ? 'Create the file, or correct the import'
          : missingFix(specifier)
        : `Did you mean ${quote(shown(meant))}? Correct the import, or create the file`,
  })
}

/** A module of the same folder whose name is almost the same. */
function similarModule(path: string): string | undefined {
  const names = attempt(() => readdirSync(dirname(path))) ?? []
  const bare = (name: string) => name.replace(/\.\w+$/, '')
  const similar = nearestName(bare(basename(path)), names.map(bare))
  const file = names.find((name) => bare(name) === similar)
  return file === undefined ? undefined : join(dirname(path), file)
}

/** Anything can be thrown, even an object whose stack throws when it is read. */
function failurePlace(error: unknown, root: string, modules: readonly string[]): SourceLocation {
  const [path] = modules
  try {
    const lines = error instanceof Error ? String(error.stack).split('\n') : []
    const module = lines.flatMap((line) => modules.filter((name) => namesFile(line, name)))[0] ?? path!
    const { line } = placeInStack(error, module)
    return { file: displayPath(root, module), ...(line ? { line } : {}) }
  } catch {
    return { file: displayPath(root, path!) }
  }
}

const ofBrowsers = /^(?:document|window|localStorage|sessionStorage|location|HTMLElement) is not defined/
const ofModules = /^\.(?:[cm]?[jt]sx?|json)$/

/** `undefined` when the reason does not show what was expected of the file. */
function importFix(reason: string, { file }: SourceLocation, modules: readonly string[]): string | undefined {
  if (!ofModules.test(extname(file ?? '')))
    return 'Import only code and JSON: fixture files run in Node.js, without the bundler'
  if (reason.startsWith('import.meta.glob')) return 'Import the modules by their names'
  if (ofBrowsers.test(reason))
    return 'Do not import code that needs a page: fixture files run in Node.js, and not in the browser'
  return isOwnImport(reason, modules)
    ? 'Write: import { defineFixture } from "unplugin-mock-api/fixture"'
    : undefined
}

function missingFix(specifier: string): string | undefined {
  if (/^(?!node:|file:|data:)[\w-]{2,}:/.test(specifier))
    return 'Import what it is made from: a plugin of the bundler makes this module, and fixture files run in Node.js, without it'
  if (/^(?:[@~#$]\/|~\w|\$\w|\/src\/)/.test(specifier))
    return 'Write a relative path, or name the alias in "paths" of tsconfig.json or jsconfig.json, or in the config of the bundler'
  return undefined
}

/** Whether `defineFixture` is taken from another entry of this package, or by another name. */
function isOwnImport(reason: string, modules: readonly string[]): boolean {
  return (
    /^define\w* is not a function|^Package subpath .*[\\/]unplugin-mock-api[\\/]/.test(reason) &&
    modules.some((module) => /['"]unplugin-mock-api(?:\/[\w-]+)?['"]/.test(readModule(module)))
  )
}
