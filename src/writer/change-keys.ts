import { isMap, type YAMLMap } from 'yaml'
import { isRecord, setOwn, valueAt, type KeyPath } from '../core/values/values.ts'
import { attempt } from '../core/values/thrown.ts'
import { entryOf, FixtureText, type Splice } from './fixture-text.ts'

/** A key of an object in a file: with another name, with a value that is new, or gone. */
export interface KeyChange {
  object: KeyPath
  key: string
  to: { name: string } | { value: unknown } | 'gone'
}

/** @returns `undefined` if that can't be written, or would change something else too, as where an anchor is shared */
export function changeKeys(file: FixtureText, changes: readonly KeyChange[]): FixtureText | undefined {
  return attempt(() => {
    const wanted = valueOf(file)
    const isPossible = changes.every((change) => changeValue(valueAt(wanted, change.object), change))
    const changed = isPossible ? changeText(file, changes) : undefined
    return changed && JSON.stringify(valueOf(changed)) === JSON.stringify(wanted) ? changed : undefined
  })
}

/** Without aliases, which are one object in several places. */
function valueOf({ document }: FixtureText): unknown {
  return JSON.parse(JSON.stringify(document.toJS()))
}

function changeValue(object: unknown, { key, to }: KeyChange): boolean {
  if (!isRecord(object) || Object.hasOwn(object, key) === isNew(to)) return false
  if (isNew(to)) setOwn(object, key, to.value)
  else
    for (const [name, value] of Object.entries(object)) {
      delete object[name] // so that the order stays
      if (name !== key) setOwn(object, name, value)
      else if (to !== 'gone') setOwn(object, to.name, value)
    }
  return true
}

function isNew(to: KeyChange['to']): to is { value: unknown } {
  return typeof to === 'object' && 'value' in to
}

/** Each object is changed once, before the text is read again. It gets what is new first, so that it is never empty. */
function changeText(file: FixtureText, changes: readonly KeyChange[]): FixtureText {
  const sorted = changes.toSorted((a, b) => Number(isNew(b.to)) - Number(isNew(a.to)))
  const objects = new Set<YAMLMap>()
  const later: KeyChange[] = []
  const splices = sorted.flatMap((change): Splice[] => {
    const object = file.find(change.object)
    if (!isMap(object)) return [] // behind an alias: it stands elsewhere
    if (objects.has(object)) return (later.push(change), [])
    objects.add(object)
    return splicesFor(file, object, change)
  })
  const changed = new FixtureText(file.with(splices), file.isJson)
  return later.length > 0 ? changeText(changed, later) : changed
}

function splicesFor(file: FixtureText, object: YAMLMap, { key, to }: KeyChange): Splice[] {
  if (isNew(to)) return file.addition(object, key, to.value)
  const entry = entryOf(object, key)
  if (!entry) return []
  return to === 'gone' ? file.removal(entry) : [file.renaming(entry, to.name)]
}
