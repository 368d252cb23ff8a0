import type { OperationDefinitionNode } from 'graphql'
import type { MissingFields } from './missing-fields.ts'
import type { Plan } from './plan.ts'

/** One result on its way. */
export interface Shaping {
  operation: OperationDefinitionNode
  plan: Plan
  /** Fields that the answer may still have. */
  left: number
  missing: MissingFields
}
