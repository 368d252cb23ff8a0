import {
  buildASTSchema,
  isTypeSystemDefinitionNode,
  isTypeSystemExtensionNode,
  Kind,
  parse,
  Source,
  validateSchema,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  type ConstDirectiveNode,
} from 'graphql/index.js'
import { validateSDL } from 'graphql/validation/validate.js'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import { groupBy } from '../values/collections.ts'
import { words } from '../values/values.ts'
import { codeFrame, formatPlace } from '../diagnostics/format.ts'

export interface SchemaSource {
  file: string
  /** SDL; operations and fragments are ignored. */
  text: string
}

/** A schema can have thousands of errors; the first ones show the cause. */
const maxDiagnostics = 20

/** Each is listed beside the first. */
const maxPlaces = 3

/** Leaving out a definition can make another one wrong. */
const maxRepairs = 10

/**
 * Merges the sources: a file can extend the types of another. What is wrong is left out, and reported: of two fields with
 * the same name, the first is kept. There is no schema if a source is not SDL. Never throws.
 */
export function buildSchema(sources: readonly SchemaSource[]): {
  schema: GraphQLSchema | undefined
  diagnostics: Diagnostic[]
} {
  const report = (code: 'schema-invalid' | 'schema-flawed', errors: readonly Error[]) =>
    [...groupBy(errors, ({ message }) => message).values()]
      .slice(0, maxDiagnostics)
      .map((same) => toDiagnostic(code, same, sources))
  try {
    const syntaxErrors: Error[] = []
    const definitions = sources.flatMap((source) => parseSource(source, syntaxErrors))
    if (syntaxErrors.length > 0)
      return { schema: undefined, diagnostics: report('schema-invalid', syntaxErrors) }
    const texts = sources.map(({ text }) => text)
    let document = withoutFederation({ kind: Kind.DOCUMENT, definitions }, texts)
    let flaws: readonly Error[] = []
    for (let repairs = 0; repairs < maxRepairs; repairs++) {
      const errors = validateSDL(document)
      if (errors.length === 0) break
      if (repairs === 0) flaws = errors
      document = without(document, errors)
    }
    const schema = buildASTSchema(document, { assumeValidSDL: true })
    const invalid = validateSchema(schema)
    if (flaws.length === 0) flaws = invalid
    if (!schema.getQueryType()) return { schema: undefined, diagnostics: report('schema-invalid', flaws) }
    if (invalid.length === 0) return { schema, diagnostics: report('schema-flawed', flaws) }
    // Built again, since a schema that was found to be invalid runs nothing.
    const usable = buildASTSchema(document, { assumeValidSDL: true, assumeValid: true })
    return { schema: usable, diagnostics: report('schema-flawed', flaws) }
  } catch (error) {
    return { schema: undefined, diagnostics: report('schema-invalid', [error as Error]) }
  }
}

/** The document without the last node of each error; where that is needed, without the definition around it. */
function without(document: DocumentNode, errors: readonly GraphQLError[]): DocumentNode {
  const wrong = new Set<unknown>(errors.map(({ nodes }) => nodes?.at(-1)))
  return visit(document, {
    leave(node, key, parent) {
      if (!wrong.has(node)) return undefined
      if (typeof key === 'number') return null
      wrong.add(parent)
      return undefined
    },
  })
}

function parseSource({ file, text }: SchemaSource, errors: Error[]): DefinitionNode[] {
  // Editors can leave a file empty for a moment while they save it.
  if (/^(?:[\s,\uFEFF]|#.*)*$/.test(text)) return []
  try {
    const { definitions } = parse(new Source(text, file))
    return definitions.filter((node) => isTypeSystemDefinitionNode(node) || isTypeSystemExtensionNode(node))
  } catch (error) {
    errors.push(error as Error)
    return []
  }
}

function toDiagnostic(
  code: 'schema-invalid' | 'schema-flawed',
  same: readonly (Error | GraphQLError)[],
  sources: readonly SchemaSource[],
): Diagnostic {
  const [place = {}, ...others] = same.flatMap(placesOf)
  const more = others.length > maxPlaces ? `, and ${others.length - maxPlaces} more` : ''
  const listed = others.slice(0, maxPlaces).map(formatPlace).join(', ')
  const also = others.length > 0 ? ` (also at ${listed}${more})` : ''
  const diagnostic = diagnoseGraphQL(code, place, { reason: `${same[0]!.message}${also}` })
  const text = sources.find(({ file }) => file === diagnostic.file)?.text
  if (text === undefined || diagnostic.line === undefined) return diagnostic
  return { ...diagnostic, frame: codeFrame(text, diagnostic.line, diagnostic.column) }
}

function placesOf(error: Error | GraphQLError): { file: string; line: number; column: number }[] {
  if (!('locations' in error)) return []
  // A syntax error has no nodes, only a source.
  const files = error.nodes?.flatMap(({ loc }) => loc?.source.name ?? []) ?? []
  return (error.locations ?? []).map(({ line, column }, index) => ({
    file: files[index] ?? error.source!.name,
    line,
    column,
  }))
}

/** Directives of Apollo Federation: a subgraph uses them, no file defines them, and no client of a router sees them. */
const known = words(
  'link key requires provides external tag extends shareable inaccessible override composeDirective interfaceObject authenticated requiresScopes policy context fromContext cost listSize',
)

const mayBeSubgraph = new RegExp(`@(?:${known.join('|')})\\b`)

/**
 * A subgraph as a schema of its own: without the directives of Federation, and with the types that it only extends.
 *
 * @param texts of the document: a large one without these directives is not searched
 */
function withoutFederation(document: DocumentNode, texts: readonly string[]): DocumentNode {
  if (!texts.some((text) => mayBeSubgraph.test(text))) return document
  const names = new Set([...known, ...document.definitions.flatMap(linkedNames)])
  for (const node of document.definitions)
    if (node.kind === Kind.DIRECTIVE_DEFINITION) names.delete(node.name.value)
  let isSubgraph = false
  const plain = visit(document, {
    Directive({ name: { value } }) {
      if (!names.has(value) && !value.startsWith('federation__')) return undefined
      isSubgraph = true
      return null
    },
  })
  if (!isSubgraph) return document
  const types = new Set(plain.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value))
  const definitions = plain.definitions.flatMap((node): DefinitionNode[] => {
    if (node.kind === Kind.SCHEMA_EXTENSION && !node.directives?.length && !node.operationTypes?.length)
      return []
    if (!isTypeExtensionNode(node) || types.has(node.name.value)) return [node]
    types.add(node.name.value)
    return [{ ...node, kind: node.kind.replace('Extension', 'Definition') } as DefinitionNode]
  })
  return { ...plain, definitions }
}

/** `@link(import: ["@key", { name: "@tag", as: "@label" }])` */
function linkedNames(node: DefinitionNode): string[] {
  const directives =
    'directives' in node ? (node.directives as readonly ConstDirectiveNode[] | undefined) : []
  const links = (directives ?? []).filter(({ name }) => name.value === 'link')
  return links.flatMap(({ arguments: given = [] }) => {
    const imported = given.find(({ name }) => name.value === 'import')?.value
    return (imported?.kind === Kind.LIST ? imported.values : []).flatMap((one) => {
      const fields = one.kind === Kind.OBJECT ? one.fields : []
      const named = ['as', 'name'].map((key) => fields.find(({ name }) => name.value === key)?.value)
      const value = named.find((found) => found !== undefined) ?? one
      return value.kind === Kind.STRING ? value.value.replace(/^@/, '') : []
    })
  })
}
