import { Kind, type SelectionSetNode } from 'graphql/index.js'
import { fragmentOf, type SelectionContext } from '../graphql/selections.ts'

/** The cost of collecting a selection set: its selections, with fragments expanded. */
interface SelectionSize {
  selections: number
  /** The number of `__typename` on its own level, which graphql-js resolves itself. */
  typenames: number
}

const sizes = new WeakMap<SelectionSetNode, SelectionSize>()

/** The size of one level, without the selections of its fields. */
export function sizeOf(set: SelectionSetNode, fragments: SelectionContext['fragments']): SelectionSize {
  const known = sizes.get(set)
  if (known) return known
  const size: SelectionSize = { selections: 0, typenames: 0 }
  sizes.set(set, size) // a fragment that contains itself ends here
  for (const selection of set.selections) {
    size.selections++
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value === '__typename') size.typenames++
      continue
    }
    const fragment = fragmentOf(selection, fragments)
    if (!fragment) continue
    const { selections, typenames } = sizeOf(fragment.selectionSet, fragments)
    size.selections += selections
    size.typenames += typenames
  }
  return size
}
