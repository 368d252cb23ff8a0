import type { DirectiveNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { getOrMake } from '../values/collections.ts'
import type { ParsedDocument } from './document.ts'
import { fragmentOf } from './selections.ts'

/** Fragments and long names can make the text much longer than the document. No selector is that long. */
export const maxTextLength = 200_000

/**
 * Equal for all equivalent documents; `undefined` if it would be too long. `__typename` is left out, since clients add
 * it automatically.
 *
 * @param hasTypes whether the fields of a fragment on a type are apart from those around it
 */
export function documentText(
  { fragments }: Pick<ParsedDocument, 'fragments'>,
  operation: OperationDefinitionNode,
  hasTypes = true,
): string | undefined {
  let length = 0

  /** Fields that are selected twice are merged. */
  function setText(sets: ReadonlySet<SelectionSetNode>): string {
    if (length > maxTextLength) return ''
    const below = new Map<string, Set<SelectionSetNode>>()
    // A fragment that is spread on each level is read once per set.
    const add = (head: string, set: SelectionSetNode | undefined) => {
      const merged = getOrMake(below, head, () => new Set())
      if (set) merged.add(set)
    }
    const enter = ({ selections }: SelectionSetNode) => {
      for (const selection of selections) {
        const directives = directivesText(selection.directives)
        if (selection.kind === Kind.FIELD) {
          const { alias, name, selectionSet } = selection
          if (name.value === '__typename' && !alias) continue
          const prefix = alias && alias.value !== name.value ? `${alias.value}:` : ''
          add(`${prefix}${name.value}${argumentsText(selection.arguments)}${directives}`, selectionSet)
          continue
        }
        const fragment = fragmentOf(selection, fragments)!
        const condition = hasTypes ? fragment.typeCondition?.name.value : undefined
        if (condition === undefined && directives === '') enter(fragment.selectionSet)
        else add(`...${condition ?? ''}${directives}`, fragment.selectionSet)
      }
    }
    sets.forEach(enter)
    const lines = [...below].map(([head, inner]) => head + (inner.size > 0 ? setText(inner) : ''))
    const text = `{${lines.sort().join(' ')}}`
    length += text.length
    return text
  }

  const text = `${operation.operation}${defaultsText(operation)}${directivesText(operation.directives)}${setText(new Set([operation.selectionSet]))}`
  return length > maxTextLength ? undefined : text
}

/** Default values distinguish documents; the types of variables do not. */
function defaultsText({ variableDefinitions = [] }: OperationDefinitionNode): string {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? `$${variable.name.value}=${valueText(defaultValue)}` : [],
  )
  return defaults.length > 0 ? `(${defaults.sort().join(',')})` : ''
}

function directivesText(directives: readonly DirectiveNode[] = []): string {
  return directives.map(({ name, arguments: args }) => `@${name.value}${argumentsText(args)}`).join('')
}

function argumentsText(args: readonly { name: { value: string }; value: ValueNode }[] = []): string {
  if (args.length === 0) return ''
  return `(${args
    .map(({ name, value }) => `${name.value}:${valueText(value)}`)
    .sort()
    .join(',')})`
}

function valueText(value: ValueNode): string {
  switch (value.kind) {
    case Kind.LIST:
      return `[${value.values.map(valueText).join(',')}]`
    case Kind.OBJECT:
      return `{${value.fields
        .map((field) => `${field.name.value}:${valueText(field.value)}`)
        .sort()
        .join(',')}}`
    case Kind.STRING:
      return JSON.stringify(value.value) // block strings are equal to plain ones with the same value
    case Kind.NULL:
      return 'null'
    case Kind.VARIABLE:
      return `$${value.name.value}`
    default:
      return String(value.value)
  }
}
