import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql'
import { fieldsByKey, fragmentsOf, subselections, type SelectionContext } from '../graphql/selections.ts'
import type { DocumentChecker } from '../graphql/result.ts'
import { setOwn } from '../values/values.ts'
import { hash32 } from '../values/hash.ts'
import { scalarValue } from './fill.ts'

type Values = Readonly<Record<string, unknown>> | undefined

/** Values for what an operation selects: by the types of the schema, else by the names of the fields. */
export function exampleData(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
  checker: DocumentChecker | undefined,
): unknown {
  const typed = checker?.hasSchema ? checker.execute(document, operation, variables, {}).result : undefined
  if (typed?.data) return typed.data
  const context = { fragments: fragmentsOf(document), variables }
  return objectOf(fieldsByKey([operation.selectionSet], context), operation.operation, context)
}

const ofList = /^(?:edges|nodes|items|results|list|rows|entries)$|[^s]s$|(?:List|Connections)$/
const ofObject = /(?:status|address|series|news|analysis|settings|details|stats|access|progress)$/i

function objectOf(
  fields: ReadonlyMap<string, readonly FieldNode[]>,
  path: string,
  context: SelectionContext,
): object {
  const object = {}
  for (const [key, nodes] of fields) {
    const name = nodes[0]!.name.value
    setOwn(object, key, valueOf(name, nodes, `${path}.${name}`, context))
  }
  return object
}

function valueOf(name: string, nodes: readonly FieldNode[], path: string, context: SelectionContext) {
  const sets = subselections(nodes)
  if (sets.length === 0) return leafOf(name, path)
  const fields = fieldsByKey(sets, context)
  const isConnection = fields.has('edges') || fields.has('nodes') || fields.has('pageInfo')
  const isList = ofList.test(name) && !ofObject.test(name) && !isConnection
  return isList
    ? [1, 2].map((number) => objectOf(fields, `${path}.${number}`, context))
    : objectOf(fields, path, context)
}

/** Scalars by field names, which say what a field probably is. */
const scalars: readonly [names: RegExp, scalar: string][] = [
  [/^id$|[a-z]I[dD]$/, 'ID'],
  [/^(?:is|has|can|should|was)[A-Z_]|^(?:enabled|active|visible|paid|done|completed|success|ok)$/, 'Boolean'],
  [/(?:count|quantity|number|size|length|age|year|index|position|page|rank|stock|version)$/i, 'Int'],
  [/^(?:total|first|last)$|^num[A-Z]/, 'Int'],
  [/(?:price|amount|cost|rate|ratio|percent|weight|height|width|latitude|longitude|score|total)$/i, 'Float'],
]

function leafOf(name: string, path: string): unknown {
  const seed = hash32(path)
  const typeName = capitalised(/([^.\d]+)(?:\.\d+)?\.[^.]+$/.exec(path)?.[1] ?? '')
  if (name === '__typename') return typeName
  const scalar = scalars.find(([names]) => names.test(name))?.[1] ?? 'String'
  return scalarValue(scalar, { typeName, fieldName: name }, seed)
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/([^s])s$/, '$1')
}
