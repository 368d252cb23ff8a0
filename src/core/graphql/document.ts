import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'
// The parser alone: the whole of graphql-js costs every dev server's start three times as much.
import { GraphQLError } from 'graphql/error/GraphQLError.js'
import { Kind } from 'graphql/language/kinds.js'
import { Lexer } from 'graphql/language/lexer.js'
import { parse } from 'graphql/language/parser.js'
import { Source } from 'graphql/language/source.js'
import { TokenKind } from 'graphql/language/tokenKind.js'
import { findFault } from './document-faults.ts'
import type { FormattedError } from './formatted-error.ts'

/** How large a document may be, so that no text can hold up the dev server. */
export interface DocumentLimits {
  /** Lexical tokens of a document. */
  maxTokens: number
  /** Levels that selections and values may be nested, fragments in their places. */
  maxDepth: number
}

/** A query text, as far as it is a GraphQL document. */
export interface ParsedDocument {
  /** `undefined` where the text is none. */
  ast: DocumentNode | undefined
  /** Why the text is no document. */
  syntaxError?: FormattedError | undefined
  /** Why the document can't be run on any server, or not on this one: it is too large, or its fragments have no end. */
  fault?: FormattedError | undefined
  /** Whether `@skip` or `@include` may leave out a part of it. */
  isConditional: boolean
  /** Whether `@defer` or `@stream` may be in it. */
  isDeferring: boolean
  operations: readonly OperationDefinitionNode[]
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

export type DocumentReader = (query: string) => ParsedDocument

/** Documents are parsed once. The oldest leave first; long ones are not kept, so memory is bounded. */
const maxDocuments = 500
const maxKeptLength = 32_768

/** Makes a reader of query texts that never throws and keeps what it has parsed. */
export function createDocumentReader(limits: DocumentLimits): DocumentReader {
  const documents = new Map<string, ParsedDocument>()
  return (query) => {
    const known = documents.get(query)
    if (known) return known
    const parsed = readDocument(query, limits)
    if (query.length <= maxKeptLength) {
      if (documents.size >= maxDocuments) documents.delete(documents.keys().next().value!)
      documents.set(query, parsed)
    }
    return parsed
  }
}

const noDocument = {
  ast: undefined,
  isConditional: false,
  isDeferring: false,
  operations: [],
  fragments: new Map<string, never>(),
}

function readDocument(query: string, limits: DocumentLimits): ParsedDocument {
  try {
    const source = new Source(query)
    const tooLarge = exceeds(source, limits)
    if (tooLarge) return { ...noDocument, fault: tooLarge }
    const ast = parse(source)
    const operations = ast.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    const fragments = new Map(
      ast.definitions
        .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
        .map((node) => [node.name.value, node]),
    )
    return {
      ast,
      // By the words alone: white space, commas and comments may stand between a directive's sign and its name.
      isConditional: query.includes('@') && /\b(?:skip|include)\b/.test(query),
      isDeferring: query.includes('@') && /\b(?:defer|stream)\b/.test(query),
      operations,
      fragments,
      fault: findFault(operations, fragments, limits),
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { ...noDocument, syntaxError: error.toJSON() }
  }
}

/** Counts before anything is parsed: the parser calls itself for each level. */
function exceeds(source: Source, { maxTokens, maxDepth }: DocumentLimits): FormattedError | undefined {
  const lexer = new Lexer(source)
  let tokens = 0
  let depth = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    const { line, column } = token
    const locations = [{ line, column }]
    if (++tokens > maxTokens) {
      return {
        message: `The document has more than ${maxTokens} tokens (option "graphql.maxTokens").`,
        locations,
      }
    }
    if (opening.has(token.kind)) depth++
    else if (closing.has(token.kind)) depth--
    if (depth > maxDepth) {
      return {
        message: `The document nests deeper than ${maxDepth} levels (option "graphql.maxDepth").`,
        locations,
      }
    }
  }
  return undefined
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** The operation that a request runs: the one it names, else the document's only one. */
export function operationOf({
  document,
  operationName,
}: {
  document?: ParsedDocument | undefined
  operationName?: string | undefined
}): OperationDefinitionNode | undefined {
  if (!document) return undefined
  const { operations } = document
  if (operationName !== undefined) return operations.find(({ name }) => name?.value === operationName)
  return operations.length === 1 ? operations[0] : undefined
}
