import * as v from 'valibot'
import { isPlainObject } from '../values/values.ts'
import { chosen, objectOnly } from './chosen.ts'
import { generateSchema } from './generate-schema.ts'
import { fileReferenceSchema } from './value-schema.ts'

const name = v.pipe(v.string(), v.nonEmpty('a name'))
const generatedItems = v.strictObject({ generate: objectOnly(generateSchema) })
const listItems = v.union([v.array(v.unknown()), fileReferenceSchema, generatedItems], 'a list')
const itemsFunction = v.custom<() => readonly unknown[]>((input) => typeof input === 'function')
type ListItems = typeof listItems | typeof itemsFunction

/** The items of a list: in the fixture file, in a file of their own, or made by a function. */
export const itemsSchema = chosen<ListItems>(listItems, (input) => {
  if (typeof input === 'function') return itemsFunction
  if (!isPlainObject(input)) return v.array(v.unknown())
  return 'generate' in input ? generatedItems : fileReferenceSchema
})

const relationSchema = v.union(
  [v.strictObject({ one: name, by: name }), v.strictObject({ many: name, by: name })],
  'an object such as { one: customers, by: customerId } or { many: lines, by: orderId }',
)

export const operations = ['list', 'get', 'create', 'replace', 'update', 'delete'] as const

const dialects = ['json-server', 'simple-rest', 'plain'] as const

/** A list that requests read and change. */
export const collectionSchema = v.strictObject({
  /**
   * The initial items of the collection, each with its id: a list, `{ file: orders.json }` for a file with the list,
   * `{ generate: … }` for items that are generated from a schema, or in code a function that returns the list.
   * Requests never change the file.
   */
  items: itemsSchema,
  /** The name of the collection in relations, functions and GraphQL routes. Default: the last part of the path. */
  name: v.optional(name),
  /** The key of the id in an item. Default `id`. */
  id: v.optional(name),
  /**
   * Related collections, by the name of the relation: `{ customer: { one: customers, by: customerId } }` if this item
   * has the id of the other, `{ lines: { many: lines, by: orderId } }` if the other items have the id of this one.
   * Default: none.
   */
  relations: v.optional(objectOnly(v.record(v.string(), relationSchema))),
  /** The operations of the collection: `[list, get]`. Others get a 405. Default: all. */
  only: v.optional(v.pipe(v.array(v.picklist(operations)), v.nonEmpty('a list of at least one operation'))),
  /**
   * The query parameters of its list: those of `json-server` 0.17 (`total_gte=5`, `_sort`, `_order`, `_page`, `_limit`, `q`,
   * `_embed`, `_expand`), those of react-admin's `simple-rest` (`sort=["id","ASC"]`, `range=[0,9]`, `filter={"state":"open"}`),
   * or `plain` (equality, `sort=-created`, and the pages of `paginate`). Default `json-server`.
   */
  dialect: v.optional(v.picklist(dialects)),
  /** Whether `DELETE` answers with the item. Default `false`: a 204 without a body. */
  returnDeleted: v.optional(v.boolean()),
  /** Whether changes survive a restart of the dev server, in `node_modules/.cache`. Default `false`. */
  persist: v.optional(v.boolean()),
})

/**
 * Changes an item of a collection before the response is built: `{ update: orders, id: $id, set: { name: $name } }`.
 */
export const writeSchema = v.strictObject({
  /** The collection that gets a new item. */
  create: v.optional(name),
  /** The collection whose item gets the values of `set`. */
  update: v.optional(name),
  /** The collection whose item is replaced with `set`. */
  replace: v.optional(name),
  /** The collection from which the item is deleted. */
  delete: v.optional(name),
  /** The id of the item. `$id` is a variable of the GraphQL operation, `{ $from: params.id }` any part of the request. */
  id: v.optional(v.unknown()),
  /** The values of the item, or one object such as `$input`. A variable that is not given is left out. */
  set: v.optional(v.unknown()),
})

/** The tool whose query parameters a list takes. */
export type Dialect = (typeof dialects)[number]

export type CollectionWrite = (typeof operations)[number]
