import type { FixtureRequest, WebResponse } from './function-types.ts'
import type { FixtureResponse, FixtureRoute } from './schema.ts'

/*
 * What the body of a route must be, as other tools have generated it: `TypedDocumentNode` of GraphQL Code Generator or
 * gql.tada, or the `paths` of openapi-typescript.
 */

/** A GraphQL document that carries the type of its result. */
export interface TypedDocument<Result = unknown> {
  /** Only a type: it has no value. */
  __apiType?: ((variables: never) => Result) | undefined
}

/** The paths of an OpenAPI document, as openapi-typescript writes them. */
type Methods = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'
interface ApiOperation {
  responses: object
}

/**
 * The list of routes that a contract allows: the type of a GraphQL document, or a union of several, or the `paths` of an OpenAPI
 * document.
 */
export type FixtureOf<Contract> = RouteOf<Contract>[]

type RouteOf<Contract> = Contract extends { kind: unknown } | string
  ? TypedRoute<GraphQLResponse<Contract>>
  : ApiRoute<Contract>

type ResultOf<Document> = Document extends { __apiType?: infer Type }
  ? NonNullable<Type> extends (variables: never) => infer Result
    ? Result
    : never
  : never

interface GraphQLResponse<Document> extends Omit<FixtureResponse, 'body'> {
  body?: {
    data?: ResultOf<Document> | null
    errors?: readonly object[]
    extensions?: unknown
  }
}

/** Omits a key from each member of a union. */
type Without<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never

type ContractResponse<Response> =
  | Response
  | ((
      request: FixtureRequest,
    ) => Omit<Response, 'file'> | WebResponse | Promise<Omit<Response, 'file'> | WebResponse>)

/** A route whose responses are of a type. */
type TypedRoute<Response> = Without<FixtureRoute, 'response'> & {
  response?: ContractResponse<Response> | ContractResponse<Response>[]
}

/** The routes of all operations of an OpenAPI document. */
type ApiRoute<Paths> = {
  [Path in keyof Paths & string]: {
    [Method in keyof Paths[Path] & Methods]: Paths[Path][Method] extends ApiOperation
      ? ApiOperationRoute<Path, Method, Paths[Path][Method]['responses']>
      : never
  }[keyof Paths[Path] & Methods]
}[keyof Paths & string]

type ApiOperationRoute<Path extends string, Method extends string, Responses> = Omit<
  TypedRoute<ApiResponse<Responses>>,
  'path' | 'method'
> & { path: RoutePath<Path> } & (Method extends 'get'
    ? { method?: 'GET' | 'get' }
    : { method: Uppercase<Method> | Method })

/** `/orders/{id}` as a route has it: `/orders/:id`. */
type RoutePath<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${RoutePath<After>}`
  : Path

type ApiResponse<Responses> = {
  [Status in keyof Responses]: Omit<FixtureResponse, 'status' | 'body'> &
    StatusOf<Status> & { body?: JsonOf<Responses[Status]> }
}[keyof Responses]

/** The status `default` is any: what it allows can't exclude the others. */
type StatusOf<Status> = Status extends 200
  ? { status?: 200 }
  : Status extends number
    ? { status: Status }
    : { status: number }

type JsonOf<Response> = Response extends { content: infer Content }
  ? NonNullable<Content>[keyof NonNullable<Content>]
  : unknown
