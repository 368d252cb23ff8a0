import { extname } from 'node:path'
import type { SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import { readText } from './module-imports.ts'

const ofBrowsers = /^(?:document|window|localStorage|sessionStorage|location|HTMLElement) is not defined/
const ofModules = /^\.(?:[cm]?[jt]sx?|json)$/

/**
 * How to correct a fixture file that failed while it was imported, where the reason shows what was expected of it;
 * otherwise `undefined`.
 *
 * @param modules absolute paths of the file and of what it imports
 */
export function importFix(
  reason: string,
  { file }: SourceLocation,
  modules: readonly string[],
): string | undefined {
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

/** Whether a module takes `defineFixture` from another entry of this package, or by another name. */
function isOwnImport(reason: string, modules: readonly string[]): boolean {
  return (
    /^define\w* is not a function|^Package subpath .*[\\/]unplugin-mock-api[\\/]/.test(reason) &&
    modules.some((module) => /['"]unplugin-mock-api(?:\/[\w-]+)?['"]/.test(readText(module)))
  )
}
