import {
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql/index.js'
import { costOfText, type Budget } from '../graphql/budget.ts'
import { forEachObject } from '../values/values.ts'

type Variables = Readonly<Record<string, unknown>>

/** Values are coerced here and, by graphql-js, again when the operation is run. */
const valuesPerUnit = 4

const maxErrors = 50
/** Each error of graphql-js prints the whole object that it is about: the more values, the fewer errors are allowed. */
const maxPrinted = 60_000

/** Why an operation can't be run with these variables. Spends units on the values, not on the few errors. */
export function checkVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
  budget: Budget | undefined,
): readonly GraphQLError[] {
  const { count, length } = sizeOf(variables)
  const units = Math.ceil(count / valuesPerUnit) + costOfText(length)
  if (budget && !budget.spend('variables', units)) return []
  const options = { maxErrors: Math.max(1, Math.min(maxErrors, Math.floor(maxPrinted / count))) }
  return getVariableValues(schema, variableDefinitions, variables, options).errors ?? []
}

/** The number of values, and the length of keys and strings. */
function sizeOf(variables: Variables): { count: number; length: number } {
  let [count, length] = [0, 0]
  forEachObject(variables, (object) => {
    for (const [key, value] of Object.entries(object)) {
      count++
      if (!Array.isArray(object)) length += key.length
      if (typeof value === 'string') length += value.length
    }
  })
  return { count, length }
}
