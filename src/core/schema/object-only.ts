import * as v from 'valibot'
import { isPlainObject } from '../values/values.ts'

const notAnObject = v.custom<never>(() => false, 'an object')

/** A schema of an object that refuses lists and `Map`s, which valibot's own object schemas accept. */
export function objectOnly<S extends v.GenericSchema>(schema: S): v.LazySchema<S> {
  // The generator of the JSON Schema passes no input to get the schema itself.
  return v.lazy((input) => (input === undefined || isPlainObject(input) ? schema : (notAnObject as never)))
}
