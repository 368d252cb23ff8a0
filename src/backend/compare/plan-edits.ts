import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isMap, isScalar } from 'yaml'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { getOrMake, groupBy } from '../../core/values/collections.ts'
import { attempt } from '../../core/values/thrown.ts'
import { keysOfPointer, type KeyPath } from '../../core/values/values.ts'
import type { FileChange } from '../../files/changes.ts'
import { displayPath } from '../../files/paths.ts'
import { encodingOf } from '../../files/read-whole-file.ts'
import { withPlainEnds } from '../../files/text-file.ts'
import { mayReplace } from '../../files/write-files.ts'
import { ownFolders } from '../../loader/find/find-fixtures.ts'
import { isDataFile } from '../../loader/find/fixture-names.ts'
import { changeKeys, type KeyChange } from '../../writer/change-keys.ts'
import { FixtureText } from '../../writer/fixture-text.ts'
import type { FoundDifference } from './found.ts'
import type { KeyEdit } from './key-edits.ts'

export interface PlannedEdits {
  /** Differences whose every place was written. */
  written: ReadonlySet<FoundDifference>
  /** How many others have a place that was written. */
  partly: number
  /** Places of the others that could not be written. */
  left: ReadonlyMap<FoundDifference, readonly KeyEdit[]>
  changes: readonly FileChange[]
}

interface OpenFile {
  before: string
  /** `undefined` for a file that is not YAML or JSON, has an error, or can't be written. */
  text: FixtureText | undefined
}

/** The files as they become when what is certain of the differences is written. */
export function planEdits(differences: readonly FoundDifference[], options: ResolvedOptions): PlannedEdits {
  const { root } = options
  const folders = ownFolders(options)
  const files = new Map<string, OpenFile>()
  const open = (path: string) => getOrMake(files, path, () => openFile(path, folders))
  const written = new Set<FoundDifference>()
  const left = new Map<FoundDifference, KeyEdit[]>()
  let partly = 0
  for (const difference of differences) {
    const others = difference.edits.length > 0 ? edit(difference.edits, root, open) : []
    if (others.length > 0) left.set(difference, others)
    else if (difference.isCertain) written.add(difference)
    if (!written.has(difference) && others.length < difference.edits.length) partly++
  }
  const changes = [...files].flatMap(([path, { before, text }]) =>
    text && text.text !== withPlainEnds(before)
      ? [{ path, name: displayPath(root, path), before, after: text.text }]
      : [],
  )
  return { written, partly, left, changes }
}

/** @returns those that can't be written */
function edit(edits: readonly KeyEdit[], root: string, open: (path: string) => OpenFile): KeyEdit[] {
  const left: KeyEdit[] = []
  const changes: { path: string; edit: KeyEdit; change: KeyChange }[] = []
  for (const edit of edits) {
    const { file, pointer = '' } = edit.route.source
    const way = edit.change && [...keysOfPointer(pointer), ...edit.change.object]
    const place = way && placeOf(resolve(root, file), way, open)
    if (place) changes.push({ path: place.path, edit, change: { ...edit.change!, object: place.keys } })
    else left.push(edit)
  }
  for (const [path, own] of groupBy(changes, (one) => one.path)) {
    const file = open(path)
    const changed = file.text && changeKeys(file.text, own.map(({ change }) => change)) // prettier-ignore
    if (changed) file.text = changed
    else left.push(...own.map((one) => one.edit))
  }
  return left
}

function openFile(path: string, folders: readonly string[]): OpenFile {
  const bytes = attempt(() => readFileSync(path))
  const before = bytes?.toString() ?? ''
  const isJson = /\.json\w*$/i.test(path)
  const isEditable =
    isDataFile(path) && bytes && encodingOf(bytes) === 'UTF-8' && mayReplace(path, { within: folders })
  const text = isEditable ? attempt(() => new FixtureText(withPlainEnds(before), isJson)) : undefined
  return { before, text }
}

/** Keys go on into the file that `file` names: a body, or the items of a list. */
function placeOf(
  path: string,
  keys: KeyPath,
  open: (path: string) => OpenFile,
): { path: string; keys: KeyPath } | undefined {
  const { text } = open(path)
  if (!text) return undefined
  for (const [index, key] of keys.entries()) {
    const node = text.find(keys.slice(0, index + 1))
    const isItem = typeof keys[index + 1] === 'number'
    const name = isMap(node) && isItem ? node.get('file', true) : key === 'file' ? node : undefined
    if (isScalar(name) && typeof name.value === 'string')
      return placeOf(resolve(dirname(path), name.value), keys.slice(index + 1), open)
  }
  return { path, keys }
}
