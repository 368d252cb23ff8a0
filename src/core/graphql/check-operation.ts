import { mediaType } from '../http/body.ts'
import { acceptedGraphQL, acceptsEvents, type RawRequest } from '../http/raw-request.ts'
import { words } from '../values/values.ts'
import { weightOf } from './budget.ts'
import type { ParsedDocument } from './document.ts'
import { locationOf, type FormattedError } from './formatted-error.ts'
import type { GraphQLParams } from './params.ts'
import type { GraphQLEndpoint } from './settings.ts'

export interface Refusal {
  status: number
  errors: readonly FormattedError[]
  headers?: Readonly<Record<string, string>>
  /** Whether another server may support the request: a subscription. */
  isUnserved?: boolean
}

/** For an unknown name, graphql-js compares all names of the schema. */
const unitsPerError = 500

/** Coercing values takes longer than copying them, and graphql-js does it again to run the operation. */
const variableCost = 4

const bodyTypes = words(
  'application/json application/graphql application/x-www-form-urlencoded multipart/form-data',
)

/** @see https://graphql.github.io/graphql-over-http/draft/#sec-Request */
export function checkHead({ strict }: GraphQLEndpoint, raw: RawRequest): Refusal | undefined {
  if (!strict) return undefined
  if (!acceptedGraphQL(raw) && !acceptsEvents(raw)) {
    const message =
      'The answer is application/graphql-response+json or application/json: "accept" must allow one.'
    return { status: 406, errors: [{ message }] }
  }
  if (raw.method === 'GET' || raw.method === 'HEAD') return undefined
  const type = mediaType(raw)
  if (!bodyTypes.includes(type)) {
    const message = `"content-type" must be one of ${bodyTypes.join(', ')}${type && `, not ${type}`}.`
    return { status: 415, errors: [{ message }] }
  }
  if (!raw.body?.length) return { status: 400, errors: [{ message: 'The request has no body.' }] }
  return undefined
}

export function checkOperation(
  endpoint: GraphQLEndpoint,
  raw: RawRequest,
  params: GraphQLParams,
  mayStream: boolean,
): Refusal | undefined {
  const { strict, checker } = endpoint
  const { document } = params
  if (!document) {
    if (!strict || params.extensions?.['persistedQuery']) return undefined
    return { status: 400, errors: [{ message: 'The parameter "query" is missing.' }] }
  }
  const isChecked = strict || checker !== undefined
  const wrong = document.error ?? (isChecked ? document.syntaxError : undefined)
  if (wrong) return notRun(raw, [wrong])
  const { operation } = params
  if (!operation) return isChecked ? notRun(raw, [noOperation(document, params)]) : undefined
  if (operation.operation.valueOf() === 'mutation' && (raw.method === 'GET' || raw.method === 'HEAD')) {
    const errors = [{ message: 'A mutation can only be run by POST: send it in the body, as JSON.' }]
    return { status: 405, errors, headers: { allow: 'POST' } }
  }
  if (operation.operation.valueOf() === 'subscription' && !mayStream) {
    const message = 'Subscriptions are not served here: no route with a "stream" matches.'
    return { ...notRun(raw, [{ message, locations: [locationOf(operation)] }]), isUnserved: true }
  }
  if (!checker) return undefined
  const { budget } = params
  if (!budget.spend('validation', document.validationCost)) return tooCostly(raw, params)
  const invalid = checker.validate(document.ast!)
  if (invalid.length > 0) {
    budget.spend('errors', invalid.length * unitsPerError)
    return notRun(raw, invalid)
  }
  if (!budget.spend('variables', variableCost * weightOf(params.variables))) return tooCostly(raw, params)
  const variables = checker.checkVariables(operation, params.variables)
  return variables.length > 0 ? notRun(raw, variables) : undefined
}

/** Why a GraphQL server would refuse a request that `checkOperation` accepts. */
export function findTolerated(params: GraphQLParams): FormattedError | undefined {
  const { document, operation } = params
  if (!document || operation) return undefined
  return document.syntaxError ?? noOperation(document, params)
}

export function tooCostly(raw: RawRequest, { budget, operation }: GraphQLParams): Refusal {
  const location = operation ? locationOf(operation) : { line: 1, column: 1 }
  return notRun(raw, [{ ...budget.error, locations: [location] }])
}

/** `application/json` has 200: https://graphql.github.io/graphql-over-http/draft/#sec-application-json */
export function notRun(raw: RawRequest, errors: readonly FormattedError[]): Refusal {
  return { status: acceptedGraphQL(raw) === 'application/graphql-response+json' ? 400 : 200, errors }
}

function noOperation({ operations }: ParsedDocument, { operationName }: GraphQLParams): FormattedError {
  if (operationName !== undefined) return { message: `Unknown operation named "${operationName}".` }
  return operations.length === 0
    ? { message: 'Must provide an operation.' }
    : { message: 'Must provide operation name if query contains multiple operations.' }
}
