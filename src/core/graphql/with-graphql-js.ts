import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { MockApiError } from '../diagnostics/format.ts'

/**
 * The exports of graphql-js, once a module has needed them. The build makes imports of graphql-js read them here, since bundlers and
 * webpack's cache look for what a module imports before anyone asks whether it is installed.
 *
 * @public
 */
export let graphqlJs: object | undefined

/**
 * Imports a module that needs the whole of graphql-js, which a project without a schema need not have.
 *
 * @throws MockApiError when it is not installed
 */
export async function withGraphQLJs<T>(load: () => Promise<T>): Promise<T> {
  try {
    graphqlJs ??= {
      ...(await import('graphql/index.js')),
      ...(await import('graphql/validation/validate.js')),
    }
  } catch (error) {
    // Each runtime and bundler says in its own words that it finds no graphql.
    if (!String(error).includes('graphql')) throw error
    throw new MockApiError([diagnoseGraphQL('graphql-not-installed', {})])
  }
  return load()
}
