import type { OperationDefinitionNode } from 'graphql'
import type { Budget } from '../budget.ts'
import type { MissingFields } from './missing-fields.ts'
import type { Plan } from './plan.ts'

/** One result on its way. */
export interface Shaping {
  operation: OperationDefinitionNode
  /** With the operation's defaults. */
  variables: Readonly<Record<string, unknown>>
  plan: Plan
  readonly budget: Budget
  missing: MissingFields
}
