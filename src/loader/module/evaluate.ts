import { createRequire } from 'node:module'
import { dirname, resolve as resolvePath } from 'node:path'
import { runInThisContext } from 'node:vm'
import { pathToFileURL } from 'node:url'
import type { createJiti as CreateJiti, JitiOptions } from 'jiti'
import type { ModuleWorld } from '../../core/options/module-world.ts'
import { attempt } from '../../core/values/thrown.ts'
import { isRecord } from '../../core/values/values.ts'
import { defineFixture } from '../../fixture.ts'
import { envName, renameEnv } from './env-name.ts'
import { isOther, readOther } from './other-modules.ts'
import { explainMissing } from './missing-module.ts'
import { isOfPackage, type Resolver } from './resolve-import.ts'

type Load = (specifier: string) => unknown

const ownName = 'unplugin-mock-api:modules'

/** A name for `import.meta.glob`, as long as it, so that a module is evaluated as far as it does without. */
const globName = 'importMetaGlob__'
const noGlob = () => {
  throw new Error('import.meta.glob is a function of Vite, which fixture files run without')
}

/**
 * Lets modules of the project import and read what the application's can. jiti knows neither regular expressions nor references of
 * configs, and not which module imports: so each module gets functions of its own in place of jiti's. The code in jiti's cache on
 * disk stays as other programs expect it.
 */
export function createProjectJiti(
  createJiti: typeof CreateJiti,
  root: string,
  { world, resolver: { resolve } }: { world: ModuleWorld; resolver: Resolver },
) {
  const id = pathToFileURL(`${root}/`).href
  const plain = createJiti(id, { interopDefault: false })
  const defined = { ...defineValues(world), [globName]: noGlob }
  const names = Object.keys(defined)

  function load(specifier: string, importer: string, original: Load): unknown {
    const meaning = resolve(specifier, importer)
    const { to, query } = meaning
    if (to === undefined) return { default: {} }
    const fail = (error: unknown) => {
      throw explainMissing(error, specifier, importer, meaning)
    }
    try {
      if (isOther(to, query))
        return { __esModule: true, ...readOther(placeOf(to, importer), query, root, world.base) }
      const loaded = original(to)
      return loaded instanceof Promise ? loaded.catch(fail) : loaded
    } catch (error) {
      // Fixtures render nothing, so that the library of JSX may be missing.
      if (/\/jsx(?:-dev)?-runtime$/.test(to)) return { jsx() {}, jsxs() {}, jsxDEV() {} }
      // A name of a package can stand for a style.
      return isOther(attempt(() => placeOf(to, importer)) ?? '', '') ? { default: {} } : fail(error)
    }
  }

  const modules = (require: NodeJS.Require, jitiImport: Load, importer: string) => ({
    ...defined,
    require: Object.setPrototypeOf((name: string) => load(name, importer, require), require) as Load,
    jitiImport: (name: string) => new Promise((done) => done(load(name, importer, jitiImport))),
  })

  const transform: JitiOptions['transform'] = (given) => {
    const { filename = '', source } = given
    const jsx = /x$/.test(filename) && ({ runtime: 'automatic' } as const)
    if (isOfPackage(filename)) return { code: plain.transform(given) }
    const text = renameEnv(source).replaceAll(/\bimport\.meta\.glob\b/g, globName)
    const code = plain.transform({ ...given, jsx, source: text })
    const used = names.filter((name) => text.includes(name) && !declares(text, name))
    const values = ['require', 'jitiImport', ...used].join()
    const start = `var{${values}}=require("${ownName}")(require,jitiImport,__filename);`
    return { code: code.replace(/^(?:"use strict";)?/, (strict) => strict + start) }
  }

  return createJiti(id, {
    interopDefault: false,
    fsCache: false, // `plain` has it
    extensions: ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'],
    // Nearly all fixture files import the first, and jiti takes longer to resolve a package than to evaluate a file.
    virtualModules: { 'unplugin-mock-api/fixture': { defineFixture }, [ownName]: modules },
    transform,
  })
}

function placeOf(to: string, importer: string): string {
  return /^(?:\.|[\\/]|\w:)/.test(to)
    ? resolvePath(dirname(importer), to)
    : createRequire(importer).resolve(to)
}

function declares(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<!\bdeclare\s+)\b(?:const|let|var|class|function|enum)\s+${name}\b`).test(
    text,
  )
}

/** Variables of modules: what `define` replaces, by the first part of its name. */
function defineValues({ define, env }: ModuleWorld): Record<string, unknown> {
  const root: Tree = { [envName]: { ...env } }
  for (const [key, code] of Object.entries(define)) {
    const path = key.replace(/^import\.meta\.env\b/, envName).split('.')
    if (!path.every((part) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(part))) continue
    const last = path.pop()!
    let at = root
    for (const part of path) at = (at[part] ??= {}) as Tree
    if (isRecord(at))
      at[last] = typeof code === 'string' ? attempt<unknown>(() => runInThisContext(`(${code})`)) : code
  }
  const { [envName]: values, ...others } = root
  const globals = globalThis as Record<string, unknown>
  return { [envName]: values, ...mapValues(others, (value, name) => overlay(globals[name], value)) }
}

interface Tree {
  [name: string]: unknown
}

/** The target as it is, but for the defined properties. */
function overlay(target: unknown, own: unknown): unknown {
  if (typeof target !== 'object' || target === null || !isRecord(own)) return own
  const before = target as Tree
  const values = mapValues(own, (value, name) => overlay(before[name], value))
  return new Proxy(before, {
    get: (_, key) =>
      Object.hasOwn(values, key) ? values[key as string] : (Reflect.get(before, key) as unknown),
    has: (_, key) => key in values || key in before,
  })
}

function mapValues(record: Tree, change: (value: unknown, name: string) => unknown): Tree {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))
}
