import type { SourceLocation } from '../diagnostics/diagnostic.ts'
import type { Paging } from '../paginate/page-styles.ts'
import type { Dialect, CollectionWrite } from '../schema/collection-schema.ts'
import { idText } from '../values/exact-number.ts'
import { isRecord, ownValue } from '../values/values.ts'
import { maxItems, type Item } from './items.ts'

export interface Relation {
  name: string
  /** Whether this item has the other's id, or the others have this one's. */
  kind: 'one' | 'many'
  collection: string
  by: string
  source: SourceLocation
}

export interface CollectionDefinition {
  name: string
  id?: string | undefined
  relations?: readonly Relation[] | undefined
  only?: readonly CollectionWrite[] | undefined
  dialect?: Dialect | undefined
  returnDeleted?: boolean | undefined
  persist?: boolean | undefined
  /** The file that the items were read from, as messages show it. */
  file?: string | undefined
  isPaged: boolean
}

type Settings = {
  [Key in Exclude<keyof CollectionDefinition, 'isPaged' | 'file'>]-?: NonNullable<CollectionDefinition[Key]>
}

export interface Collection extends Settings, Pick<CollectionDefinition, 'file'> {
  /** Stays the same object until its file is read again: the state is kept by it. */
  key: object
  path: string
  items: readonly Item[]
  /** `undefined` without a `paginate`. */
  paging: Omit<Paging, 'items'> | undefined
  scenarios: readonly string[] | undefined
  source: SourceLocation
}

export interface CollectionOperation {
  collection: Collection
  /** The methods to send instead, where `only` leaves this one out. */
  allow?: readonly string[]
  does: CollectionWrite
  /** `/customers/:id/orders`: only the items whose `by` is the parameter. */
  within?: { collection: Collection; by: string }
  /** The path's last parameter, which has the id. */
  parameter?: string
}

/** Collections by name: that without a scenario, and those that replace it while their scenario is active. */
export type Collections = ReadonlyMap<string, readonly Collection[]>

export function findCollection(collections: Collections, name: string, active: readonly string[]) {
  const variants = collections.get(name)
  const inScenario = (scenario: string) => variants?.find(({ scenarios }) => scenarios?.includes(scenario))
  for (const scenario of active) {
    const found = inScenario(scenario)
    if (found) return found
  }
  return variants?.find(({ scenarios }) => !scenarios)
}

/** The first item that can't be one, by its index; without an index, the list as a whole. */
export function findWrongItem(items: readonly unknown[], idKey: string) {
  if (items.length > maxItems)
    return { reason: `it has ${items.length} items, and a collection takes at most ${maxItems}` }
  const indexes = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    if (!isRecord(item)) return { index, reason: 'it is no object' }
    const given = ownValue(item, idKey)
    const id = idText(given)
    if (id === undefined)
      return {
        index,
        reason:
          given === undefined
            ? `it has no ${JSON.stringify(idKey)}`
            : `its ${JSON.stringify(idKey)} is neither a text nor a number`,
      }
    const other = indexes.get(id)
    if (other !== undefined)
      return { index, reason: `item ${other + 1} of the list has the same ${JSON.stringify(idKey)}: ${id}` }
    indexes.set(id, index)
  }
  return undefined
}
