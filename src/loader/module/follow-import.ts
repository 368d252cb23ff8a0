import { createRequire, isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, resolve as resolvePath } from 'node:path'
import { isFolder, linkTarget } from '../../files/links.ts'
import { candidates } from './module-imports.ts'
import { isOther } from './other-modules.ts'
import { isOfPackage, type Resolver } from './resolve-import.ts'

/** What an import depends on. */
export interface Followed {
  /** The module of the project that it leads to. */
  found?: string | undefined
  /** Where such a module may be created later, and configs that decide. */
  others: readonly string[]
}

export type Follow = (specifier: string, parent: string) => Followed

/** @param find gives the file of a path, or of a name, as modules are loaded */
export function createFollow(
  { resolve }: Resolver,
  find: (specifier: string, parent: string) => string | undefined,
): Follow {
  /** Packages of the workspace, whose modules belong to the project. */
  const linked = new Map<string, boolean>()
  function isLinked(name: string, parent: string): boolean {
    const [packageName = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? []
    const key = `${dirname(parent)}:${packageName}`
    if (!linked.has(key)) {
      const targets = (createRequire(parent).resolve.paths(name) ?? []).map((folder) =>
        linkTarget(join(folder, packageName)),
      )
      const target = targets.find((one) => one !== undefined)
      linked.set(key, target !== undefined && !isOfPackage(target))
    }
    return linked.get(key)!
  }

  return (specifier, parent) => {
    const { to, tried, files } = resolve(specifier, parent)
    const others = [...files, ...tried.flatMap(({ path }) => candidates(path))]
    if (to === undefined || isBuiltin(to) || isOfPackage(to)) return { others }
    const isPath = isAbsolute(to) || /^\.{1,2}(?:\/|$)/.test(to)
    if (isAbsolute(to) && (isOther(to, '') || !isFolder(to))) return { found: to, others }
    if (!isPath && !to.startsWith('#') && !isLinked(to, parent)) return { others }
    const found = find(to, parent)
    if (found !== undefined) return isOfPackage(found) || !isAbsolute(found) ? { others } : { found, others }
    return { others: isPath ? [...others, ...candidates(resolvePath(dirname(parent), to))] : others }
  }
}
