import { extname } from 'node:path'
import type { Diagnostic, SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import { diagnoseFile } from '../../core/diagnostics/file-texts.ts'
import { namesFile, placeInStack, reasonOf } from '../../core/values/thrown.ts'
import { displayPath } from '../../files/paths.ts'
import { hasText, readModule } from './module-imports.ts'

/** The diagnostic is located in the module of the project where the error was thrown. */
export function importFailed(error: unknown, root: string, modules: readonly string[]): Diagnostic {
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
  const place = missingImportPlace(reason, root, modules) ?? failurePlace(error, root, modules)
  return diagnoseFile('fixture-import-failed', place, { reason, fix: importFix(reason, place, modules) })
}

/** Node appends the list of modules that required it. */
function withoutStack(reason: string): string {
  return reason.replace(/\nRequire stack:[^]*$/, '')
}

function missingImportPlace(reason: string, root: string, modules: readonly string[]) {
  const [, specifier] = /^Cannot find (?:module|package) '([^']+)'/.exec(reason) ?? []
  if (specifier === undefined) return undefined
  for (const module of modules) {
    const line =
      readModule(module)
        .split('\n')
        .findIndex((text) => hasText(text, specifier)) + 1
    if (line > 0) return { file: displayPath(root, module), line }
  }
  return undefined
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
  if (/^Cannot find (?:module|package) '(?:[@~#$]\/|~\w|\$\w|\/src\/)/.test(reason))
    return 'Write a relative path, such as "../src/data": fixture files are loaded without the aliases of the bundler'
  if (!ofModules.test(extname(file ?? '')))
    return 'Import only code and JSON: fixture files run in Node.js, without the bundler'
  if (ofBrowsers.test(reason))
    return 'Do not import code that needs a page: fixture files run in Node.js, and not in the browser'
  return isOwnImport(reason, modules)
    ? 'Write: import { defineFixture } from "unplugin-mock-api/fixture"'
    : undefined
}

/** Whether `defineFixture` is taken from another entry of this package, or by another name. */
function isOwnImport(reason: string, modules: readonly string[]): boolean {
  return (
    /^define\w* is not a function|^Package subpath .*[\\/]unplugin-mock-api[\\/]/.test(reason) &&
    modules.some((module) => /['"]unplugin-mock-api(?:\/[\w-]+)?['"]/.test(readModule(module)))
  )
}
