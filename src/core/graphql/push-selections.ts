import type { SelectionNode } from 'graphql'

/** Pushes selections onto a stack, the first on top. Not by `push(...)`, whose number of arguments is limited. */
export function pushSelections(stack: SelectionNode[], selections: readonly SelectionNode[] = []): void {
  for (let index = selections.length - 1; index >= 0; index--) stack.push(selections[index]!)
}
