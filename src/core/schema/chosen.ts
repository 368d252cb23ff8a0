import * as v from 'valibot'
import { isPlainObject } from '../values/values.ts'

/**
 * A union whose member is chosen by the value, since the error of valibot's own unions would not say which key is wrong.
 *
 * @param union all members, for the generator of the JSON Schema, which passes no input
 */
export function chosen<S extends v.GenericSchema>(
  union: S,
  choose: (input: unknown) => v.GenericSchema,
): v.LazySchema<S> {
  return v.lazy((input) => (input === undefined ? union : choose(input)) as S)
}

/** One value, or a list. */
export function oneOrMore<S extends v.GenericSchema, L extends v.GenericSchema>(one: S, list: L) {
  return chosen(v.union([one, list]), (input) => (Array.isArray(input) ? list : one))
}

/** An object, or another value. */
export function objectOr<S extends v.GenericSchema, O extends v.GenericSchema>(object: S, other: O) {
  return chosen(v.union([other, object]), (input) => (isPlainObject(input) ? object : other))
}

const notAnObject = v.custom<never>(() => false, 'an object')

/** A schema of an object that refuses lists and `Map`s, which valibot's own object schemas accept. */
export function objectOnly<S extends v.GenericSchema>(schema: S): v.LazySchema<S> {
  return chosen(schema, (input) => (isPlainObject(input) ? schema : notAnObject))
}
