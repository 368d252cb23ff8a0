import { readFile } from 'node:fs/promises'
import type { DocumentNode, FragmentDefinitionNode, GraphQLError, OperationDefinitionNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { parse } from 'graphql/language/parser.js'
import { Source } from 'graphql/language/source.js'
import type { SourceLocation } from '../../core/diagnostics/diagnostic.ts'
import { everySelection } from '../../core/graphql/selections.ts'
import { displayPath, sortPaths } from '../../files/paths.ts'
import { searchFiles } from '../../loader/find/search-files.ts'
import { extractDocuments, type DocumentText } from './extract.ts'

export interface DocumentOperation {
  node: OperationDefinitionNode
  name: string | undefined
  /** The operation with all fragments that it needs and that exist. */
  document: DocumentNode
  place: SourceLocation
}

export interface ReadDocuments {
  operations: DocumentOperation[]
  unreadable: { place: SourceLocation; reason: string }[]
  fileCount: number
}

interface Definitions {
  operations: OperationDefinitionNode[]
  fragments: FragmentDefinitionNode[]
}

/**
 * A fragment of the same file is preferred to one of another file; most projects have unique names.
 *
 * @param patterns globs relative to the root: `src/**\/*.{ts,graphql}`
 */
export async function readDocuments(root: string, patterns: readonly string[]): Promise<ReadDocuments> {
  const unreadable: ReadDocuments['unreadable'] = []
  const files: Definitions[] = []
  for (const absolute of sortPaths(searchFiles(root, patterns))) {
    const file = displayPath(root, absolute)
    const text = await readFile(absolute, 'utf8')
    const documents = extractDocuments(text, file)
    if (!documents) unreadable.push({ place: { file }, reason: 'it has a syntax error' })
    const definitions: Definitions = { operations: [], fragments: [] }
    for (const document of documents ?? []) addDefinitions(document, file, definitions, unreadable)
    files.push(definitions)
  }
  const shared = new Map(files.flatMap(({ fragments }) => fragments).map((one) => [one.name.value, one]))
  const operations = files.flatMap(({ operations, fragments }) => {
    const own = new Map(fragments.map((one) => [one.name.value, one]))
    return operations.map((node) => toOperation(node, (name) => own.get(name) ?? shared.get(name)))
  })
  return { operations, unreadable, fileCount: files.length }
}

function addDefinitions(
  { text, line, column }: DocumentText,
  file: string,
  found: Definitions,
  unreadable: ReadDocuments['unreadable'],
): void {
  if (/^(?:[\s,\uFEFF]|#.*)*$/.test(text)) return
  const source = new Source(text, file, { line, column })
  try {
    for (const node of parse(source).definitions) {
      if (node.kind === Kind.OPERATION_DEFINITION) found.operations.push(node)
      else if (node.kind === Kind.FRAGMENT_DEFINITION) found.fragments.push(node)
    }
  } catch (error) {
    const { message, locations } = error as GraphQLError
    unreadable.push({ place: placeIn(source, locations?.[0]), reason: message })
  }
}

function toOperation(
  node: OperationDefinitionNode,
  find: (name: string) => FragmentDefinitionNode | undefined,
): DocumentOperation {
  const names = new Set(
    everySelection(node.selectionSet, { get: find }).flatMap((selection) =>
      selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : [],
    ),
  )
  const fragments = [...names].flatMap((name) => find(name) ?? [])
  return {
    node,
    name: node.name?.value,
    document: { kind: Kind.DOCUMENT, definitions: [node, ...fragments] },
    place: placeOf(node),
  }
}

export function placeOf({ loc }: Pick<OperationDefinitionNode, 'loc'>): SourceLocation {
  return placeIn(loc!.source, loc!.startToken)
}

function placeIn({ name, locationOffset }: Source, { line, column } = { line: 1, column: 1 }) {
  return {
    file: name,
    line: line + locationOffset.line - 1,
    column: line === 1 ? column + locationOffset.column - 1 : column,
  }
}
