import type { OperationDefinitionNode } from 'graphql'
import type { Budget } from '../budget.ts'
import type { MissingFields } from './missing-fields.ts'
import type { Plan } from './plan.ts'

/** The state while one result is shaped. */
export interface Shaping {
  operation: OperationDefinitionNode
  /** Including default values. */
  variables: Readonly<Record<string, unknown>>
  plan: Plan
  readonly budget: Budget
  missing: MissingFields
}
