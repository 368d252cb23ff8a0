import { mergeShapes, typesOf, type ObjectShape, type Shape } from './shape.ts'

/**
 * Whether the keys of objects are data, such as ids, dates, languages or currencies, and not names that a program knows. Then
 * other keys are other values.
 */
export function isMap(ours: ObjectShape, theirs: ObjectShape): boolean {
  const [own, real] = [Object.keys(ours.keys), Object.keys(theirs.keys)]
  const isSame = own.length === real.length && own.every((key) => Object.hasOwn(theirs.keys, key))
  if (isSame || own.length === 0) return false
  if (![ours, theirs].every(({ keys }) => haveOneType(Object.values(keys)))) return false
  if ([...own, ...real].every(isData)) return true
  const differ =
    own.some((key) => !Object.hasOwn(theirs.keys, key)) && real.some((key) => !Object.hasOwn(ours.keys, key))
  return differ && ((varies(ours) && varies(theirs)) || haveRecords(ours, theirs))
}

/** Ids, dates, versions, codes of countries, languages and currencies, addresses. */
function isData(key: string): boolean {
  return /^\d|^[a-z]{2}$|^[a-z]{2,3}[-_][A-Za-z]{2,4}$|^[A-Z]{2,3}$|^[A-Za-z]+[-_:]?\d[\w-]*$|[\s@/.:]|^[\da-f-]{32,}$/.test(
    key,
  )
}

/** No key is in all objects of one side: each has others. */
function varies({ count, keys }: ObjectShape): boolean {
  return count > 1 && Object.values(keys).every((one) => one.count < count)
}

/** Several records of one kind: no key is in both sides, and each record has half the keys that all have. */
function haveRecords(ours: ObjectShape, theirs: ObjectShape): boolean {
  const [own, real] = [Object.values(ours.keys), Object.values(theirs.keys)]
  const isApart = Object.keys(ours.keys).every((key) => !Object.hasOwn(theirs.keys, key))
  return isApart && own.length > 1 && real.length > 1 && own[0]!.object !== undefined
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
