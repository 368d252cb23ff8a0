import { canonicalBase } from '../http/path.ts'
import { defaultGraphQL, type GraphQLSettings } from '../graphql/settings.ts'
import { isPlainObject } from '../values/values.ts'
import { isBoolean, isPath, isText, isWholeNumber, type OptionKind } from './option-kinds.ts'

/**
 * The options of the GraphQL endpoint. All are optional.
 *
 * @example
 * mockApi({ graphql: { schema: 'schema.graphql', graphiql: true } })
 */
export interface GraphQLOptions {
  /**
   * Path of the GraphQL endpoint, or a list of paths if there are several. Default `/graphql`. Like the paths of routes, it is
   * below the plugin's `base`, and also answers below the dev server's own: with Vite's `base: '/app/'`, `/graphql` and
   * `/app/graphql`.
   */
  path?: string | string[] | undefined
  /**
   * Whether requests must follow the GraphQL-over-HTTP specification: content type, `accept`, parameters, a valid
   * document. Default `false`: these are not checked.
   *
   * @see https://graphql.github.io/graphql-over-http/draft/
   */
  strict?: boolean | undefined
  /**
   * Whether `data` is cut to what a request selects: aliases, fragments, `@skip` and `@include`. A route's own `shape`
   * takes precedence. Default `false`: fixtures are sent as they are.
   */
  shape?: boolean | undefined
  /**
   * Schema files (`.graphql`, `.graphqls`, `.gql`), globs, or a list of them, relative to `root`; for
   * `createFetchHandler` the SDL itself. Documents are then validated, introspection is answered, errors propagate
   * to nullable parents, and fields missing in a fixture are filled in by type. Default: none.
   */
  schema?: string | string[] | undefined
  /** Values for missing fields of custom scalars, by the scalar's name. */
  scalars?: Record<string, unknown> | undefined
  /**
   * Whether a browser that opens the endpoint gets GraphiQL. Needs the package `@graphql-yoga/render-graphiql`. Default
   * `false`.
   */
  graphiql?: boolean | undefined
  /** Maximum tokens of a document. Default 10 000. A larger one is answered with a GraphQL error. */
  maxTokens?: number | undefined
  /** Maximum nesting of a document. Default 100. A deeper one is answered with a GraphQL error. */
  maxDepth?: number | undefined
  /**
   * Maximum work for one request, including all operations of a batch, in units: parsing a token or producing a field costs
   * about one. Default 100 000. A request that needs more is answered with a GraphQL error that says what the units were
   * used for.
   */
  maxCost?: number | undefined
}

/** The options of the GraphQL endpoint with every default filled in. */
export interface ResolvedGraphQL extends GraphQLSettings {
  schema: readonly string[]
  scalars: Readonly<Record<string, unknown>>
  graphiql: boolean
}

const onOrOff: OptionKind = { expected: 'true or false', accepts: isBoolean }
const positive: OptionKind = { expected: 'a whole number, 1 or more', accepts: isWholeNumber(1) }

export const graphqlKinds = {
  path: {
    expected: 'a path that begins with "/", or a list of them',
    accepts: isPath,
    acceptsItem: isPath,
    needsItem: true,
  },
  strict: onOrOff,
  shape: onOrOff,
  schema: {
    expected: 'a file, a glob, or a list of them',
    accepts: isText,
    acceptsItem: isText,
    needsItem: true,
  },
  scalars: { expected: 'an object of values by the names of scalars', accepts: isPlainObject },
  graphiql: onOrOff,
  maxTokens: positive,
  maxDepth: positive,
  maxCost: positive,
} satisfies Record<keyof GraphQLOptions, OptionKind>

/** Fills in the defaults of checked options. */
export function resolveGraphQL(graphql: GraphQLOptions): ResolvedGraphQL {
  const { path = [...defaultGraphQL.paths] } = graphql
  const paths = typeof path === 'string' ? [path] : path
  const { schema = [], scalars = {}, graphiql = false } = graphql
  return {
    paths: paths.map((path) => canonicalBase(path) || '/'),
    strict: graphql.strict ?? defaultGraphQL.strict,
    shape: graphql.shape ?? defaultGraphQL.shape,
    maxTokens: graphql.maxTokens ?? defaultGraphQL.maxTokens,
    maxDepth: graphql.maxDepth ?? defaultGraphQL.maxDepth,
    maxCost: graphql.maxCost ?? defaultGraphQL.maxCost,
    schema: typeof schema === 'string' ? [schema] : schema,
    scalars,
    graphiql,
  }
}
