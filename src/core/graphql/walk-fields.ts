import type { FieldNode, FragmentDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { pushSelections } from './push-selections.ts'

type Variables = Readonly<Record<string, unknown>> | undefined

/** What decides which fields of a selection set are included. */
export interface SelectionContext {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** For `@skip` and `@include`. */
  variables: Variables
  /** Whether the object may be of the type that a fragment is on. Without it, fragments on any type are entered. */
  mayBe?: ((typeName: string) => boolean) | undefined
}

/**
 * The fields that selection sets select on one level, in the order of the document: `CollectFields` of the specification.
 *
 * @see https://spec.graphql.org/October2021/#CollectFields()
 */
export function fieldsOf(
  sets: readonly SelectionSetNode[],
  { fragments, variables, mayBe }: SelectionContext,
): FieldNode[] {
  const fields: FieldNode[] = []
  const visited = new Set<string>()
  // An explicit stack, since fragments can be nested deeper than the engine's stack.
  const pending: SelectionNode[] = []
  for (const { selections } of sets.toReversed()) pushSelections(pending, selections)
  for (let selection = pending.pop(); selection; selection = pending.pop()) {
    if (!isIncluded(selection, variables)) continue
    if (selection.kind === Kind.FIELD) {
      fields.push(selection)
      continue
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (visited.has(selection.name.value)) continue
      visited.add(selection.name.value)
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
    if (!fragment) continue
    const { typeCondition, selectionSet } = fragment
    if (typeCondition && mayBe?.(typeCondition.name.value) === false) continue
    pushSelections(pending, selectionSet.selections)
  }
  return fields
}

/** Whether a selection is included according to `@skip` and `@include`. */
export function isIncluded({ directives }: SelectionNode, variables: Variables): boolean {
  if (!directives?.length) return true
  return directives.every(({ name, arguments: args }) => {
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
