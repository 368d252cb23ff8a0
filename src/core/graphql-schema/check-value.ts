import { oncePerObject } from '../values/collections.ts'
import {
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLOutputType,
} from 'graphql/index.js'
import type { Budget } from '../graphql/budget.ts'
import { weightOf } from '../graphql/shape/field-value.ts'
import { unitsPerError } from './fixture-errors.ts'

/** A type, read once: the checks of graphql-js are slow outside of production. */
export type Output = { isNonNull: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType }
  | { kind: 'list'; item: Output }
  | { kind: 'object'; type: GraphQLCompositeType }
)
export type LeafOutput = Extract<Output, { kind: 'leaf' }>

export const outputOf = oncePerObject(readOutput)

function readOutput(type: GraphQLOutputType): Output {
  const isNonNull = isNonNullType(type)
  if (isNonNull) return { ...readOutput(type.ofType), isNonNull }
  if (isListType(type)) return { kind: 'list', item: outputOf(type.ofType), isNonNull }
  return isLeafType(type) ? { kind: 'leaf', type, isNonNull } : { kind: 'object', type, isNonNull }
}

/** Spends units on a value that graphql-js will throw an error for. */
export function countError(completed: unknown, { isNonNull }: Output, budget: Budget): unknown {
  if (completed instanceof Error || (completed === null && isNonNull)) budget.spend('errors', unitsPerError)
  return completed
}

/** The value of a scalar or an enum, or the error to throw. Only checked: graphql-js serialises it afterwards. */
export function checkLeaf(value: unknown, output: LeafOutput, budget: Budget): unknown {
  if (value == null) return countError(null, output, budget)
  budget.spend('fields', weightOf(value))
  try {
    output.type.serialize(value)
    return value
  } catch (error) {
    return countError(error, output, budget)
  }
}
