import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { bodyAsText, headerOf, type PreparedResponse } from '../response/prepare-response.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import { exactJson } from '../values/exact-number.ts'
import { isRecord, type Values } from '../values/values.ts'
import type { Budget } from './budget.ts'
import type { FormattedError } from './formatted-error.ts'

export interface GraphQLResult {
  data?: Values | null | undefined
  errors?: readonly FormattedError[] | undefined
  extensions?: unknown
}

export interface MissingField {
  /** Field names from the root: `hero.friends.name`. */
  path: string
  near?: string | undefined
}

export interface RejectedValue {
  /** Field names from the root: `hero.friends.name`. Empty for the whole of `data`. */
  path: string
  message: string
  /** The probable type, if the value is a `__typename`. */
  near?: string | undefined
}

export interface FittedResult {
  result: GraphQLResult
  missing: readonly MissingField[]
  /** Each is also an error of the result. Only a schema rejects values. */
  rejected?: readonly RejectedValue[]
}

/** In strict mode without a schema, by the rules of every schema. Loaded only if needed, since it has all of graphql-js. */
export interface DocumentChecker {
  /** Without the types, only documents of meta fields (`__typename`, `__schema`) are executed. */
  readonly hasSchema: boolean
  /** The schema as SDL; empty without one. */
  sdl: () => string
  validate: (document: DocumentNode) => readonly FormattedError[]
  checkVariables: (
    operation: OperationDefinitionNode,
    variables: Values | undefined,
  ) => readonly FormattedError[]
  /** Missing fields of the fixture are filled in. */
  execute: (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Values | undefined,
    fixture: GraphQLResult,
    budget?: Budget,
  ) => FittedResult
  /**
   * A null that its type does not allow makes the field around it null. For each path of a field that is null: how many of its
   * steps lead to what becomes null, 0 for all of the data.
   *
   * @param paths response keys and indexes
   */
  landingsOf: (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Values | undefined,
    data: Values,
    paths: readonly (readonly (string | number)[])[],
  ) => number[]
}

interface Fitting {
  shape: boolean
  checker: DocumentChecker | undefined
}

export type ResultResponse = FixtureResponse & { body: GraphQLResult }

/**
 * `undefined` for a response that is sent as it is prepared.
 *
 * @param shape of the route; `undefined` for that of the endpoint
 * @param body of the response; anything but a result means that the prepared body may be one
 */
export function resultToFit(
  graphql: Fitting | undefined,
  shape: boolean | undefined,
  body: unknown,
  prepared: PreparedResponse,
): GraphQLResult | undefined {
  const result = graphql && (isResult(body) ? body : resultIn(prepared))
  return result && (isFitted(graphql, shape) || needsLocations(result)) ? result : undefined
}

/** Whether `data` is cut to what an operation selects, or filled in and checked by the schema. */
export function isFitted(graphql: Fitting | undefined, shape: boolean | undefined): boolean {
  return graphql !== undefined && ((shape ?? graphql.shape) || graphql.checker?.hasSchema === true)
}

export function needsLocations(
  body: GraphQLResult,
): body is GraphQLResult & { errors: readonly FormattedError[] } {
  return Array.isArray(body.errors) && body.errors.some(lacksLocations)
}

export function lacksLocations(
  error: unknown,
): error is FormattedError & { path: readonly (string | number)[] } {
  return isRecord(error) && Array.isArray(error['path']) && error['locations'] === undefined
}

/** The body of an endpoint may also be the error page of a proxy. */
export function isResult(body: unknown): body is GraphQLResult {
  return isRecord(body) && (Object.hasOwn(body, 'data') || Array.isArray(body['errors']))
}

function resultIn(prepared: PreparedResponse): GraphQLResult | undefined {
  const body = jsonIn(prepared)
  return isResult(body) ? body : undefined
}

/** The body as JSON; `undefined` also for a file with the extension of JSON but other content. */
export function jsonIn(prepared: PreparedResponse): unknown {
  const isJson = headerOf(prepared, 'content-type')?.includes('json')
  return isJson ? exactJson(bodyAsText(prepared.body))?.value : undefined
}

/** The JSON of a successful answer: another one may be the error page of a proxy. */
export function successIn(prepared: PreparedResponse): unknown {
  return prepared.status < 400 ? jsonIn(prepared) : undefined
}

/** Reports keys in a route's bodies that GraphQL clients do not read. */
export function findUnreadable(
  { name, source }: { name: string; source: SourceLocation },
  bodies: readonly unknown[],
): Diagnostic[] {
  const found: Diagnostic[] = []
  const keys = [...new Set(bodies.flatMap(keysOfNoResult))]
  if (keys.length > 0) found.push(diagnoseGraphQL('graphql-data-missing', source, { name, keys }))
  if (bodies.some(hasUnreadableErrors))
    found.push(diagnoseGraphQL('graphql-errors-unreadable', source, { name }))
  return found
}

function keysOfNoResult(body: unknown): string[] {
  const isRead = (key: string) => key === 'extensions' || key === 'errors'
  return isRecord(body) && !isResult(body) ? Object.keys(body).filter((key) => !isRead(key)) : []
}

function hasUnreadableErrors(body: unknown): boolean {
  const errors = isRecord(body) ? (body['errors'] ?? []) : []
  const isError = (error: unknown) => isRecord(error) && typeof error['message'] === 'string'
  return !Array.isArray(errors) || !errors.every(isError)
}

export class PagedConnection {
  /** @param items all items of the list, whose types and entities are known without arguments */
  constructor(
    readonly items: readonly unknown[],
    readonly pageFor: (args: Values, selected?: 'with-schema' | 'without-schema') => unknown,
  ) {}
}
