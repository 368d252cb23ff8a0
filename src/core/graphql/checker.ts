import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { Budget } from './budget.ts'
import type { FormattedError } from './formatted-error.ts'

/** The result of an operation: as in a fixture, or as sent. */
export interface GraphQLResult {
  data?: Readonly<Record<string, unknown>> | null | undefined
  errors?: readonly FormattedError[] | undefined
  extensions?: unknown
}

/** A field that an operation selects and a fixture does not have. */
export interface MissingField {
  /** Field names from the root: `hero.friends.name`. */
  path: string
  /** The most similar key of the fixture. */
  near?: string | undefined
}

/** A value of a fixture that its type in the schema does not allow. */
export interface RejectedValue {
  /** Field names from the root: `hero.friends.name`. Empty for the whole of `data`. */
  path: string
  /** The message of graphql-js. */
  message: string
  /** The type that was probably meant, if the value is a `__typename`. */
  near?: string | undefined
}

/** A fixture's result adapted to an operation, and what is wrong with the fixture. */
export interface FittedResult {
  result: GraphQLResult
  missing: readonly MissingField[]
  /** Each is also an error of the result. Only a schema rejects values. */
  rejected?: readonly RejectedValue[]
}

/**
 * Validates and executes documents against a schema; in strict mode without one, by the rules that apply to every schema.
 * It needs the whole of graphql-js, so it is only loaded if an option asks for it.
 */
export interface DocumentChecker {
  /** Whether the types are known. Without them, only documents of meta fields (`__typename`, `__schema`) are executed. */
  readonly hasSchema: boolean
  /** The errors of a document; none if it is valid. */
  validate: (document: DocumentNode) => readonly FormattedError[]
  /** The errors in the values of variables; none if they are valid. */
  checkVariables: (
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>> | undefined,
    budget?: Budget,
  ) => readonly FormattedError[]
  /** Executes an operation of a valid document on the result in a fixture. Missing fields are filled in. */
  execute: (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>> | undefined,
    fixture: GraphQLResult,
    budget?: Budget,
  ) => FittedResult
  /**
   * The data of a real answer in which fields have become null: where a type does not allow null, the field around it
   * becomes null too. Modifies the data.
   *
   * @param nulled the response keys and indexes that lead to these fields
   */
  spreadNulls: (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>> | undefined,
    data: Readonly<Record<string, unknown>>,
    nulled: readonly (readonly (string | number)[])[],
  ) => GraphQLResult['data']
}
