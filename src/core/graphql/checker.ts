import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { Budget } from './budget.ts'
import type { FormattedError } from './formatted-error.ts'

/** What a fixture says that an operation results in, and what is sent in the end. */
export interface GraphQLResult {
  data?: Record<string, unknown> | null | undefined
  errors?: readonly FormattedError[] | undefined
  extensions?: unknown
}

/** A field that an operation selects and a fixture does not have. */
export interface MissingField {
  /** Field names from the root: `hero.friends.name`. */
  path: string
  /** The key of the fixture's that looks most like it. */
  near?: string | undefined
}

/** A value of a fixture that its type in the schema does not allow. */
export interface RejectedValue {
  /** Field names from the root: `hero.friends.name`. Empty where `data` as a whole is meant. */
  path: string
  /** Why, in the words of graphql-js. */
  message: string
  /** The name that was probably meant, where the value is a `__typename`. */
  near?: string | undefined
}

/** A fixture's result made to fit an operation, and what is wrong with the fixture. */
export interface FittedResult {
  result: GraphQLResult
  missing: readonly MissingField[]
  /** Each is an error of the result, too. Only a schema rejects values. */
  rejected?: readonly RejectedValue[]
}

/**
 * Checks and runs documents by a schema, or in strict mode without one by what holds for every schema. It is made of the
 * whole of graphql-js, so it is loaded only where an option asks for it.
 */
export interface DocumentChecker {
  /** Whether the types are known. Without them only documents of meta fields (`__typename`, `__schema`) are run. */
  readonly hasSchema: boolean
  /** Why no operation of a document can be run; empty when they can. The same for the same document. */
  validate: (document: DocumentNode) => readonly FormattedError[]
  /** Why an operation can't be run with these variables; empty when it can. */
  checkVariables: (
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>> | undefined,
    budget?: Budget,
  ) => readonly FormattedError[]
  /** Runs an operation of a valid document over a fixture's result; without one, whatever it lacks is filled in. */
  execute: (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>> | undefined,
    fixture: GraphQLResult,
    budget?: Budget,
  ) => FittedResult
}
