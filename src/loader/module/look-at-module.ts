import { dirname, isAbsolute, resolve } from 'node:path'
import { candidates, findModule, readModule, scanImports } from './module-imports.ts'
import type { Resolver } from './resolve-import.ts'

/* A module runs only if its text looks like a fixture file: running test data, factories or scripts can have any side effect. */

const naming = /\bunplugin-mock-api\b|\bdefineFixture\b/
/** Default exports of ES modules, of CommonJS, and of CommonJS in TypeScript (`export =`). */
const exporting =
  /\bexport\s+default\b|\bexport\s*\{[^{}]*\bdefault\b|\b(?:module\.exports|export)\s*=|\bexports\.default\s*=|\bdefineProperty\(\s*(?:module\.)?exports/
const exportingList =
  /(?:\bexport\s+default|\bexports\.default\s*=|\b(?:module\.exports|export)\s*=)\s*\[\s*(?:\{|\.\.\.|\]|$)/
const routePath = /["']?\bpath\b["']?\s*:\s*["'`]\//

export function hasDefaultExport(text: string): boolean {
  return exporting.test(text)
}

/**
 * A fixture file names this package or `defineFixture`, or its default export is a list of objects, is in a file with a
 * `path: '/…'`, or comes from another such module. Other modules are ignored with a warning that recommends `defineFixture`.
 */
export function lookAtModule(
  path: string,
  text: string,
  note: (path: string) => void = () => {},
  mean: (...[specifier, importer]: Parameters<Resolver['resolve']>) => { to?: string | undefined } = (
    to,
  ) => ({ to }),
) {
  /** Other modules whose text was read, or would have been if they existed. */
  const files = new Set<string>()
  const seen = new Set<string>()

  /** @param name the name of the export; `*` for any */
  function listsRoutes(module: string, code: string, name: string): boolean {
    const isDefault = name === 'default'
    if (naming.test(code) || ((isDefault || name === '*') && exportingList.test(code))) return true
    if (isDefault && !exporting.test(code)) return false
    if (routePath.test(code)) return true
    seen.add(`${name} ${module}`)
    const exported = isDefault ? defaultNames(code) : new Set([name])
    return scanImports(code).some(({ specifier, takesDefault, bound }) => {
      const wanted = importedNames(bound, exported)
      if (isDefault && takesDefault && wanted.length === 0) wanted.push('default')
      const { to = '' } = wanted.length > 0 ? mean(specifier, module) : {}
      return (
        (isAbsolute(to) || to.startsWith('.')) &&
        wanted.some((one) => isListedBy(resolve(dirname(module), to), one))
      )
    })
  }

  function isListedBy(imported: string, name: string): boolean {
    const found = findModule(imported)
    // A missing module may be created later, under any of its possible names.
    for (const file of found === undefined ? candidates(imported) : [found]) {
      note(file)
      files.add(file)
    }
    return found !== undefined && !seen.has(`${name} ${found}`) && listsRoutes(found, readModule(found), name)
  }

  const isFixture = listsRoutes(path, text, 'default')
  files.delete(path)
  return { isFixture, files: [...files] }
}

function importedNames(bound: string, exported: ReadonlySet<string>): string[] {
  const [, before = '', inBraces = ''] = /^([^{]*)(?:\{([^}]*))?/.exec(bound)!
  const names = inBraces.split(',').flatMap((part) => {
    const [imported = '', local = imported] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/)
    return exported.has(local) ? [imported] : []
  })
  const [, all, only] = /(\*)(?:\s*as\s+([\w$]+))?/.exec(before) ?? []
  if (all && only === undefined) names.push(...[...exported].filter((name) => name !== 'default'))
  else if (all && exported.has(only!)) names.push('*')
  const [first] = /^[\w$]+/.exec(before) ?? []
  if (first !== undefined && exported.has(first)) names.push('default')
  return names
}

/* None reads on past the beginning of its next match: a long line takes no longer than many short ones. */
const defaultExport =
  /\bexport\s+default\s+([^\n]*)|\b(?:module\.exports|export)\s*=\s*([^\n]*)|\bexport\s*\{[^{}]*?(?<![\w$])([\w$]+)\s+as\s+default\b/g
const declaration =
  /\b(?:const|let|var)\s+([\w$]+)\s*(?::(?:(?!\b(?:const|let|var)\b)[^=\n])*)?=\s*(\[[^[\]]*|[^\n]*)/g

/** Names that the default export refers to, directly or through other declarations. */
function defaultNames(text: string): Set<string> {
  const names = new Set(['default'])
  for (const groups of text.matchAll(defaultExport)) addNames(groups[1] ?? groups[2] ?? groups[3]!, names)
  const declared = new Map([...text.matchAll(declaration)].map(([, name, value]) => [name, value!]))
  for (const name of names) addNames(declared.get(name) ?? '', names)
  return names
}

function addNames(expression: string, names: Set<string>): void {
  const value = expression.replace(/^(?:async\s*)?\([^()]*\)\s*=>\s*/, '').replace(/^(?:await\s+|\()+/, '')
  const words = value.startsWith('[') ? value.matchAll(/[\w$]+/g) : value.matchAll(/^[\w$]+/g)
  for (const [word] of words) names.add(word)
}
