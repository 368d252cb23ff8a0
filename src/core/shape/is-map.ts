import { isLikeName } from '../values/spelling.ts'
import type { KeyPath } from '../values/values.ts'
import { isNameOf } from './key-names.ts'
import { mergeShapes, typesOf, type ObjectShape, type Shape } from './shape.ts'

/**
 * Whether the keys of objects are data, such as ids, dates, languages or currencies, and not names that a program knows. Then
 * other keys are other values.
 */
export function isMap(ours: ObjectShape, theirs: ObjectShape, path: KeyPath): boolean {
  const [own, real] = [Object.keys(ours.keys), Object.keys(theirs.keys)]
  const gone = own.filter((key) => !Object.hasOwn(theirs.keys, key))
  const added = real.filter((key) => !Object.hasOwn(ours.keys, key))
  if (gone.length + added.length === 0 || own.length === 0) return false
  if (![ours, theirs].every(({ keys }) => haveOneType(Object.values(keys)))) return false
  const all = [...own, ...real]
  if (isNameOf('map', path) || all.every(isData) || all.some(isNoName)) return true
  if (gone.length === 0 || added.length === 0) return false
  if (gone.some((key) => added.some((other) => isLikeName(key, other)))) return false
  return (varies(ours) && varies(theirs)) || haveRecords(ours, theirs)
}

/** Ids, dates, versions, codes of countries, languages and currencies. */
function isData(key: string): boolean {
  if (/^[a-z]{2}$/.test(key)) return languages.of(key) !== undefined
  return /\d|^-|^[a-z]{2,3}(?:[-_][A-Z][A-Za-z]{1,3}|-[a-z]{2,4})$|^[A-Z]{2,3}$/.test(key) || isNoName(key)
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Addresses, paths, and words of people: no program names a field like that. */
export function isNoName(key: string): boolean {
  return /[\s@/.]|\w:\w|[^\0-\x7f]/.test(key)
}

/** No key is in all objects of one side: each has others. */
function varies({ count, keys }: ObjectShape): boolean {
  return count > 1 && Object.values(keys).every((one) => one.count < count)
}

/** Records of one kind on both sides: each has half the keys that all have. */
function haveRecords(ours: ObjectShape, theirs: ObjectShape): boolean {
  const [own, real] = [Object.values(ours.keys), Object.values(theirs.keys)]
  return own[0]!.object !== undefined && own.length + real.length > 2 && haveOneType([...own, ...real])
}

/** Objects have one type if each has at least half the keys of all, and no key has two types. */
function haveOneType(values: readonly Shape[]): boolean {
  const known = values.filter((value) => typesOf(value).length > 0)
  const merged = mergeShapes(known)
  if (typesOf(merged).length > 1) return false
  if (!merged.object) return true
  const all = Object.values(merged.object.keys)
  if (all.some((one) => typesOf(one).length > 1)) return false
  return known.every(({ object }) => 2 * Object.keys(object!.keys).length >= all.length)
}
