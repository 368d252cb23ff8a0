import type { Conditions } from './field-values.ts'
import type { Recording } from './read-exchange.ts'
import type { Answer, WrittenAnswer } from './write-answer.ts'

/** A route as a fixture has it, and the files of its bodies. */
export interface WrittenRoute {
  definition: RouteDefinition
  /** By the answer that is without a body until its file has a name. */
  files: { answer: Answer; bytes: Uint8Array; extension: string }[]
  /** What it was made from, in the order of the recording. */
  recordings: readonly Recording[]
}

export interface RouteDefinition {
  method?: string
  path: string
  when?: Record<string, unknown>
  paginate?: object
  response?: Answer | Answer[]
}

/** A recording with what a route is made from. */
export interface Answered {
  recording: Recording
  /** The order of the recording. */
  index: number
  address: Conditions
  fields: Conditions
  answer: WrittenAnswer
}
