import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SavedItems } from '../../core/collection/collection-store.ts'
import { asJson } from '../../core/values/json-value.ts'
import { writeFile } from '../../files/write-files.ts'
import { isRecord } from '../../core/values/values.ts'
import type { MockState } from '../../core/state/mock-state.ts'

/** Outside the folders that dev servers watch, and ignored by git. */
const place = 'node_modules/.cache/unplugin-mock-api/collections.json'

/** Milliseconds for which changes are gathered. */
const gathered = 500

/** Keeps what everyone has changed in collections with `persist`. The file is read at the start, and written after changes. */
export function persistCollections(
  root: string,
  { collections }: MockState,
  onError: (error: unknown) => void,
) {
  const file = join(root, place)
  const saved = readSaved(file)
  collections.restore(saved)
  collections.onChange(() => persisted.changed())
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = saved.length === 0 ? '[]' : undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    const text = JSON.stringify(collections.save(({ persist }, client) => persist && client === ''))
    if (text === last) return
    try {
      if (text === '[]') rmSync(file, { force: true })
      else writeFile(file, text)
      last = text
    } catch (error) {
      onError(error)
    }
  }

  const persisted = {
    /** Also after a reset and a reload. */
    changed: (): void => void (timer ??= setTimeout(write, gathered).unref()),
    close: () => timer && write(),
  }
  return persisted
}

function readSaved(file: string): SavedItems[] {
  try {
    const read = asJson(readFileSync(file, 'utf8'))?.value
    return Array.isArray(read) ? read.filter(isSaved) : []
  } catch {
    return [] // nothing is kept yet
  }
}

function isSaved(one: unknown): one is SavedItems {
  return isRecord(one) && typeof one['collection'] === 'string' && Array.isArray(one['items'])
}
