import { lendShape, type ObjectShape, type Shape } from '../../core/shape/shape.ts'

/*
 * A list and one of its items, such as `/users` and `/users/:id`, have the same objects: what fixtures of one of them know, such
 * as that a value may be null, holds for the other.
 */

export type PathRelation = 'list-of' | 'item-of'

/** Relation of the first path to the second. */
export function relationOf(one: string, other: string): PathRelation | undefined {
  const isBelow = (long: string, short: string) =>
    long.startsWith(`${short}/:`) && !long.slice(short.length + 2).includes('/')
  if (isBelow(other, one)) return 'list-of'
  return isBelow(one, other) ? 'item-of' : undefined
}

/** The shape, with what a related one knows of the same objects. */
export function withRelated(ours: Shape, related: Shape, relation: PathRelation): Shape {
  if (relation === 'item-of') {
    const { items } = listIn(related) ?? {}
    return haveSameKeys(ours.object, items?.object) ? lendShape(ours, items!) : ours
  }
  const found = listIn(ours)
  if (!found || !haveSameKeys(found.items.object, related.object)) return ours
  return found.replace(lendShape(found.items, related))
}

/** The items of a list, or of the only list in an envelope. */
function listIn(shape: Shape): { items: Shape; replace: (items: Shape) => Shape } | undefined {
  const { list, object } = shape
  if (list) return { items: list.items, replace: (items) => ({ ...shape, list: { ...list, items } }) }
  const [only, another] = Object.entries(object?.keys ?? {}).filter(([, one]) => one.list)
  if (!only || another) return undefined
  const [key, inner] = only
  return {
    items: inner.list!.items,
    replace(items) {
      const list = { ...inner.list!, items }
      return { ...shape, object: { ...object!, keys: { ...object!.keys, [key]: { ...inner, list } } } }
    },
  }
}

/** Whether one has at least half the keys of the other. */
function haveSameKeys(one: ObjectShape | undefined, other: ObjectShape | undefined): boolean {
  if (!one || !other) return false
  const names = Object.keys(one.keys)
  return 2 * names.filter((name) => Object.hasOwn(other.keys, name)).length >= names.length
}
