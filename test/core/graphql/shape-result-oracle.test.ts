/* Shaping against graphql-js: over data that has every field and every `__typename`, they must not differ. */
import fc from 'fast-check'
import {
  buildSchema,
  execute,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  parse,
  specifiedRules,
  validate,
  type ExecutionResult,
} from 'graphql'
import { expect, it } from 'vitest'
import type { FormattedError } from '../../../src/core/graphql/formatted-error.ts'
import { createDocumentReader } from '../../../src/core/graphql/document.ts'
import { Budget } from '../../../src/core/graphql/budget.ts'
import { shapeResult } from '../../../src/core/graphql/shape-result.ts'
import { isThorough, sampling } from '../../sampling.ts'

const schema = buildSchema(`
  interface Being { name: String, friends: [Being], home: Place }
  type Human implements Being { name: String, friends: [Being], home: Place, height: Float, best: Being }
  type Droid implements Being { name: String, friends: [Being], home: Place, model: String }
  type Place { title: String, climate: JSON, residents: [[Being]] }
  union Found = Human | Droid | Place
  type Query { being: Being, beings: [Being], place: Place, search: [Found], all: [Found], count: Int }
  scalar JSON
`)
const read = createDocumentReader({ maxTokens: 100_000, maxDepth: 100 })
const rules = specifiedRules.filter(
  (rule) => rule !== NoUnusedFragmentsRule && rule !== NoUnusedVariablesRule,
)

/** What is asked for below each type: its fields, those of them that have a selection, and fragments that fit there. */
const types = {
  Query: {
    leaves: ['count', '__typename'],
    objects: { being: 'Being', beings: 'Being', place: 'Place', search: 'Found', all: 'Found' },
    fragments: ['Query'],
  },
  Being: {
    leaves: ['name', '__typename'],
    objects: { friends: 'Being', home: 'Place' },
    fragments: ['Being', 'Human', 'Droid'],
  },
  Human: {
    leaves: ['name', 'height', '__typename'],
    objects: { friends: 'Being', home: 'Place', best: 'Being' },
    fragments: ['Human', 'Being', 'Found'],
  },
  Droid: {
    leaves: ['name', 'model', '__typename'],
    objects: { friends: 'Being', home: 'Place' },
    fragments: ['Droid', 'Being', 'Found'],
  },
  Place: {
    leaves: ['title', 'climate', '__typename'],
    objects: { residents: 'Being' },
    fragments: ['Place', 'Found'],
  },
  Found: { leaves: ['__typename'], objects: {}, fragments: ['Found', 'Being', 'Human', 'Droid', 'Place'] },
}
type TypeName = keyof typeof types

type Pick = fc.GeneratorValue
const oneOf = <T>(pick: Pick, list: readonly T[]): T => list[pick(fc.nat, { max: list.length - 1 })]!
const chance = (pick: Pick, outOf: number) => pick(fc.nat, { max: outOf - 1 }) === 0

/** @param swapped aliases that are the names of other fields, too */
function documentBy(pick: Pick, swapped: readonly string[]): string {
  const fragments: { type: TypeName; name: string; text: string }[] = []
  const directive = () =>
    chance(pick, 6)
      ? ` @${oneOf(pick, ['skip', 'include'])}(if: ${oneOf(pick, ['true', 'false', '$t', '$f', '$d'])})`
      : ''

  function selectionSet(type: TypeName, depth: number, first = ''): string {
    const length = 1 + pick(fc.nat, { max: 3 })
    return `{ ${first}${Array.from({ length }, () => selection(type, depth)).join(' ')} }`
  }

  function selection(type: TypeName, depth: number): string {
    const { leaves, objects } = types[type]
    const names = [...leaves, ...(depth > 0 ? Object.keys(objects) : [])]
    if (depth === 0 || !chance(pick, 3)) {
      const name = oneOf(pick, names)
      const alias = oneOf(pick, ['', '', '', `a_${name}: `, `b_${name}: `, ...swapped])
      const below = (objects as Record<string, TypeName>)[name]
      return `${alias}${name}${directive()}${below ? ` ${selectionSet(below, depth - 1)}` : ''}`
    }
    if (chance(pick, 4)) return `...${directive()} ${selectionSet(type, depth - 1)}`
    const on = oneOf(pick, types[type].fragments) as TypeName
    const known = fragments.filter((fragment) => fragment.type === on)
    if (known.length > 0 && chance(pick, 3)) return `...${oneOf(pick, known).name}${directive()}`
    // Without a schema an interface is known by its fields, so there must be one.
    const text = `on ${on}${chance(pick, 2) ? directive() : ''} ${selectionSet(on, depth - 1, on === 'Being' ? 'name ' : '')}`
    if (chance(pick, 2)) return `... ${text}`
    const name = `F${fragments.length}`
    fragments.push({ type: on, name, text: text.replace(/ @\w+\(.*?\)/, '') })
    return `...${name}${directive()}`
  }

  const root = selectionSet('Query', 5)
  const definitions = fragments.map(({ name, text }) => `fragment ${name} ${text}`)
  return [`query ($t: Boolean!, $f: Boolean!, $d: Boolean! = true) ${root}`, ...definitions].join('\n')
}

function dataBy(pick: Pick): Record<string, unknown> {
  const maybe = <T>(make: () => T): T | null => (chance(pick, 5) ? null : make())
  const list = <T>(make: () => T) => Array.from({ length: pick(fc.nat, { max: 3 }) }, () => maybe(make))
  const text = () => pick(fc.string, { maxLength: 3 })
  const place = (depth: number): unknown => ({
    __typename: 'Place',
    title: maybe(text),
    climate: maybe(() => ({ dry: true, __typename: 'no type', zones: [1, null, { a: 1 }] })),
    residents: depth > 0 ? maybe(() => list(() => list(() => being(depth - 1)))) : null,
  })
  const being = (depth: number, type = oneOf(pick, ['Human', 'Droid'])): unknown => ({
    __typename: type,
    name: maybe(text),
    friends: depth > 0 ? maybe(() => list(() => being(depth - 1))) : [],
    home: depth > 0 ? maybe(() => place(depth - 1)) : null,
    ...(type === 'Droid'
      ? { model: maybe(text) }
      : { height: 1.5, best: depth > 0 ? being(depth - 1) : null }),
  })
  return {
    count: maybe(() => pick(fc.nat)),
    being: maybe(() => being(3)),
    beings: maybe(() => list(() => being(2))),
    place: maybe(() => place(3)),
    search: maybe(() => list(() => (chance(pick, 3) ? place(2) : being(2)))),
    // One of each type, so that it's known which names are those of interfaces.
    all: [being(1, 'Human'), being(1, 'Droid'), place(1)],
  }
}

/** A place in data: field names and list indices. */
function placeBy(pick: Pick, data: Record<string, unknown>): (string | number)[] {
  const path: (string | number)[] = [oneOf(pick, ['being', 'beings', 'place', 'search', 'count'])]
  for (let value = data[path[0]!]; typeof value === 'object' && value !== null && !chance(pick, 4);) {
    const keys = Object.keys(value).filter((key) => key !== '__typename')
    if (keys.length === 0 || path.at(-1) === 'climate') break
    const key = oneOf(pick, keys)
    path.push(Array.isArray(value) ? Number(key) : key)
    value = (value as Record<string, unknown>)[key]
  }
  return path
}

function withValue(data: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value
  const copy = (Array.isArray(data) ? [...(data as unknown[])] : { ...(data as object) }) as Record<
    string | number,
    unknown
  >
  copy[key] = withValue(copy[key], rest, value)
  return copy
}

const variables = { t: true, f: false }
const byPath = (a: FormattedError, b: FormattedError) =>
  JSON.stringify(a.path) < JSON.stringify(b.path) ? -1 : 1

it('data and errors are the same as those of graphql-js', () => {
  let compared = 0
  let located = 0
  fc.assert(
    fc.property(fc.gen(), (pick) => {
      // The path of an error may be written in response keys, too: then such aliases are ambiguous.
      const fails = chance(pick, 2)
      const query = documentBy(pick, fails ? [] : ['name: ', 'friends: '])
      const ast = parse(query)
      fc.pre(validate(schema, ast, rules).length === 0)
      const data = dataBy(pick)
      const path = fails ? placeBy(pick, data) : []
      const rootValue = fails ? withValue(data, path, new Error('failed')) : data
      const answer = execute({
        schema,
        document: ast,
        rootValue,
        variableValues: variables,
      }) as ExecutionResult

      const fixture = {
        data: (fails ? withValue(data, path, null) : data) as Record<string, unknown>,
        errors: fails ? [{ message: 'failed', path }] : [],
      }
      const document = read(query)
      const { result, missing } = shapeResult(
        fixture,
        document,
        document.operations[0]!,
        variables,
        new Budget(),
      )
      expect(JSON.stringify(result.data), query).toBe(JSON.stringify(answer.data))
      expect(missing, query).toEqual([])
      const unselected = fixture.errors.map((error) => ({ ...error, locations: [{ line: 1, column: 1 }] }))
      const errors: FormattedError[] = answer.errors?.map((error) => error.toJSON()) ?? unselected
      expect(result.errors!.toSorted(byPath), query).toEqual(errors.toSorted(byPath))
      compared += Object.keys(answer.data!).length
      located += answer.errors?.length ?? 0
    }),
    sampling(20),
  )
  expect(compared).toBeGreaterThan(0)
  if (isThorough) expect(located).toBeGreaterThan(0) // few samples may have no error with a place
})
