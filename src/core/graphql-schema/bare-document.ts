import { isNode } from 'graphql/language/ast.js'
import { Kind } from 'graphql/language/kinds.js'
import type { ASTNode, GraphQLError } from 'graphql'
import type { ErrorLocation, FormattedError } from '../graphql/formatted-error.ts'

const copies = new WeakMap<ASTNode, ASTNode>()
const places = new WeakMap<object, ErrorLocation>()

/**
 * The node without its locations in the query text, which are stored separately. graphql-js counts the lines of the whole
 * text for every error whose nodes have locations: a megabyte of line breaks would block the dev server for seconds.
 */
export function bareOf<N extends ASTNode>(node: N): N {
  let bare = copies.get(node) as N | undefined
  if (!bare) {
    bare = copyWithoutPlaces(node) as N
    copies.set(node, bare)
  }
  return bare
}

function copyWithoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutPlaces)
  if (!isNode(value)) return value
  // Operations are also passed alone.
  if (value.kind === Kind.DOCUMENT)
    return { ...value, loc: undefined, definitions: value.definitions.map(bareOf) }
  const { loc, ...node } = value
  const bare = Object.fromEntries(Object.entries(node).map(([key, part]) => [key, copyWithoutPlaces(part)]))
  if (loc) places.set(bare, { line: loc.startToken.line, column: loc.startToken.column })
  return bare
}

/** The locations of bare nodes in the query text. */
export function locationsOf(nodes: readonly ASTNode[] | undefined): readonly ErrorLocation[] | undefined {
  const locations = (nodes ?? []).flatMap((node) => places.get(node) ?? [])
  return locations.length > 0 ? locations : undefined
}

/** Some messages repeat a name from the query text, which can be as long as the text. */
const maxMessageLength = 2_000

/** An error about bare nodes as graphql-js formats it. */
export function formatError(error: Partial<GraphQLError>): FormattedError {
  const { nodes, path, extensions = {} } = error
  const locations = locationsOf(nodes)
  return {
    message: messageOf(error),
    ...(locations && { locations }),
    ...(path && { path }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

export function messageOf(error: { message?: string }): string {
  if (error instanceof RangeError) return 'Selections or values nest too deep.' // a stack overflow
  const { message = '' } = error
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
}
