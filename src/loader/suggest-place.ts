/* Imported when the option `fixtures` matches no file, or has an entry that does not exist. */
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { nearestName } from '../core/values/spelling.ts'
import { toPosix } from './paths.ts'

/** An entry of the option `fixtures` with its first missing name replaced by a similar one that exists: `mocks` for `mock`. */
interface Suggestion {
  entry: string
  meant: string
}

export function suggestPlaces(root: string, entries: readonly string[]): Suggestion[] {
  return entries
    .filter((entry) => !entry.startsWith('!'))
    .map((entry) => ({ entry, meant: correctName(root, toPosix(entry).split('/')) }))
    .filter((suggestion): suggestion is Suggestion => suggestion.meant !== undefined)
}

function correctName(root: string, names: readonly string[]): string | undefined {
  const index = names.findIndex((_, at) => !existsSync(resolve(root, placeOf(names.slice(0, at + 1)))))
  if (index === -1) return undefined
  const meant = nearestName(names[index]!, namesIn(resolve(root, placeOf(names.slice(0, index)))))
  return meant === undefined ? undefined : names.with(index, meant).join('/')
}

/** As a path: that of the root folder is `/`, not an empty text. */
function placeOf(names: readonly string[]): string {
  return names.length === 1 && names[0] === '' ? '/' : names.join('/')
}

/** What a folder has, but what no one keeps fixture files in. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules')
  } catch {
    return [] // a file, or a folder that can't be read
  }
}
