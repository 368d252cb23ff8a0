import type { FieldNode } from 'graphql'
import { addToHash, hashStart, mixHash } from '../values/hash.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'

/** Which entity an object is. */
export interface Entity {
  id: unknown
  key: string
}

/** A value of the answer on its way: what the fixture has for it, and where in the answer it stands. */
export interface Place {
  /** What the fixture has; `undefined` where it has nothing, and all below is filled in. */
  readonly value: unknown
  readonly parent: Place | undefined
  /** The field's name, or the index in a list. */
  readonly step: string | number
  /** The type that has the field; for the root, the type of the operation. */
  readonly typeName: string
  readonly args: Readonly<Record<string, unknown>> | undefined
  /** How many steps lead here from the root. */
  readonly depth: number
  /** How many lists around it were filled in. */
  readonly filledLists: number
  /** What the fixture's `errors` say of this place and of those below. */
  readonly errors: readonly FixtureError[]
  /** The nodes that selected the field; none for the root. */
  readonly fieldNodes: readonly FieldNode[] | undefined
  seed?: number | undefined
  /** Which entity its object is; `null` when it is none, `undefined` before it was asked. */
  entity?: Entity | null | undefined
}

/**
 * A number that depends on nothing but where the place is: types, field names, arguments and indices from the nearest
 * entity above, else from the root. Aliases don't count, so a field has one value under all of them.
 */
export function seedOf(place: Place): number {
  return (place.seed ??= mixHash(addToHash(place.parent ? seedOf(place.parent) : 0x811c9dc5, nameOf(place))))
}

/** The seed of what is known by a text, wherever it is. */
export function seedOfText(text: string): number {
  return mixHash(addToHash(hashStart, text))
}

function nameOf({ step, typeName, args }: Place): string {
  if (typeof step === 'number') return `[${step}]`
  const hasArgs = args && Object.keys(args).length > 0
  return `${typeName}.${step}${hasArgs ? JSON.stringify(args) : ''}`
}

/** One of several values: in a list one after the other, in an entity and elsewhere any. */
export function pick<T>(values: readonly T[], place: Place): T | undefined {
  for (let at: Place | undefined = place; at; at = at.parent) {
    if (at !== place && at.entity) break
    if (typeof at.step === 'number') return values[at.step % values.length]
  }
  return values[seedOf(place) % values.length]
}

/** The field names that lead to a field of a place's, for messages: `hero.friends.name`. */
export function fieldPath(place: Place, fieldName: string): string {
  const names = [fieldName]
  for (let at: Place | undefined = place; at?.parent; at = at.parent) {
    if (typeof at.step === 'string') names.unshift(at.step)
  }
  return names.join('.')
}

/** An entry of a fixture's `errors` that says where it belongs. */
export interface FixtureError {
  readonly entry: FormattedError
  readonly path: readonly (string | number)[]
  /** Whether the field that it belongs to was reached. */
  isPlaced: boolean
}
