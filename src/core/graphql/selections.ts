import { addTo } from '../values/collections.ts'
import type {
  DirectiveNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'

/** Walks through selections, recursively: the document reader limits their nesting, with fragments expanded. */

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map((node) => [node.name.value, node]))
}

export type SelectionSets = readonly SelectionSetNode[]

export type Variables = Readonly<Record<string, unknown>> | undefined

export interface SelectionContext {
  fragments: Fragments
  variables: Variables
  /** Whether the object may be of a fragment's type. Default: any type. */
  mayBe?: ((typeName: string) => boolean) | undefined
  /** Whether to leave out conditional and deferred selections. */
  onlySure?: boolean
  /** Whether to leave out a fragment that applies. */
  isPutOff?: (selection: SelectionNode, fragment: { selectionSet: SelectionSetNode }) => boolean
}

/**
 * @param visit gets the type of the innermost fragment as `condition`
 * @returns how many selections were looked at
 * @see https://spec.graphql.org/October2021/#CollectFields()
 */
export function forEachField(
  sets: SelectionSets,
  { fragments, variables, mayBe, onlySure, isPutOff }: SelectionContext,
  visit: (field: FieldNode, condition: string | undefined) => void,
): number {
  let lookedAt = 0
  const spread = new Set<string>()
  const enter = ({ selections }: SelectionSetNode, outer: string | undefined) => {
    for (const selection of selections) {
      lookedAt++
      if (onlySure ? isConditional(selection) : !isIncluded(selection, variables)) continue
      if (selection.kind === Kind.FIELD) {
        visit(selection, outer)
        continue
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD
      if (isSpread && spread.has(selection.name.value)) continue
      const fragment = fragmentOf(selection, fragments)
      const condition = fragment?.typeCondition?.name.value
      const applies = fragment && (condition === undefined || mayBe?.(condition) !== false)
      if (!applies || isPutOff?.(selection, fragment)) continue
      if (isSpread) spread.add(selection.name.value)
      enter(fragment.selectionSet, condition ?? outer)
    }
  }
  for (const set of sets) enter(set, undefined)
  return lookedAt
}

export function fieldsByKey(sets: SelectionSets, context: SelectionContext): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  forEachField(sets, context, (field) => {
    addTo(fields, responseKey(field), field)
  })
  return fields
}

/** Each fragment is visited once, in the order of execution. */
export function everySelection(set: SelectionSetNode, fragments: Pick<Fragments, 'get'>): SelectionNode[] {
  const found: SelectionNode[] = []
  const spread = new Set<string>()
  const enter = (inner: SelectionSetNode | undefined) => {
    for (const selection of inner?.selections ?? []) {
      found.push(selection)
      if (selection.kind !== Kind.FRAGMENT_SPREAD) enter(selection.selectionSet)
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value)
        enter(fragments.get(selection.name.value)?.selectionSet)
      }
    }
  }
  enter(set)
  return found
}

export function fragmentOf(selection: Exclude<SelectionNode, FieldNode>, fragments: Fragments) {
  return selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
}

export function responseKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}

export function subselections(fields: readonly FieldNode[]): SelectionSetNode[] {
  return fields.flatMap(({ selectionSet }) => selectionSet ?? [])
}

/** The value in `@skip(if: true)`. */
export function directiveCondition({ arguments: args }: DirectiveNode): ValueNode | undefined {
  return args?.find(({ name }) => name.value === 'if')?.value
}

function isIncluded({ directives }: SelectionNode, variables: Variables): boolean {
  if (!directives?.length) return true
  return directives.every((directive) => {
    const name = directive.name.value
    if (name !== 'skip' && name !== 'include') return true
    const value = directiveCondition(directive)
    return (value && valueFromASTUntyped(value, variables)) !== (name === 'skip')
  })
}

const conditions = new Set(['skip', 'include', 'defer', 'stream'])

function isConditional({ directives = [] }: SelectionNode): boolean {
  return directives.some(({ name }) => conditions.has(name.value))
}

/** The schema alone answers `__typename`, `__schema` and `__type`. */
export function isMetaOnly({ fragments }: { fragments: Fragments }, operation: OperationDefinitionNode) {
  // Without the variables, a field under `@skip(if: $variable)` counts as selected.
  const fields = fieldsByKey([operation.selectionSet], { fragments, variables: undefined })
  return [...fields.values()].flat().every(({ name }) => name.value.startsWith('__'))
}

export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )
}

export function argumentsOf({ arguments: args = [] }: FieldNode | DirectiveNode, variables: Variables) {
  return Object.fromEntries(
    args.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
  )
}
