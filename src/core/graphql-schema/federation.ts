import {
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  visit,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
} from 'graphql/index.js'

/** Directives of Apollo Federation: a subgraph uses them, no file defines them, and no client of a router sees them. */
const known =
  'link key requires provides external tag extends shareable inaccessible override composeDirective interfaceObject authenticated requiresScopes policy context fromContext cost listSize'.split(
    ' ',
  )

const mayBeSubgraph = new RegExp(`@(?:${known.join('|')})\\b`)

/**
 * A subgraph as a schema of its own: without the directives of Federation, and with the types that it only extends.
 *
 * @param texts of the document: a large one without these directives is not searched
 */
export function withoutFederation(document: DocumentNode, texts: readonly string[]): DocumentNode {
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
