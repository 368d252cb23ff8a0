import type {
  ASTNode,
  DirectiveNode,
  DocumentNode,
  FragmentDefinitionNode,
  FragmentSpreadNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
// Only the parser: loading all of graphql-js takes three times as long at every start.
import { GraphQLError } from 'graphql/error/GraphQLError.js'
import { Kind } from 'graphql/language/kinds.js'
import { Lexer } from 'graphql/language/lexer.js'
import { parse } from 'graphql/language/parser.js'
import { Source } from 'graphql/language/source.js'
import { TokenKind } from 'graphql/language/tokenKind.js'
import { locationOf, type FormattedError } from './formatted-error.ts'
import { directiveCondition, fragmentsOf, responseKey, type Fragments } from './selections.ts'
import { getOrMake, oncePerObject } from '../values/collections.ts'
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
const pairsPerUnit = 5
/** Spreads per unit, since graphql-js compares few of the fields of two fragments. */
const spreadsPerUnit = 40
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
    const compared = checkDocument(operations, fragments, limits.maxDepth)
    if (typeof compared !== 'number') return { ...document, error: compared }
    const validationCost = document.tokens * unitsPerToken + compared
    return { ...document, validationCost, ast, operations, fragments }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { ...document, syntaxError: error.toJSON() }
  }
}

/** Counted before parsing, since the parser is recursive. */
function exceedsLimits(source: Source, { maxTokens, maxDepth }: DocumentLimits, size: { tokens: number }) {
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
export function operationOf({ operations }: ParsedDocument, name?: string) {
  if (name !== undefined) return operations.find((operation) => operation.name?.value === name)
  return operations.length === 1 ? operations[0] : undefined
}

function tooDeep(maxDepth: number): string {
  return `The document nests deeper than ${maxDepth} levels (option "graphql.maxDepth").`
}

/** Fields of one place that have the same response key, and the fields below them, which are of one place. */
interface SameFields {
  count: number
  below: Map<string, SameFields>
}

/**
 * Errors with any schema; messages are those of graphql-js.
 *
 * @returns the first error, or the units for the comparisons of "overlapping fields can be merged": the fields of a place that
 * have the same response key, and each spread with each field and each other spread
 */
function checkDocument(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  maxDepth: number,
): number | FormattedError {
  const levelsOf = new Map<string, number>()
  const open: string[] = []
  let [fields, pairs, spreads] = [0, 0, 0]
  let error: FormattedError | undefined
  const found = (message: string, node: ASTNode): number => {
    error ??= { message, locations: [locationOf(node)] }
    return 0
  }

  /** @param above levels above this set; their limit also bounds the recursion */
  function measure({ selections }: SelectionSetNode, above: number, place: SameFields['below'] = new Map()) {
    let levels = 1
    for (const selection of selections) {
      if (error) return 0
      if (above >= maxDepth) return found(tooDeep(maxDepth), selection)
      for (const directive of selection.directives ?? []) checkCondition(directive)
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        levels = Math.max(levels, spread(selection.name.value, selection, above, place) + 1)
        continue
      }
      let below = place
      if (selection.kind === Kind.FIELD) {
        const same = getOrMake(place, responseKey(selection), (): SameFields => ({
          count: 0,
          below: new Map(),
        }))
        fields++
        pairs += same.count++
        below = same.below
      }
      if (selection.selectionSet)
        levels = Math.max(levels, measure(selection.selectionSet, above + 1, below) + 1)
    }
    return levels
  }

  function spread(
    name: string,
    node: FragmentSpreadNode | FragmentDefinitionNode,
    above: number,
    place?: SameFields['below'],
  ): number {
    spreads++
    const fragment = fragments.get(name)
    if (!fragment) return found(`Unknown fragment "${name}".`, node.name)
    const start = open.indexOf(name)
    if (start !== -1) {
      const via = open.slice(start + 1).map((other) => `"${other}"`)
      const through = via.length > 0 ? ` via ${via.join(', ')}` : ''
      return found(`Cannot spread fragment "${name}" within itself${through}.`, node)
    }
    let levels = levelsOf.get(name)
    if (levels !== undefined) return above + levels < maxDepth ? levels : found(tooDeep(maxDepth), node)
    open.push(name)
    levels = measure(fragment.selectionSet, above + 1, place)
    open.pop()
    levelsOf.set(name, levels)
    return levels
  }

  function checkCondition(directive: DirectiveNode): void {
    const name = directive.name.value
    if (name !== 'skip' && name !== 'include') return
    const value = directiveCondition(directive)
    if (!value) {
      found(
        `Directive "@${name}" argument "if" of type "Boolean!" is required, but it was not provided.`,
        directive,
      )
    } else if (value.kind !== Kind.BOOLEAN && value.kind !== Kind.VARIABLE) {
      found(`Directive "@${name}" argument "if" must be a Boolean or a variable.`, value)
    }
  }

  for (const operation of operations) measure(operation.selectionSet, 0)
  // A fragment that no operation spreads can be circular, too.
  for (const [name, fragment] of fragments) if (!levelsOf.has(name) && !error) spread(name, fragment, 0)
  if (error) return error
  const units = (comparisons: number, perUnit: number) => Math.min(comparisons, maxComparisons) / perUnit
  return Math.ceil(units(spreads * (fields + spreads), spreadsPerUnit) + units(pairs, pairsPerUnit))
}
