import assert from 'node:assert/strict'
import { post } from './requests.mjs'

/*
 * A GraphQL query, its fixture, and its expected answer: a list of ten objects, each with a nested one, a fragment, an
 * alias and a condition.
 */

export const typeDefs = `
  type Query { heroes(first: Int!, after: String): [Hero!]! }
  type Hero { id: ID! name: String! height: Int! mass: Float birthYear: String homeworld: Planet! films: [String!]! }
  type Planet { id: ID! name: String! climate: Climate! population: Int! }
  enum Climate { ARID TEMPERATE FROZEN }
`

export const query = `query Heroes($first: Int!, $after: String, $withMass: Boolean = true) {
  heroes(first: $first, after: $after) {
    ...Person
    mass @include(if: $withMass)
    homeworld { id name climate }
  }
}

fragment Person on Hero { id fullName: name height }
`

const climates = ['ARID', 'TEMPERATE', 'FROZEN']

/** More fields than the query selects, with the names of the schema. */
export const heroes = Array.from({ length: 10 }, (_, index) => ({
  __typename: 'Hero',
  id: `hero-${index}`,
  name: `Hero number ${index}`,
  height: 150 + index,
  mass: 50.5 + index,
  birthYear: `${index} BBY`,
  homeworld: {
    __typename: 'Planet',
    id: `planet-${index}`,
    name: `Planet number ${index}`,
    climate: climates[index % 3],
    population: index * 1_000_000,
  },
  films: ['A New Hope', 'The Empire Strikes Back', 'Return of the Jedi'],
}))

/** Without the fields that the schema fills in. */
export const partialHeroes = heroes.map(({ homeworld: { id, name }, mass: _, ...hero }) => ({
  ...hero,
  homeworld: { __typename: 'Planet', id, name },
}))

/** The part of the fixture that the query selects. */
export const answer = {
  heroes: heroes.map(({ id, name, height, mass, homeworld }) => ({
    id,
    fullName: name,
    height,
    mass,
    homeworld: { id: homeworld.id, name: homeworld.name, climate: homeworld.climate },
  })),
}

const failure = { message: 'The scales are broken.', path: ['heroes', 3, 'mass'] }

/** A failed field, and no `locations`. */
export const failedAnswer = {
  errors: [failure],
  data: { heroes: answer.heroes.map((hero, index) => (index === 3 ? { ...hero, mass: null } : hero)) },
}

/** @param {object} [variables] */
export function payload(variables) {
  return {
    operationName: 'Heroes',
    query,
    variables: { first: 10, after: '0', withMass: true, ...variables },
  }
}

const placeholder = '99999999'
const template = post('/graphql', payload({ after: placeholder }))
const place = template.indexOf(placeholder)
let last = 0

/** The same document with new variables each time, so that no cache by variables helps. */
function nextRequest() {
  const bytes = Buffer.from(template)
  bytes.latin1Write(String(++last).padStart(placeholder.length, '0'), place)
  return bytes
}

/** @type {{ name: string, bytes: Buffer | (() => Buffer) }[]} */
export const works = [
  { name: 'the same request', bytes: post('/graphql', payload()) },
  { name: 'other variables each time', bytes: nextRequest },
]

/** Checks the answer of each kind. @type {Record<string, (body: string) => void>} */
export const verify = {
  fixed: (body) => assert.deepEqual(JSON.parse(body), { data: answer }),
  located(body) {
    const before = query.slice(0, query.indexOf('mass @include')).split('\n')
    const locations = [{ line: before.length, column: before.at(-1).length + 1 }]
    assert.deepEqual(JSON.parse(body), { ...failedAnswer, errors: [{ ...failure, locations }] })
  },
  /** The fixture's values, and values of the right types for missing fields. */
  filled(body) {
    const { data, ...others } = JSON.parse(body)
    assert.deepEqual(others, {})
    const expected = data.heroes.map(({ mass, homeworld: { climate } }, index) => {
      assert.equal(typeof mass, 'number')
      assert(climates.includes(climate))
      const { homeworld, ...hero } = answer.heroes[index]
      return { ...hero, mass, homeworld: { ...homeworld, climate } }
    })
    assert.deepEqual(data, { heroes: expected })
    assert.equal(data.heroes.length, heroes.length)
  },
}
