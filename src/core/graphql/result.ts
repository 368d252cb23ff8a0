import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { bodyAsText, headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { isRecord } from '../values/values.ts'
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

/** A response whose body depends on the operation: its errors get `locations`, its data is shaped or filled in. */
export type ResultResponse = FixtureResponse & { body: GraphQLResult }

/**
 * The result that has to be adapted to the operation; `undefined` for a response that is sent as it is prepared.
 *
 * @param shape of the route; `undefined` for that of the endpoint
 * @param body of the response; anything but a result means that the prepared body may be one
 */
export function resultToFit(
  graphql: { shape: boolean; checker: DocumentChecker | undefined } | undefined,
  shape: boolean | undefined,
  body: unknown,
  prepared: PreparedResponse,
): GraphQLResult | undefined {
  const result = graphql && (isResult(body) ? body : resultIn(prepared))
  return result && ((shape ?? graphql.shape) || graphql.checker?.hasSchema || needsLocations(result))
    ? result
    : undefined
}

/** Whether a GraphQL body has an error whose `locations` have to be computed from the request's query text. */
export function needsLocations(body: unknown): body is { errors: unknown[] } {
  return isRecord(body) && Array.isArray(body['errors']) && body['errors'].some(lacksLocations)
}

export function lacksLocations(
  error: unknown,
): error is FormattedError & { path: readonly (string | number)[] } {
  return isRecord(error) && Array.isArray(error['path']) && error['locations'] === undefined
}

/** Whether a body is the result of an operation, and not, for example, the error page of a proxy. */
export function isResult(body: unknown): body is GraphQLResult {
  return isRecord(body) && (Object.hasOwn(body, 'data') || Array.isArray(body['errors']))
}

/** The result in a prepared body, such as a page of a list, or a file. */
function resultIn(prepared: PreparedResponse): GraphQLResult | undefined {
  if (!headerOf(prepared, 'content-type')?.includes('json')) return undefined
  try {
    const body: unknown = JSON.parse(bodyAsText(prepared.body))
    return isResult(body) ? body : undefined
  } catch {
    return undefined // a file with the extension of JSON but other content
  }
}

/** A connection in a fixture's data, whose page depends on the arguments of its field. */
export class PagedConnection {
  /** @param items all items of the list, whose types and entities are known without arguments */
  constructor(
    readonly items: readonly unknown[],
    readonly pageFor: (args: Readonly<Record<string, unknown>>) => unknown,
  ) {}
}
