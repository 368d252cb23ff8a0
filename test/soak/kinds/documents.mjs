/* Documents that were never sent before, and what they must be answered. */
import { library } from '../project.mjs'

const leaf = undefined
const fields = {
  Library: { name: leaf, city: leaf, __typename: leaf, owner: 'Person', books: 'Book' },
  Book: { id: leaf, title: leaf, pages: leaf, __typename: leaf, author: 'Person' },
  Person: { name: leaf, born: leaf, __typename: leaf },
}

/** An operation that selects some of the library, in one of millions of spellings, with the data that it gets. */
export function libraryOperation(random) {
  const used = new Set()
  const { text, take } = selectionOf('Library', random, used)
  const name = `Q${random.below(1e9)}`
  const declared = [...used].map((variable) => `$${variable}: Boolean!`).join(', ')
  const fragment = text.includes('...P') ? '\nfragment P on Person { born name }' : ''
  return {
    query: `query ${name}${declared && `(${declared})`} { library ${text} }${fragment}`,
    operationName: random.chance(0.5) ? name : undefined,
    variables: Object.fromEntries([...used].map((variable) => [variable, variable === 'yes'])),
    data: { library: take(library) },
  }
}

function selectionOf(type, random, used) {
  const names = Object.keys(fields[type]).filter(() => random.chance(0.6))
  if (names.length === 0) names.push('name' in fields[type] ? 'name' : 'title')
  const selected = names.map((name) => fieldOf(type, name, random, used))
  if (type === 'Person' && random.chance(0.2)) selected.push(personFragment)
  const gap = random.pick([' ', '\n', ', ', ' # a comment\n'])
  return {
    text: `{ ${selected.map(({ text }) => text).join(gap)} }`,
    take(object) {
      if (Array.isArray(object)) return object.map((item) => this.take(item))
      const taken = {}
      for (const { add } of selected) add(taken, object)
      return taken
    },
  }
}

const personFragment = {
  text: '...P',
  add: (taken, { born, name }) => {
    taken.born ??= born
    taken.name ??= name
  },
}

function fieldOf(type, name, random, used) {
  const below = fields[type][name] && selectionOf(fields[type][name], random, used)
  const key = random.chance(0.5) ? `${name}_${random.below(1e6)}` : name
  const own = `${key === name ? '' : `${key}: `}${name}${below ? ` ${below.text}` : ''}`
  const add = (taken, object) => {
    taken[key] = below ? below.take(object[name]) : object[name]
  }
  switch (random.below(8)) {
    case 0:
      return { text: `... on ${type} { ${own} }`, add }
    case 1:
      used.add('yes')
      return { text: `... @include(if: $yes) { ${own} }`, add }
    case 2:
      used.add('no')
      return { text: `... @include(if: $no) { ${own} }`, add: () => {} }
    default:
      return { text: own, add }
  }
}

const friends = [
  { id: '1000', name: 'Luke Skywalker' },
  { id: '1002', name: 'Han Solo' },
  { id: '1003', name: 'Leia Organa' },
]
/** The starter template. */
export const hero = { data: { hero: { name: 'R2-D2', heroFriends: friends } } }

const message = 'Name for character with ID 1002 could not be fetched.'
const path = ['hero', 'heroFriends', 1, 'name']
const partialFriends = friends.map((friend) => (friend.id === '1002' ? { ...friend, name: null } : friend))
const partial = { hero: { name: 'R2-D2', heroFriends: partialFriends } }

export function failureAt(line, column) {
  return { errors: [{ message, locations: [{ line, column }], path }], data: partial }
}

/** The operation that fails, with its field somewhere else each time. */
export function failingOperation(random) {
  const gap = () => random.pick([' ', '\n', '\r\n', '\t', ',', ' # ü\n']).repeat(1 + random.below(3))
  const mark = '\0'
  const inside = random.chance(0.3)
  const friend = inside ? `...F${gap()}id` : `id${gap()}${mark}name`
  const fragment = inside ? `${gap()}fragment F on Character {${gap()}${mark}name }` : ''
  const marked = `${gap()}query FailingQuery {${gap()}hero {${gap()}heroFriends {${gap()}${friend} } } }${fragment}`
  const before = marked.slice(0, marked.indexOf(mark)).split(/\r\n|\n/)
  return {
    query: marked.replace(mark, ''),
    body: failureAt(before.length, before.at(-1).length + 1),
  }
}
