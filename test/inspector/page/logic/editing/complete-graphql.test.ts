import { expect, it } from 'vitest'
import {
  completeGraphql,
  readTypes,
} from '../../../../../src/inspector/page/logic/editing/complete-graphql.ts'

const types = readTypes(`
schema { query: Root mutation: Mutation }
type Root { hero(id: ID!, first: Int): Character "All of them" heroes: [Character!]! }
type Mutation { rename(id: ID!): Hero }
interface Character { id: ID! name: String }
type Hero implements Character { id: ID! name: String friends: [Hero] }
`)

it.each<[text: string, expected: string[] | undefined]>([
  ['{ |', ['hero', 'heroes']],
  ['query Hero { he|', ['hero', 'heroes']],
  ['{ heroes { n|', ['name']],
  ['{ heroes { id } |', ['hero', 'heroes']],
  ['query A($id: ID = "{") { mine: hero(id: $id, filter: { a: 1 }) @include(if: $x) { |', ['id', 'name']],
  ['{ hero(|', ['id', 'first']],
  ['{ hero(id: |', undefined],
  ['{ hero(id: 1, f|', ['first']],
  ['{ hero { ... on Hero { fr|', ['friends']],
  ['fragment F on Hero { friends { f|', ['friends']],
  ['mutation { rename { # { \n f|', ['friends']],
  ['query A { hero { id } } mutation B { r|', ['rename']],
  ['query Q|', undefined],
  ['{ unknown { |', undefined],
  ['{ } } } |', undefined],
])('completes %j', (text, expected) => {
  const found = completeGraphql(text.replace('|', ''), text.indexOf('|'), types)
  expect(found?.list.map(({ label }) => label)).toEqual(expected)
})

it('says the type, and writes the colon of an argument', () => {
  expect(completeGraphql('{ heroe', 7, types)).toEqual({
    from: 2,
    list: [{ label: 'heroes', text: 'heroes', help: '[Character!]!. All of them' }],
  })
  expect(completeGraphql('{ hero(i', 8, types)?.list).toEqual([{ label: 'id', text: 'id: ', help: 'ID!' }])
})
