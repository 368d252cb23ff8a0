import type {
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'
import type { ParsedDocument } from './document.ts'
import type { GraphQLParams } from './params.ts'
import { pushSelections } from './push-selections.ts'

/**
 * The arguments of the field that a path leads to, by response keys or by field names, with variables in their places.
 * Where the operation does not select the path, or there is no document, the variables themselves, by name.
 */
export function fieldArguments(params: GraphQLParams, path: readonly string[]): Record<string, unknown> {
  const { operation, allVariables } = params
  if (!operation) return { ...params.variables }
  const [field] = [...fieldsAt(params, operation, path), ...fieldsAt(params, operation, path, nameOf)]
  if (!field) return { ...params.variables }
  return Object.fromEntries(
    (field.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, allVariables)]),
  )
}

/** The fields that a path of response keys leads to. Several, where an operation selects the same key repeatedly. */
export function fieldsAt(
  params: GraphQLParams,
  operation: OperationDefinitionNode,
  path: readonly unknown[],
  keyOf = responseKeyOf,
): FieldNode[] {
  const { fragments } = params.document!
  let sets: SelectionSetNode[] = [operation.selectionSet]
  let fields: FieldNode[] = []
  for (const key of path) {
    if (typeof key !== 'string') continue // an index into a list: the field stays the same
    fields = collectFields(sets, (field) => keyOf(field) === key, fragments, params.allVariables)
    sets = fields.flatMap((field) => field.selectionSet ?? [])
  }
  return fields
}

const responseKeyOf = ({ alias, name }: FieldNode) => (alias ?? name).value
const nameOf = ({ name }: FieldNode) => name.value

/** All fields that are wanted, in document order, through inline fragments and spreads. */
function collectFields(
  sets: readonly SelectionSetNode[],
  isWanted: (field: FieldNode) => boolean,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: GraphQLParams['variables'],
): FieldNode[] {
  const fields: FieldNode[] = []
  const visited = new Set<string>()
  // A stack of our own: fragments can be chained deeper than the engine's stack is.
  const pending: SelectionNode[] = []
  for (const { selections } of sets.toReversed()) pushSelections(pending, selections)
  for (let selection = pending.pop(); selection; selection = pending.pop()) {
    if (!isIncluded(selection, variables)) continue
    if (selection.kind === Kind.FIELD) {
      if (isWanted(selection)) fields.push(selection)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      pushSelections(pending, selection.selectionSet.selections)
    } else if (!visited.has(selection.name.value)) {
      visited.add(selection.name.value)
      pushSelections(pending, fragments.get(selection.name.value)?.selectionSet.selections)
    }
  }
  return fields
}

export function isIncluded(selection: SelectionNode, variables: GraphQLParams['variables']): boolean {
  return (selection.directives ?? []).every(({ name, arguments: args }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true
    const value = args?.find((argument) => argument.name.value === 'if')?.value
    const condition =
      value?.kind === Kind.BOOLEAN
        ? value.value
        : value?.kind === Kind.VARIABLE
          ? variables?.[value.name.value]
          : undefined
    return name.value === 'skip' ? condition !== true : condition !== false
  })
}

const metaOnly = new WeakMap<OperationDefinitionNode, boolean>()

/** Whether an operation asks for nothing but `__typename`, `__schema` and `__type`, which a schema answers by itself. */
export function isMetaOnly({ fragments }: ParsedDocument, operation: OperationDefinitionNode): boolean {
  let known = metaOnly.get(operation)
  if (known === undefined) {
    known = rootFields(operation, fragments).every(({ name }) => name.value.startsWith('__'))
    metaOnly.set(operation, known)
  }
  return known
}

function rootFields(
  { selectionSet }: OperationDefinitionNode,
  fragments: ParsedDocument['fragments'],
): FieldNode[] {
  const fields: FieldNode[] = []
  const seen = new Set<string>()
  const pending = [...selectionSet.selections]
  for (let selection = pending.pop(); selection; selection = pending.pop()) {
    if (selection.kind === Kind.FIELD) fields.push(selection)
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      pushSelections(pending, selection.selectionSet.selections)
    else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value)
      pushSelections(pending, fragments.get(selection.name.value)?.selectionSet.selections)
    }
  }
  return fields
}
