/* What relay-compiler prints for the operations of graphql-caches.test.ts. (relay-client.test.ts runs the compiler itself.) */
import type { ConcreteRequest } from 'relay-runtime'

const scalar = (name: string) => ({
  alias: null,
  args: null,
  kind: 'ScalarField' as const,
  name,
  storageKey: null,
})
const params = (name: string, operationKind: 'query' | 'mutation', text: string): ConcreteRequest['params'] => ({
  cacheID: name,
  id: null,
  metadata: {},
  name,
  operationKind,
  text,
}) // prettier-ignore

const avatar = (alias: string, size: number) => ({
  alias,
  args: [{ kind: 'Literal' as const, name: 'size', value: size }],
  concreteType: 'Image',
  kind: 'LinkedField' as const,
  name: 'avatar',
  plural: false,
  selections: [scalar('url')],
  storageKey: `avatar(size:${size})`,
})
const people = {
  alias: 'people',
  args: [{ kind: 'Variable' as const, name: 'first', variableName: 'first' }],
  concreteType: 'Human',
  kind: 'LinkedField' as const,
  name: 'humans',
  plural: true,
  storageKey: null,
}
const first = [{ defaultValue: null, kind: 'LocalArgument' as const, name: 'first' }]

/** A list under an alias, its argument a variable, and a fragment with one field under two aliases. */
export const peopleQuery: ConcreteRequest = {
  fragment: {
    argumentDefinitions: first,
    kind: 'Fragment',
    metadata: null,
    name: 'PeopleQuery',
    selections: [
      {
        ...people,
        selections: [scalar('id'), { args: null, kind: 'FragmentSpread', name: 'PersonCard_human' }],
      },
    ],
    type: 'Query',
    abstractKey: null,
  },
  kind: 'Request',
  operation: {
    argumentDefinitions: first,
    kind: 'Operation',
    name: 'PeopleQuery',
    selections: [
      { ...people, selections: [scalar('id'), scalar('name'), avatar('small', 32), avatar('large', 256)] },
    ],
  },
  params: params(
    'PeopleQuery',
    'query',
    `query PeopleQuery(
  $first: Int!
) {
  people: humans(first: $first) {
    id
    ...PersonCard_human
  }
}

fragment PersonCard_human on Human {
  name
  small: avatar(size: 32) {
    url
  }
  large: avatar(size: 256) {
    url
  }
}
`,
  ),
}

const text = [{ defaultValue: null, kind: 'LocalArgument' as const, name: 'text' }]
const search = {
  alias: null,
  args: [{ kind: 'Variable' as const, name: 'text', variableName: 'text' }],
  concreteType: null,
  kind: 'LinkedField' as const,
  name: 'search',
  plural: true,
  storageKey: null,
}
const inline = (type: string, abstractKey: string | null, ...names: string[]) => ({
  kind: 'InlineFragment' as const,
  selections: names.map(scalar),
  type,
  abstractKey,
})
const found = [
  inline('Character', '__isCharacter', 'name', 'appearsIn'),
  inline('Droid', null, 'primaryFunction'),
  inline('Starship', null, 'length'),
]

/** A union, with fragments on its types and on interfaces. */
export const searchQuery: ConcreteRequest = {
  fragment: {
    argumentDefinitions: text,
    kind: 'Fragment',
    metadata: null,
    name: 'SearchQuery',
    selections: [{ ...search, selections: found }],
    type: 'Query',
    abstractKey: null,
  },
  kind: 'Request',
  operation: {
    argumentDefinitions: text,
    kind: 'Operation',
    name: 'SearchQuery',
    selections: [
      { ...search, selections: [scalar('__typename'), ...found, inline('Node', '__isNode', 'id')] },
    ],
  },
  params: params(
    'SearchQuery',
    'query',
    `query SearchQuery(
  $text: String!
) {
  search(text: $text) {
    __typename
    ... on Character {
      __isCharacter: __typename
      name
      appearsIn
    }
    ... on Droid {
      primaryFunction
    }
    ... on Starship {
      length
    }
    ... on Node {
      __isNode: __typename
      id
    }
  }
}
`,
  ),
}
