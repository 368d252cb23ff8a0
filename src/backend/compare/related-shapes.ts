import { compareShapes, type Difference } from '../../core/shape/compare-shapes.ts'
import type { Shape } from '../../core/shape/shape.ts'
import type { KeyPath } from '../../core/values/values.ts'

/*
 * A list and one of its items, such as `/users` and `/users/:id`, have the same objects: what fixtures of one of them know, such
 * as that a value may be null, holds for the other.
 */

/** Whether one of two paths is that of an item of the other. */
export function areRelated(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return long.startsWith(`${short}/:`) && !long.slice(short.length + 2).includes('/')
}

/** The objects of an answer: the items of a list, also in an envelope, or the answer itself. */
export function itemsOf(shape: Shape): { path: KeyPath; items: Shape } {
  const { list, object } = shape
  if (list) return { path: [0], items: list.items }
  const lists = Object.entries(object?.keys ?? {}).filter(([, one]) => one.list)
  const [only] = lists
  // An object that has a list is not yet an envelope: others have other keys, too.
  const isEnvelope =
    lists.length === 1 && /^(?:data|items|results|records|content|rows|list|entries|value)$/i.test(only![0])
  return isEnvelope ? { path: [only![0], 0], items: only![1].list!.items } : { path: [], items: shape }
}

/** What would differ if the objects of an answer were compared with those of a related endpoint. */
export function differencesOfItems(
  related: Shape,
  theirs: Shape,
): { related: Shape; differences: Difference[] } | undefined {
  const [own, real] = [itemsOf(related).items, itemsOf(theirs).items]
  if (!own.object || !real.object || !haveHalf(own.object.keys, real.object.keys)) return undefined
  return { related: own, differences: compareShapes(own, real).differences }
}

function haveHalf(a: object, b: object): boolean {
  const names = Object.keys(a)
  return 2 * names.filter((name) => Object.hasOwn(b, name)).length >= names.length
}

/** Whether fixtures of the related endpoint have what differs here: the key, and a value of this kind. */
export function knows(
  found: ReturnType<typeof differencesOfItems>,
  { path, kind, ...difference }: Difference,
  prefix: KeyPath,
): boolean {
  if (!found || !prefix.every((key, index) => path[index] === key)) return false
  const isGone = kind === 'key-gone' && !('isOptional' in difference && difference.isOptional)
  if (isGone || kind === 'key-new') return false
  const own = path.slice(prefix.length)
  const isSame = (other: Difference) => other.kind === kind && other.path.join('\0') === own.join('\0')
  return own.length > 0 && hasPath(found.related, own) && !found.differences.some(isSame)
}

function hasPath(shape: Shape | undefined, [key, ...rest]: KeyPath): boolean {
  if (!shape || key === undefined) return shape !== undefined
  const inner =
    typeof key === 'number'
      ? shape.list?.items
      : shape.object && Object.hasOwn(shape.object.keys, key)
        ? shape.object.keys[key]
        : undefined
  return hasPath(inner, rest)
}
