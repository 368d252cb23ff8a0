import {
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql/index.js'
import { costOfText, type Budget } from '../graphql/budget.ts'

type Variables = Readonly<Record<string, unknown>>

/** Values are coerced twice: to be checked, and by graphql-js when it runs the operation. */
const valuesPerUnit = 8

/** graphql-js coerces nested values recursively, and fixtures are compared with them. */
const maxDepth = 500

const maxErrors = 50
/** Each error of graphql-js prints the object that it is about, with all of its keys: the more values, the fewer errors. */
const maxPrinted = 60_000

/** Why an operation can't be run with these variables. Spends units for the values, not for the errors: they are few. */
export function checkVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
  budget: Budget | undefined,
): readonly (GraphQLError | { message: string })[] {
  const { count, depth, length } = sizeOf(variables)
  if (depth > maxDepth) return [{ message: `The variables nest deeper than ${maxDepth} levels.` }]
  const units = Math.ceil(count / valuesPerUnit) + costOfText(length)
  if (budget && !budget.spend('variables', units)) return []
  const options = { maxErrors: Math.max(1, Math.min(maxErrors, Math.floor(maxPrinted / count))) }
  return getVariableValues(schema, variableDefinitions, variables, options).errors ?? []
}

/** How many values there are, how deep they are nested, and how long keys and texts are. Stops where they nest too deep. */
function sizeOf(root: object): { count: number; depth: number; length: number } {
  let [count, depth, length] = [0, 0, 0]
  let level: object[] = [root]
  for (; level.length > 0 && depth <= maxDepth; depth++) {
    const next: object[] = []
    for (const object of level) {
      if (!Array.isArray(object)) for (const key of Object.keys(object)) length += key.length
      for (const value of Object.values(object) as unknown[]) {
        count++
        if (typeof value === 'string') length += value.length
        else if (typeof value === 'object' && value !== null) next.push(value)
      }
    }
    level = next
  }
  return { count, depth, length }
}
