import type { DocumentNode, OperationDefinitionNode } from 'graphql'
// Only the parser: loading all of graphql-js takes three times as long at every start.
import { GraphQLError } from 'graphql/error/GraphQLError.js'
import { Kind } from 'graphql/language/kinds.js'
import { Lexer } from 'graphql/language/lexer.js'
import { parse } from 'graphql/language/parser.js'
import { Source } from 'graphql/language/source.js'
import { TokenKind } from 'graphql/language/tokenKind.js'
import { checkDocument, tooDeep } from './document-check.ts'
import type { FormattedError } from './formatted-error.ts'
import { fragmentsOf, type Fragments } from './selections.ts'
import { oncePerObject } from '../values/collections.ts'
import { LruMap } from '../values/lru-map.ts'

/** Limits of a document, so that none can block the dev server. */
export interface DocumentLimits {
  maxTokens: number
  /** Maximum nesting of selections and values, with fragments expanded. */
  maxDepth: number
}

export interface ParsedDocument {
  tokens: number
  validationCost: number
  /** `undefined` when the text is not a document. */
  ast: DocumentNode | undefined
  syntaxError?: FormattedError | undefined
  /** Why any server refuses the document: its size, or circular fragments. */
  error?: FormattedError | undefined
  operations: readonly OperationDefinitionNode[]
  fragments: Fragments
}

export type DocumentReader = (query: string) => ParsedDocument

const maxCachedBytes = 16_777_216

/** A syntax tree takes up to 500 bytes per token. */
const bytesPerToken = 500
const bytesPerDocument = 4_000

/** Made with the first request, since a server may never get one for GraphQL. */
export const documentReaderOf = oncePerObject((limits: DocumentLimits) => createDocumentReader(limits))

/** Never throws. A document larger than an eighth of `cachedBytes` is not cached. */
export function createDocumentReader(limits: DocumentLimits, cachedBytes = maxCachedBytes): DocumentReader {
  const documents = new LruMap<string, ParsedDocument>({
    max: cachedBytes,
    maxEntry: cachedBytes / 8,
    sizeOf: ({ tokens }, query) => bytesPerDocument + tokens * bytesPerToken + query.length * 2,
  })
  return (query) => {
    const known = documents.get(query)
    if (known) return known
    const document = readDocument(query, limits)
    if (document.ast) documents.set(query, document)
    return document
  }
}

/** About 25 rules of graphql-js visit every node. */
const unitsPerToken = 3

/** Comparisons of two fields per unit, and their number before graphql-js gives up. */
const comparisonsPerUnit = 40
const maxComparisons = 500_000

function readDocument(query: string, limits: DocumentLimits): ParsedDocument {
  const source = new Source(query)
  const document: ParsedDocument = {
    tokens: 0,
    validationCost: 0,
    ast: undefined,
    operations: [],
    fragments: new Map(),
  }
  try {
    const tooLarge = exceedsLimits(source, limits, document)
    if (tooLarge) return { ...document, error: tooLarge }
    const ast = parse(source)
    // For each error, graphql-js counts the lines of the whole text, which can block for seconds:
    // https://github.com/graphql/graphql-js/blob/0d71003b9eaa7acb9909aa8d3063dbe90e38cac8/src/language/location.ts#L20
    // The first token of each node has its line.
    source.body = ''
    const operations = ast.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    const fragments = fragmentsOf(ast)
    const comparisons = checkDocument(operations, fragments, limits.maxDepth)
    if (typeof comparisons !== 'number') return { ...document, error: comparisons }
    const validationCost =
      document.tokens * unitsPerToken + Math.ceil(Math.min(comparisons, maxComparisons) / comparisonsPerUnit)
    return { ...document, validationCost, ast, operations, fragments }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { ...document, syntaxError: error.toJSON() }
  }
}

/** Counted before parsing, since the parser is recursive. */
function exceedsLimits(
  source: Source,
  { maxTokens, maxDepth }: DocumentLimits,
  size: { tokens: number },
): FormattedError | undefined {
  const lexer = new Lexer(source)
  let depth = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    const { line, column } = token
    const locations = [{ line, column }]
    if (++size.tokens > maxTokens) {
      return {
        message: `The document has more than ${maxTokens} tokens (option "graphql.maxTokens").`,
        locations,
      }
    }
    if (opening.has(token.kind)) depth++
    else if (closing.has(token.kind)) depth--
    if (depth > maxDepth) return { message: tooDeep(maxDepth), locations }
  }
  return undefined
}

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** The named operation, or the document's only one. */
export function operationOf(
  { operations }: ParsedDocument,
  name?: string,
): OperationDefinitionNode | undefined {
  if (name !== undefined) return operations.find((operation) => operation.name?.value === name)
  return operations.length === 1 ? operations[0] : undefined
}
