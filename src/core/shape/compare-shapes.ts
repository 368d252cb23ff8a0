import { isLikeName } from '../values/spelling.ts'
import type { KeyPath } from '../values/values.ts'
import { isMap } from './is-map.ts'
import { isNameOf } from './key-names.ts'
import {
  mergeShapes,
  typesOf,
  type ObjectShape,
  type Shape,
  type TextShape,
  type ValueType,
} from './shape.ts'
import type { TextFormat } from './text-format.ts'

/** The members of a union that have a word at a key. */
export interface Member {
  path: KeyPath
  key: string
  word: string
}

/** Where two shapes differ. A number in a path stands for every item of a list, or for every key of a map. */
export type Difference = { path: KeyPath; members?: readonly Member[] } &
  /** All fixtures have the key, and no answer has it. With `isOptional`, not all fixtures have it. */
  (
    | { kind: 'key-gone'; isOptional: boolean; renamedTo?: string }
    /** All fixtures have the key, and only some answers have it. */
    | { kind: 'key-optional' }
    /** No fixture has the key. With `isOptional`, not all answers have it. */
    | { kind: 'key-new'; isOptional: boolean; types: readonly (ValueType | 'null')[] }
    | { kind: 'type'; ours: readonly ValueType[]; theirs: readonly ValueType[] }
    | { kind: 'null' }
    | { kind: 'format'; ours: TextFormat; theirs: TextFormat | undefined }
    /** Words of an enum, or members of a union, that no fixture has. */
    | { kind: 'word' | 'member'; words: readonly string[] }
  )

export interface Comparison {
  differences: Difference[]
  /** Places where one side says nothing: an empty list, always null, or a value of the request. */
  unknown: { path: KeyPath; why: 'empty' | 'null' | 'request' }[]
  /** The objects that are compared, if they are in a union. */
  members?: readonly Member[]
  /** Whether an answer would have the key, if the backend knew it. */
  isAsked: (key: string) => boolean
}

/**
 * Compares the answers of fixtures with those of a backend. Values, the order of keys and items, and lengths never differ.
 *
 * @example
 * compareShapes(shapeOf({ zip: '8010' }), shapeOf({ postalCode: '8010' })).differences
 * // [{ path: ['zip'], kind: 'key-gone', isOptional: false, renamedTo: 'postalCode' }]
 */
export function compareShapes(
  ours: Shape,
  theirs: Shape,
  isAsked: Comparison['isAsked'] = () => true,
): Comparison {
  const comparison: Comparison = { differences: [], unknown: [], isAsked }
  compareAt([], ours, theirs, comparison)
  return comparison
}

function compareAt(path: KeyPath, ours: Shape, theirs: Shape, into: Comparison): void {
  const { differences, unknown } = into
  if (theirs.count === 0) return void unknown.push({ path, why: 'empty' })
  const [own, real] = [typesOf(ours), typesOf(theirs)]
  if (own.length === 0) return void unknown.push({ path, why: ours.open ? 'request' : 'null' })
  if (theirs.null && !ours.null && !ours.open && !isNameOf('neighbour', path))
    differences.push({ path, kind: 'null' })
  else if (real.length === 0) unknown.push({ path, why: 'null' })
  const others = real.filter((type) => !own.includes(type))
  if (others.length > 0) differences.push({ path, kind: 'type', ours: own, theirs: others })
  if (ours.text && theirs.text) compareTextShapes(path, ours.text, theirs.text, into)
  if (ours.object && theirs.object) compareObjects(path, ours.object, theirs.object, into)
  if (ours.list && theirs.list) {
    if (ours.list.items.count > 0) compareAt([...path, 0], ours.list.items, theirs.list.items, into)
    else unknown.push({ path, why: 'empty' })
  }
}

function compareTextShapes(
  path: KeyPath,
  ours: TextShape,
  theirs: TextShape,
  { differences }: Comparison,
): void {
  const format = formatOfAll(ours)
  if (format && theirs.count > 0 && !theirs.formats[format] && !isNameOf('freeText', path))
    return void differences.push({ path, kind: 'format', ours: format, theirs: formatOfAll(theirs) })
  if (!ours.words || !theirs.words || !isEnum(ours.words)) return
  const known = Object.keys(ours.words)
  const words = Object.keys(theirs.words).filter((word) => !known.includes(word))
  if (words.length > 0 && !isNameOf('name', path) && isSameEnum(known, Object.keys(theirs.words)))
    differences.push({ path, kind: 'word', words })
}

function formatOfAll({ count, formats }: TextShape): TextFormat | undefined {
  return (Object.keys(formats) as TextFormat[]).find((name) => formats[name] === count)
}

/** Whether some words are repeated: they are chosen from a list. One word alone is a constant. */
export function isEnum(words: Record<string, number>): boolean {
  const counts = Object.values(words)
  return counts.length >= 2 && counts.some((count) => count > 1)
}

/** Names of people may be repeated, too: those of others have no word in common, and begin with a capital. */
function isSameEnum(known: readonly string[], words: readonly string[]): boolean {
  const lower = known.map((word) => word.toLowerCase())
  const isCode = (word: string) => !/^\p{Lu}\p{Ll}/u.test(word)
  return words.some((word) => lower.includes(word.toLowerCase())) || [...known, ...words].every(isCode)
}

function compareObjects(path: KeyPath, ours: ObjectShape, theirs: ObjectShape, into: Comparison): void {
  if (isMap(ours, theirs, path)) {
    const valuesOf = ({ keys }: ObjectShape) => mergeShapes(Object.values(keys))
    return compareAt([...path, 0], valuesOf(ours), valuesOf(theirs), into)
  }
  const key = ours.variants?.key
  if (key === undefined || key !== theirs.variants?.key || !isUnion(ours, theirs))
    return compareKeys(path, ours, theirs, into)
  const [own, real] = [ours.variants!.of, theirs.variants.of]
  const members = Object.keys(real).filter((word) => !Object.hasOwn(own, word))
  if (members.length > 0) into.differences.push({ path: [...path, key], kind: 'member', words: members })
  for (const word of Object.keys(real))
    if (Object.hasOwn(own, word)) {
      const members = [...(into.members ?? []), { path, key, word }]
      compareKeys(path, own[word]!, real[word]!, { ...into, members })
    }
}

/** Whether objects that say that they are something else have other keys, or other values at them. */
function isUnion(ours: ObjectShape, theirs: ObjectShape): boolean {
  const all = [ours, theirs].flatMap(({ variants }) => Object.entries(variants!.of))
  if (new Set(all.map(([word]) => word)).size < 2) return false
  // Objects with one key alone are not told apart by what else they have.
  const keysOf = ({ keys }: ObjectShape) => Object.keys(keys).sort().join()
  if (new Set(all.map(([, object]) => keysOf(object))).size > 1) return true
  return all.some(([word, one], index) =>
    all.slice(0, index).some(([otherWord, other]) => word !== otherWord && haveOtherValues(one, other)),
  )
}

/** Whether a value of two objects has another type, or another kind of object. */
function haveOtherValues({ keys }: ObjectShape, other: ObjectShape): boolean {
  return Object.keys(keys).some(
    (key) => Object.hasOwn(other.keys, key) && isOtherKind(keys[key]!, other.keys[key]!),
  )
}

function isOtherKind(one: Shape, other: Shape): boolean {
  const [own, others] = [typesOf(one), typesOf(other)]
  if (own.length === 0 || others.length === 0) return false
  if (!own.some((type) => others.includes(type))) return true
  if (one.list && other.list) return isOtherKind(one.list.items, other.list.items)
  if (!one.object || !other.object) return false
  const keys = Object.keys(one.object.keys)
  return keys.length > 0 && !keys.some((key) => Object.hasOwn(other.object!.keys, key))
}

function compareKeys(path: KeyPath, ours: ObjectShape, theirs: ObjectShape, into: Comparison): void {
  const [own, real] = [Object.keys(ours.keys), Object.keys(theirs.keys)]
  if (own.length > 0 && real.length === 0 && path.length > 0)
    return void into.unknown.push({ path, why: 'empty' })
  const isGone = (key: string) => !Object.hasOwn(theirs.keys, key) && ours.keys[key]!.count > 0 // else only lent
  const gone = own.filter((key) => isGone(key) && into.isAsked(key))
  const added = real.filter((key) => !Object.hasOwn(ours.keys, key))
  const isOptional = (key: string) => isOptionalIn(ours, key)
  const required = gone.filter((key) => !isOptional(key))
  const renamed = pairRenamed(required, added, ours, theirs)
  const members = into.members && { members: into.members }
  for (const key of gone) {
    const renamedTo = renamed.get(key)
    into.differences.push({
      path: [...path, key],
      ...members,
      kind: 'key-gone',
      isOptional: isOptional(key),
      ...(renamedTo !== undefined && { renamedTo }),
    })
  }
  const others = [...renamed.values()]
  for (const key of added.filter((one) => !others.includes(one)))
    into.differences.push({
      path: [...path, key],
      ...members,
      kind: 'key-new',
      isOptional: isOptionalIn(theirs, key),
      types: typesAndNull(theirs.keys[key]!),
    })
  for (const key of own.filter((one) => Object.hasOwn(theirs.keys, one))) {
    if (!isOptional(key) && isOptionalIn(theirs, key))
      into.differences.push({ path: [...path, key], kind: 'key-optional' })
    compareAt([...path, key], ours.keys[key]!, theirs.keys[key]!, into)
  }
}

function isOptionalIn({ count, keys }: ObjectShape, key: string): boolean {
  return keys[key]!.count < count
}

/** A key that is gone, and a new one that may be the same: one name in the other, or alone with values of its type. */
function pairRenamed(
  gone: readonly string[],
  added: readonly string[],
  ours: ObjectShape,
  theirs: ObjectShape,
): Map<string, string> {
  const pairs = new Map<string, string>()
  const isFree = (key: string) => ![...pairs.values()].includes(key)
  const fits = (key: string, other: string) => sameKind(ours.keys[key]!, theirs.keys[other]!)
  const rules = [(key: string, other: string) => isLikeName(key, other) && fits(key, other), isLikeName, fits]
  for (const isSame of rules)
    for (const key of gone.filter((one) => !pairs.has(one))) {
      const [found, another] = added.filter((other) => isFree(other) && isSame(key, other))
      if (found === undefined || another !== undefined) continue
      const rivals = gone.filter((one) => !pairs.has(one) && isSame(one, found))
      if (rivals.length === 1) pairs.set(key, found)
    }
  return pairs
}

/** Whether the values have one type, and texts one format. */
function sameKind(ours: Shape, theirs: Shape): boolean {
  const [a, b] = [typesOf(ours), typesOf(theirs)]
  if (a.length === 0 || a.join() !== b.join()) return false
  if (ours.text && theirs.text && formatOfAll(ours.text) !== formatOfAll(theirs.text)) return false
  if (!ours.object || !theirs.object) return true
  const keys = Object.keys(ours.object.keys)
  return keys.length === 0 || keys.some((key) => Object.hasOwn(theirs.object!.keys, key))
}

function typesAndNull(shape: Shape): (ValueType | 'null')[] {
  return shape.null ? [...typesOf(shape), 'null'] : typesOf(shape)
}
