import { existsSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, isAbsolute, join, resolve as resolvePath } from 'node:path'
import { isFolder, linkTarget } from '../../files/links.ts'
import { candidates, type Follow } from './module-imports.ts'
import { isOther } from './other-modules.ts'
import { isOfPackage, type Resolver } from './resolve-import.ts'

/** @param find gives the file of a path, or of a name, as modules are loaded */
export function createFollow(
  { resolve, placesOfAliases }: Resolver,
  find: (specifier: string, parent: string) => string | undefined,
): Follow {
  const known = new Map<string, 'linked' | 'installed' | 'missing'>()
  /** Modules of linked packages, those of the workspace, belong to the project. */
  function kindOf(name: string, parent: string) {
    const [packageName = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? []
    const key = `${dirname(parent)}:${packageName}`
    let kind = known.get(key)
    if (kind) return kind
    const places = (createRequire(parent).resolve.paths(name) ?? []).map((folder) =>
      join(folder, packageName),
    )
    const place = places.find((one) => existsSync(one))
    const target = place === undefined ? undefined : linkTarget(place)
    kind = place === undefined ? 'missing' : target && !isOfPackage(target) ? 'linked' : 'installed'
    known.set(key, kind)
    return kind
  }

  return (specifier, parent) => {
    const { to, tried, files } = resolve(specifier, parent)
    const others = [...files, ...tried.flatMap(({ path }) => candidates(path))]
    if (to === undefined || isBuiltin(to) || to.startsWith('unplugin-mock-api/') || isOfPackage(to))
      return { others }
    const isPath = isAbsolute(to) || /^\.{1,2}(?:\/|$)/.test(to)
    if (isAbsolute(to) && (isOther(to, '') || !isFolder(to))) return { found: to, others }
    const kind = isPath || to.startsWith('#') ? 'linked' : kindOf(to, parent)
    if (kind === 'installed') return { others }
    if (kind === 'missing') return { others: [...others, ...placesOfAliases(parent)] }
    const found = find(to, parent)
    if (found !== undefined) return isOfPackage(found) || !isAbsolute(found) ? { others } : { found, others }
    return { others: isPath ? [...others, ...candidates(resolvePath(dirname(parent), to))] : others }
  }
}
