import type { ASTNode, GraphQLError } from 'graphql'
import { locationOf, type ErrorLocation, type FormattedError } from '../graphql/formatted-error.ts'

/** The locations of nodes in the query text; `undefined` if they were parsed without. */
function locationsOf(nodes: readonly ASTNode[] = []): ErrorLocation[] | undefined {
  const locations = nodes.flatMap((node) => (node.loc ? locationOf(node) : []))
  return locations.length > 0 ? locations : undefined
}

/** An error as graphql-js formats it, but with locations from the tokens: the document reader drops the text. */
export function formatError(error: Partial<GraphQLError>): FormattedError {
  const { path, extensions = {} } = error
  const locations = locationsOf(error.nodes)
  return {
    message: messageOf(error),
    ...(locations && { locations }),
    ...(path && { path }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

/** Some messages repeat a name from the query text, which can be as long as the text. */
const maxMessageLength = 2_000

export function messageOf(error: { message?: string }): string {
  if (error instanceof RangeError) return 'Selections or values nest too deep.' // a stack overflow
  const { message = '' } = error
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
}
