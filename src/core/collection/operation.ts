import type { Operation } from '../schema/collection-schema.ts'
import type { Collection } from './collection.ts'

/** What a route does that a collection has become. */
export interface CollectionOperation {
  collection: Collection
  /** The methods to send instead, where `only` leaves this one out. */
  allow?: readonly string[]
  does: Operation
  /** `/customers/:id/orders`: only the items whose `by` is the parameter. */
  within?: { collection: Collection; by: string }
  /** The path's last parameter, which has the id. */
  parameter?: string
}
