import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { MockApiError } from '../diagnostics/format.ts'

/**
 * Imports a module that needs the whole of graphql-js, which a project without a schema need not have.
 *
 * @throws MockApiError when it is not installed
 */
export async function withGraphQLJs<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!/Cannot find (?:package|module) '?graphql\b/.test(String(error))) throw error
    throw new MockApiError([diagnoseGraphQL('graphql-not-installed', {})])
  }
}
