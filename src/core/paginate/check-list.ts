import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import type { FixtureRoute } from '../schema/schema.ts'
import { keyPath } from '../select/selector.ts'
import { envelopeKeys } from './envelope.ts'
import { styles, type PageStyle } from './page-styles.ts'

type PaginateDefinition = NonNullable<FixtureRoute['paginate']>

const notForGraphQL = { field: 'it is not for GraphQL', typeName: 'it is not for GraphQL' }
const byNumber = { ...notForGraphQL, cursor: 'its pages have numbers' }
const noPages = { firstPage: 'its pages have no numbers' }

/** Keys of `paginate` that a style does not use, and why. */
const unusedKeys: Record<PageStyle, Record<string, string>> = {
  page: byNumber,
  link: { ...byNumber, envelope: 'it sends the items alone' },
  offset: { ...notForGraphQL, ...noPages, cursor: 'it reads a number' },
  cursor: { ...notForGraphQL, ...noPages },
  relay: {
    ...noPages,
    parameters: 'it reads the arguments of the field',
    outOfRange: 'a connection without more edges is empty',
  },
}

export function checkList(
  list: PaginateDefinition,
  at: (path: readonly string[], target?: 'key' | 'value') => SourceLocation,
): Diagnostic[] {
  const { style = 'page', perPage = 20, maxPerPage } = list
  const diagnostics: Diagnostic[] = []
  const unused = unusedKeys[style]
  for (const [key, reason] of Object.entries(unused)) {
    if (list[key as keyof PaginateDefinition] === undefined) continue
    diagnostics.push(diagnoseFixture('paginate-key-unused', at([key], 'key'), { key, style, reason }))
  }
  if (maxPerPage !== undefined && maxPerPage < perPage) {
    diagnostics.push(
      diagnoseFixture('paginate-max-below-default', at(['maxPerPage']), { perPage, maxPerPage }),
    )
  }
  for (const key of ['parameters', 'envelope'] as const) {
    if (key in unused) continue
    const usual: readonly string[] = styles[style][key]
    const known = key === 'envelope' ? envelopeKeys(style) : usual
    const renamed: Record<string, string | false | undefined> = list[key] ?? {}
    for (const name of Object.keys(renamed)) {
      if (known.includes(name)) continue
      diagnostics.push(diagnoseFixture('fixture-unknown-key', at([key, name], 'key'), { key: name, known }))
    }
    // Of two envelope keys with one place only one would be sent, and two equal parameters can't differ.
    const owners: { standard: string; path: string[] }[] = []
    for (const standard of known) {
      const name = renamed[standard] ?? (usual.includes(standard) && standard)
      if (name === false) continue
      const path = key === 'envelope' ? keyPath('body', name) : [name]
      const other = owners.find((owner) => isWithin(path, owner.path) || isWithin(owner.path, path))?.standard
      owners.push({ standard, path })
      if (other === undefined) continue
      const place = at([key, Object.hasOwn(renamed, standard) ? standard : other])
      diagnostics.push(diagnoseFixture('paginate-name-taken', place, { name, keys: [other, standard] }))
    }
  }
  return diagnostics
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return outer.every((part, index) => part === path[index])
}
