import { parse } from 'node:path'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { namesOf, type Links } from './watch/links.ts'
import type { ReadFixture } from './read/read-fixture.ts'

type PartsEntry = Pick<ReadFixture, 'dependencies' | 'parts' | 'isFixture' | 'diagnostics'>

/**
 * Files that belong to another fixture file and have no routes of their own: a body, a list that the other file exports
 * again, or an imported module without a list. Two files that are parts of each other are both kept.
 */
export function findParts(
  entries: Iterable<[file: string, entry: PartsEntry]> & { get: (file: string) => PartsEntry | undefined },
  links: Links,
): Set<string> {
  const parts = new Set<string>()
  // Behind a link, the module system knows a module by its real path, and the search by the path through the link.
  const isOneOf = (file: string, paths: readonly string[]) =>
    paths.some((path) => path === file || namesOf(path, links).has(file))
  for (const [file, entry] of entries) {
    if (entry.dependencies.length === 0) continue
    for (const path of new Set(entry.dependencies.flatMap((real) => [...namesOf(real, links)]))) {
      const dependency = entries.get(path)
      if (!dependency || isOneOf(file, dependency.parts)) continue
      if (isOneOf(path, entry.parts) || !dependency.isFixture || dependency.diagnostics.some(saysNoList))
        parts.add(path)
    }
  }
  return parts
}

/** Whether a fixture file with errors names a file: it is probably a part of that one, once that has no errors. */
export function isNamedInBroken(file: string, entries: Iterable<Pick<ReadFixture, 'brokenText'>>): boolean {
  const { base, name } = parse(file)
  const [whole, imported] = [base, name].map((text) => text.replace(/[^\w-]/g, '\\$&'))
  const named = new RegExp(`(?<![\\w-])${whole}(?![\\w-])|/${imported}["'\`]`)
  for (const { brokenText } of entries) if (brokenText !== undefined && named.test(brokenText)) return true
  return false
}

function saysNoList({ code, pointer }: Diagnostic): boolean {
  return code === 'fixture-no-default-export' || (code === 'fixture-invalid' && pointer === '')
}
