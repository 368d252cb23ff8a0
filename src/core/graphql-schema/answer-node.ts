import type { FieldNode } from 'graphql'
import { hash32 } from '../values/hash.ts'
import type { FormattedError } from '../graphql/formatted-error.ts'
import type { Values } from '../values/values.ts'

export interface Entity {
  id: unknown
  key: string
}

/** An error of the fixture. Without a path, it is about the whole request. */
export interface FixtureError {
  readonly entry: FormattedError
  readonly path: readonly (string | number)[]
  /** Whether the error has been thrown, or added to `otherErrors`. */
  isPlaced: boolean
}

/** A position in the answer, and the fixture's value for it. */
export interface AnswerNode {
  /** `undefined` if the fixture has none, so that everything below is filled in. */
  readonly value: unknown
  readonly parent: AnswerNode | undefined
  /** The field's name, or the index in a list. */
  readonly step: string | number
  /** The type with the field; for the root, the type of the operation. */
  readonly typeName: string
  readonly args: Values | undefined
  readonly depth: number
  readonly filledLists: number
  /** The fixture's `errors` at this node and below. */
  readonly errors: readonly FixtureError[]
  /** Absent for the root. */
  readonly fieldNodes: readonly FieldNode[] | undefined
  seed?: number | undefined
  /** `null` when the object is not an entity, `undefined` before it was determined. */
  entity?: Entity | null | undefined
}

/** Seed from the path below the nearest entity, or the root. Aliases are ignored: a field has one value under all. */
export function seedOf(node: AnswerNode): number {
  return (node.seed ??= hash32(nameOf(node), node.parent && seedOf(node.parent)))
}

function nameOf({ step, typeName, args }: AnswerNode): string {
  if (typeof step === 'number') return `[${step}]`
  const hasArgs = args && Object.keys(args).length > 0
  return `${typeName}.${step}${hasArgs ? JSON.stringify(args) : ''}`
}

/** Picks by index in a list, elsewhere by seed. */
export function pick<T>(values: readonly T[], node: AnswerNode): T | undefined {
  for (let at: AnswerNode | undefined = node; at; at = at.parent) {
    if (at !== node && at.entity) break
    if (typeof at.step === 'number') return values[at.step % values.length]
  }
  return values[seedOf(node) % values.length]
}

export function fieldPath(node: AnswerNode, fieldName: string): string[] {
  const names = [fieldName]
  for (let at = node; at.parent; at = at.parent) {
    if (typeof at.step === 'string') names.unshift(at.step)
  }
  return names
}
