import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { FixtureRoute } from '../schema/schema.ts'
import { styles, type PageStyle } from './page-styles.ts'

type PaginateDefinition = NonNullable<FixtureRoute['paginate']>

/** Keys of `paginate` that some styles do not use, and why. */
const unusedKeys: Partial<Record<PageStyle, Record<string, string>>> = {
  link: { envelope: 'it sends the items alone', field: 'it is not for GraphQL' },
  relay: {
    parameters: 'it reads the arguments of the field',
    outOfRange: 'a connection without more edges is empty',
  },
  page: { field: 'it is not for GraphQL' },
  offset: { field: 'it is not for GraphQL' },
  cursor: { field: 'it is not for GraphQL' },
}

/**
 * Reports keys of a valid `paginate` that have no effect or contradict each other.
 *
 * @param at returns the position of a key of `paginate`
 */
export function checkList(
  list: PaginateDefinition,
  at: (path: readonly string[], target?: 'key' | 'value') => SourceLocation,
): Diagnostic[] {
  const { style = 'page', perPage = 20, maxPerPage } = list
  const diagnostics: Diagnostic[] = []
  const unused = unusedKeys[style] ?? {}
  for (const [key, reason] of Object.entries(unused)) {
    if (list[key as keyof PaginateDefinition] === undefined) continue
    diagnostics.push(diagnoseFixture('paginate-key-unused', at([key], 'key'), { key, style, reason }))
  }
  if (maxPerPage !== undefined && maxPerPage < perPage) {
    diagnostics.push(
      diagnoseFixture('paginate-max-below-default', at(['maxPerPage']), { perPage, maxPerPage }),
    )
  }
  const envelope = styles[style].envelope({ start: 0, size: 1 }, 0).map(([key]) => key)
  const names = { parameters: styles[style].parameters, envelope }
  for (const [key, known] of Object.entries(names)) {
    if (key in unused) continue
    const renamed = list[key as 'parameters' | 'envelope'] ?? {}
    for (const name of Object.keys(renamed)) {
      if (known.includes(name)) continue
      diagnostics.push(diagnoseFixture('fixture-unknown-key', at([key, name], 'key'), { key: name, known }))
    }
    diagnostics.push(...findCollisions(key, renamed, known, at))
  }
  return diagnostics
}

/** Duplicate names: only one of two envelope keys would be sent, and two parameters would always be equal. */
function findCollisions(
  key: string,
  renamed: Readonly<Record<string, string | false | undefined>>,
  known: readonly string[],
  at: (path: readonly string[]) => SourceLocation,
): Diagnostic[] {
  const owners = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  for (const standard of known) {
    const name = renamed[standard] ?? standard
    if (name === false) continue
    const other = owners.get(name)
    owners.set(name, standard)
    if (other === undefined) continue
    const place = Object.hasOwn(renamed, standard) ? standard : other
    diagnostics.push(
      diagnoseFixture('paginate-name-taken', at([key, place]), { name, keys: [other, standard] }),
    )
  }
  return diagnostics
}
