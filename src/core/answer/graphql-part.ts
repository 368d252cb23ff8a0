import type { GraphQLPart, HandleGraphQL } from './running.ts'

/**
 * @param importPart imports `handle-graphql.ts`. It is in the host's file: bundlers leave out an `import()` only with the
 * file that has it.
 */
export function createGraphQLPart(importPart: () => Promise<{ handleGraphQL: HandleGraphQL }>): GraphQLPart {
  const part: GraphQLPart = {
    handle: undefined,
    async load() {
      const { handleGraphQL } = await importPart()
      return (part.handle = handleGraphQL)
    },
  }
  return part
}
