import type { SelectionNode } from 'graphql'

/** Puts selections on a stack, the first on top. One by one: a call has room for fewer arguments than a set has fields. */
export function pushSelections(stack: SelectionNode[], selections: readonly SelectionNode[] = []): void {
  for (let index = selections.length - 1; index >= 0; index--) stack.push(selections[index]!)
}
