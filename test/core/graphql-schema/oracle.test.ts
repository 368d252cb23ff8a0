import * as fc from 'fast-check'
import { buildSchema, executeSync, parse, validate } from 'graphql/index.js'
import { expect, it } from 'vitest'
import type { FormattedError } from '../../../src/core/graphql/formatted-error.ts'
import { checkerOf, run } from './check.ts'
import { isThorough, sampling } from '../../sampling.ts'

/** Numbers that follow from a seed: many thousand choices a run would be slow to have from fast-check itself. */
function chooser(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, any: <T>(...values: T[]): T => values[below(values.length)]! }
}

/** A schema in which any type may be non-null, data that fits it or has a `null` too many, and a query for all of it. */
const world = fc.integer({ min: 0 }).map((seed) => {
  const { any, below } = chooser(seed)
  const wrap = (type: string) => any(type, `${type}!`, `[${type}]`, `[${type}!]`, `[${type}]!`, `[${type}!]!`, `[[${type}!]]`)
  const leaf = () => any('Int', 'Int!', '[Int]', '[Int!]')
  const fields = ['a', 'b', 'c'].map((name) => ({ name, type: any(leaf, () => wrap('T'))() }))
  const sdl = `type Query { ${fields.map(({ name, type }) => `${name}: ${type}`).join(' ')} }
    type T { ${fields.map(({ name, type }) => `${name}: ${type}`).join(' ')} }`
  const aliases = any(true, false)
  const keyOf = (name: string) => (aliases ? `x_${name}` : name)

  const selectionOf = (type: string, depth: number): string => (type.includes('Int') ? '' : setOf(depth + 1))
  const setOf = (depth: number): string => {
    const chosen = fields.filter(({ type }) => depth < 3 || type.includes('Int'))
    const parts = chosen.flatMap(({ name, type }) => {
      const written = `${aliases ? `${keyOf(name)}: ` : ''}${name}${selectionOf(type, depth)}`
      return any([written], [written, written], [`... { ${written} }`], [`... on ${depth === 0 ? 'Query' : 'T'} @skip(if: false) { ${written} }`]) // merged
    })
    return ` { __typename ${parts.join(any(' ', '\n', '\r\n'))} } `
  }
  const query = `query Q ${setOf(0)}`

  const paths: (string | number)[][] = []
  const valueOf = (type: string, path: (string | number)[], depth: number): unknown => {
    paths.push(path)
    const isNull = below(10) === 0
    // Now and then where it must not be, too.
    if (isNull && (!type.endsWith('!') || any(true, false))) return null
    const inner = type.replace(/!$/, '')
    if (inner.startsWith('[')) {
      const length = below(3)
      return Array.from({ length }, (_, index) => valueOf(inner.slice(1, -1), [...path, index], depth))
    }
    return inner === 'Int' ? below(10) : objectOf(path, depth + 1)
  }
  const objectOf = (path: (string | number)[], depth: number) =>
    Object.fromEntries(
      fields
        .filter(({ type }) => depth < 3 || type.includes('Int'))
        .map(({ name, type }) => [name, valueOf(type, [...path, name], depth)]),
    )
  const data = objectOf([], 0)
  const failing = paths.filter(() => below(6) === 0)
  return { sdl, query, data, failing, keyOf }
}) // prettier-ignore

/** The data with errors in it, which graphql-js throws. Only those that can be put in: not those below another one. */
function withErrors(data: object, paths: readonly (string | number)[][]) {
  const broken = structuredClone(data) as Record<string | number, unknown>
  const errors: FormattedError[] = []
  for (const path of paths) {
    let container: Record<string | number, unknown> | null = broken
    for (const part of path.slice(0, -1)) {
      const next: unknown = container?.[part]
      container = next instanceof Error ? null : ((next as typeof container) ?? null)
    }
    if (!container) continue
    const message = `at ${path.join('.')}`
    container[path.at(-1)!] = Object.assign(new Error(message), { extensions: { code: errors.length } })
    errors.push({ message, path, extensions: { code: errors.length } })
  }
  return { broken, errors }
}

function renamed(value: unknown, keyOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, keyOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [keyOf(name), renamed(part, keyOf)]))
}

it('gives the same result as graphql-js with nulls and errors anywhere', () => {
  let failed = 0
  let nulled = 0
  fc.assert(
    fc.property(world, fc.boolean(), ({ sdl, query, data, failing, keyOf }, isRecorded) => {
      const schema = buildSchema(sdl)
      const document = parse(query)
      expect(validate(schema, document)).toEqual([])
      const { broken, errors } = withErrors(data, failing)
      const expected = executeSync({ schema, document, rootValue: broken })

      // As a response of a server's: in response keys.
      const inKeys = (path: FormattedError['path']) => path!.map((part) => (typeof part === 'string' ? keyOf(part) : part))
      const fixture = isRecorded
        ? { data: renamed(data, keyOf) as Record<string, unknown>, errors: errors.map((error) => ({ ...error, path: inKeys(error.path) })) }
        : { data, errors }
      const result = run(checkerOf(sdl), query, fixture)
      expect(result).toEqual(JSON.parse(JSON.stringify(expected)))
      if (expected.errors) failed++
      if (expected.data === null) nulled++
    }),
    sampling(15),
  ) // prettier-ignore
  // Thousands of samples contain what the property is about; a few may not.
  if (isThorough) expect(Math.min(failed, nulled)).toBeGreaterThan(0)
})

it('gives the same result as graphql-js with any __typename', () => {
  const sdl = `type Query { one: Node, must: Found!, many: [Found], all: [Node!] }
    interface Node { id: ID! } union Found = Hero | Ship
    type Hero implements Node { id: ID! name: String } type Ship implements Node { id: ID! } type Other { id: ID! }`
  const schema = buildSchema(sdl)
  const checker = checkerOf(sdl)
  const object = fc.record({
    __typename: fc.constantFrom(
      'Hero',
      'Ship',
      'Other',
      'Heroo',
      'Node',
      'Found',
      'Query',
      'ID',
      '',
      '__proto__',
    ),
    id: fc.constantFrom(1, 'a'),
    name: fc.constantFrom(null, 'b'),
  })
  const data = fc.record({ one: object, must: object, many: fc.array(object), all: fc.array(object) })
  const query =
    '{ one { __typename id } must { ...F } many { ...F } all { id } } fragment F on Found { __typename ... on Hero { id name } ... on Ship { id } }'
  fc.assert(
    fc.property(data, (rootValue) => {
      const expected = executeSync({ schema, document: parse(query), rootValue })
      expect(run(checker, query, { data: rootValue })).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
    sampling(15),
  )
})
