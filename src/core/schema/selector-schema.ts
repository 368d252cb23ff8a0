import * as v from 'valibot'
import { chosen, objectOnly } from './chosen.ts'

/** The operators of MongoDB's query language. They are checked where selectors are compiled, with better messages. */
export const operatorsSchema = v.strictObject({
  /** Equals. Objects and lists are compared as a whole. */
  $eq: v.optional(v.unknown()),
  /** Does not equal. Also matches a missing value. */
  $ne: v.optional(v.unknown()),
  /** Equals one of a list. */
  $in: v.optional(v.array(v.unknown())),
  /** Equals none of a list. Also matches a missing value. */
  $nin: v.optional(v.array(v.unknown())),
  /** Greater than. Numbers are compared by value, text by its characters. */
  $gt: v.optional(v.union([v.number(), v.string()])),
  /** Greater than, or equal. */
  $gte: v.optional(v.union([v.number(), v.string()])),
  /** Less than. Numbers are compared by value, text by its characters. */
  $lt: v.optional(v.union([v.number(), v.string()])),
  /** Less than, or equal. */
  $lte: v.optional(v.union([v.number(), v.string()])),
  /** Whether the value is present. */
  $exists: v.optional(v.boolean()),
  /** A part of the text matches a pattern in RE2 syntax. */
  $regex: v.optional(v.union([v.string(), v.instance(RegExp)])),
  /** Flags of `$regex`: some of `i`, `m` and `s`. */
  $options: v.optional(v.string()),
  /** A list that contains all of these. */
  $all: v.optional(v.array(v.unknown())),
  /** A list of this length. */
  $size: v.optional(v.number()),
  /** `[divisor, remainder]`: the value divided by the first number leaves the second. */
  $mod: v.optional(v.array(v.number())),
  /** An object, or all of the parameters, with no other names than these: `query: { $only: [page] }`. */
  $only: v.optional(v.array(v.string())),
  /** A list with an entry that matches. */
  $elemMatch: v.optional(v.record(v.string(), v.unknown())),
  /** Does not match. */
  $not: v.optional(v.unknown()),
  /** Matches all of a list. */
  $and: v.optional(v.array(v.unknown())),
  /** Matches one of a list. */
  $or: v.optional(v.array(v.unknown())),
  /** Matches none of a list. */
  $nor: v.optional(v.array(v.unknown())),
})

/** A string in the request (`'2'` is exactly that string, `2` the number in any spelling), or operators. */
const text = v.union([v.string(), v.number(), v.boolean()], 'a string, a number or a boolean')
const textCondition = v.union([text, operatorsSchema, v.array(v.unknown())])
const anyObject = v.record(v.string(), v.unknown())
const anyList = v.array(v.unknown()) // the operands of `$and`, `$or` and `$nor`
const textOrOperators = chosen(textCondition, (input) => {
  if (Array.isArray(input)) return anyList
  return typeof input === 'object' && input !== null ? anyObject : text
})
const textByName = objectOnly(v.record(v.string(), textOrOperators))

const operationType = v.union(
  [v.picklist(['query', 'mutation', 'subscription']), operatorsSchema],
  'query, mutation or subscription',
)

const documentSchema = v.pipe(v.string(), v.nonEmpty('a GraphQL document'))
const parametersOrDocument = v.union([documentSchema, textByName])

/** Conditions of a route. All of them must match. */
const selectorEntries = {
  /**
   * Query parameters by name. A repeated one is a list: one of its values has to match, or `[a, b]` all in this order. On the
   * GraphQL endpoint, a string is a document: it selects every equivalent operation, however it is formatted.
   */
  query: v.optional(
    chosen(parametersOrDocument, (input) => (typeof input === 'string' ? documentSchema : textByName)),
  ),
  /** Path parameters by name, percent-decoded: `/orders/:id` has `id`. */
  params: v.optional(textByName),
  /** Request headers by name; names are case-insensitive. */
  headers: v.optional(textByName),
  /** Cookies by name. */
  cookies: v.optional(textByName),
  /**
   * The request body. An object selects bodies that contain its values, at any depth; keys may have dots
   * (`filter.state`).
   */
  body: v.optional(v.unknown()),
  /** GraphQL: the name of the operation, from the payload or from the only operation of the document. */
  operationName: v.optional(textOrOperators),
  /** GraphQL: the kind of the operation. */
  operationType: v.optional(operationType),
  /** GraphQL: the variables of the operation, compared like `body`. */
  variables: v.optional(objectOnly(v.record(v.string(), v.unknown()))),
  /** GraphQL: the `extensions` of the payload, compared like `body`: `{ persistedQuery: { sha256Hash: … } }`. */
  extensions: v.optional(objectOnly(v.record(v.string(), v.unknown()))),
}
/** An interface: declaration files would write its entries out, without their comments. */
export interface SelectorSchema extends v.StrictObjectSchema<typeof selectorEntries, undefined> {}
export const selectorSchema: SelectorSchema = v.strictObject(selectorEntries)

/** Parts of one request, as literals of a selector. */
export const exampleSchema = v.record(
  v.picklist(['query', 'params', 'headers', 'cookies', 'body', 'variables']),
  v.unknown(),
)

/** A route's `when`: the conditions that a request must meet. */
export interface FixtureSelector extends v.InferInput<typeof selectorSchema> {}
