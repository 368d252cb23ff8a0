import * as v from 'valibot'

const text = v.pipe(v.string(), v.nonEmpty('a text'))

/** Items that are made from a schema, the same each time: `{ schema: 'openapi.yaml#/components/schemas/User', count: 50 }`. */
export const generateSchema = v.strictObject({
  /**
   * A schema in an OpenAPI document or a JSON Schema file, with its place in the file. With `type`, a GraphQL SDL
   * file. The path is relative to the fixture file.
   */
  schema: v.optional(text),
  /** The name of a type in the GraphQL schema of `schema` or of the option `graphql.schema`. Default: none. */
  type: v.optional(text),
  /** The number of items. Default 20. */
  count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000))),
  /** A different seed gives different values. Default 0. */
  seed: v.optional(v.union([v.number(), v.string()], 'a number or a text')),
  /**
   * Methods of the package `@faker-js/faker` by the paths of fields, if you install it: `{ name: person.fullName,
   * address.city: location.city }`. Default: none.
   */
  faker: v.optional(v.record(v.string(), text)),
})

/** Which items are made from a schema. */
export type GenerateItems = v.InferInput<typeof generateSchema>
