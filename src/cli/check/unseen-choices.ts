import {
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql/index.js'
import {
  fieldsByKey,
  subselections,
  type Fragments,
  type SelectionSets,
} from '../../core/graphql/selections.ts'
import { isEnum, type Difference } from '../../core/shape/compare-shapes.ts'
import { getOrMake } from '../../core/values/collections.ts'
import { isRecord, type KeyPath } from '../../core/values/values.ts'
import { mayBeOf } from './check-result.ts'

interface Choice {
  path: KeyPath
  kind: 'word' | 'member'
  /** Everything that the schema allows. */
  known: readonly string[]
  /** How often fixtures have each. */
  seen: Record<string, number>
}

/**
 * Words of enums and members of unions that a schema allows, and that no result of an operation has, where the results choose
 * from several.
 *
 * @param selected selections of the operation; without them, keys are names of fields
 */
export function unseenChoices(
  results: readonly unknown[],
  root: GraphQLOutputType,
  schema: GraphQLSchema,
  selected?: { sets: SelectionSets; fragments: Fragments },
): Difference[] {
  const choices = new Map<string, Choice>()
  for (const result of results) look(result, root, selected?.sets, ['data'])
  return [...choices.values()].flatMap(({ path, kind, known, seen }) => {
    const words = known.filter((word) => !Object.hasOwn(seen, word))
    const isChosen = kind === 'word' ? isEnum(seen) : Object.keys(seen).length > 1
    return isChosen && words.length > 0 ? [{ path, kind, words }] : []
  })

  function note(path: KeyPath, kind: Choice['kind'], known: () => readonly string[], word: string): void {
    const { seen } = getOrMake(choices, JSON.stringify(path), (): Choice => ({
      path,
      kind,
      known: known(),
      seen: {},
    }))
    seen[word] = (seen[word] ?? 0) + 1
  }

  function look(
    value: unknown,
    given: GraphQLOutputType,
    sets: SelectionSets | undefined,
    path: KeyPath,
  ): void {
    const type = isNonNullType(given) ? given.ofType : given
    if (isListType(type)) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [])
        look(item, type.ofType, sets, [...path, 0])
      return
    }
    if (isEnumType(type) && typeof value === 'string')
      note(path, 'word', () => type.getValues().map(({ name }) => name), value)
    if (isLeafType(type) || !isRecord(value)) return
    const name = value['__typename']
    const own = isAbstractType(type) ? schema.getPossibleTypes(type).find((one) => one.name === name) : type
    if (!own) return
    if (isAbstractType(type))
      note(
        [...path, '__typename'],
        'member',
        () => schema.getPossibleTypes(type).map((one) => one.name),
        own.name,
      )
    const context = { variables: undefined, mayBe: mayBeOf(schema, own) }
    const nodes = sets && fieldsByKey(sets, { ...context, fragments: selected!.fragments })
    for (const [key, inner] of Object.entries(value)) {
      const fields = nodes?.get(key)
      const field = own.getFields()[fields?.[0]?.name.value ?? key]
      if (field) look(inner, field.type, fields && subselections(fields), [...path, key])
    }
  }
}
