/* The normalised caches of Apollo Client and Relay on shaped answers: they warn of whatever does not fit a query. */
import { format } from 'node:util'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { loadDevMessages, loadErrorMessages } from '@apollo/client/dev'
import {
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type ConcreteRequest,
  type GraphQLResponse,
} from 'relay-runtime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunningHost } from './hosts.ts'
import { nodeHosts } from './node-hosts.ts'
import { peopleQuery, searchQuery } from './relay-artifacts.ts'
import { createTestProject } from './test-project.ts'

loadDevMessages()
loadErrorMessages()

const image = { __typename: 'Image', url: 'luke.png', width: 64 }
const luke = { __typename: 'Human', id: '1000', name: 'Luke', appearsIn: ['JEDI'], avatar: image }
const leia = { ...luke, id: '1001', name: 'Leia', avatar: null }
const everything = {
  data: {
    humans: [luke, leia],
    search: [
      { __typename: 'Droid', id: '2001', name: 'R2-D2', appearsIn: ['JEDI'], primaryFunction: 'Astromech' },
      { __typename: 'Starship', id: '3000', title: 'Falcon', length: 34.4 },
      { __typename: 'Human', id: '1000', name: 'Luke' },
    ],
  },
}
const renamed = {
  data: { rename: { __typename: 'RenamePayload', human: { ...luke, name: 'Luke Skywalker' } } },
}
const partial = {
  data: { humans: [{ ...luke, avatar: null }, null] },
  errors: [
    { message: 'no avatar', path: ['humans', 0, 'avatar'] },
    { message: 'no Leia', path: ['humans', 1] },
  ],
}
const post = { method: 'POST', path: '/graphql' }
const routes = [
  { ...post, name: 'fixed', when: { headers: { 'x-shape': 'off' } }, shape: false, response: { body: everything } },
  { ...post, name: 'renamed', when: { operationType: 'mutation' }, response: { body: renamed } },
  { ...post, name: 'partial', when: { variables: { first: 1 } }, response: { body: partial } },
  { ...post, name: 'everything', response: { body: everything } },
] // prettier-ignore

const project = createTestProject({ 'fixtures/graphql.json': JSON.stringify(routes) })
let running: RunningHost
let url: string
/** What the client has written to the console: nothing where all data fits its queries. */
let warnings: string[]

beforeAll(async () => {
  const host = nodeHosts.find(({ name }) => name === 'node:http')!
  running = await host.start(project, { options: { graphql: { shape: true } } })
  url = `${running.origin}/graphql`
})
afterAll(async () => {
  await running.close()
  project.close()
})
beforeEach(() => {
  warnings = []
  for (const method of ['warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void warnings.push(format(...args)))
})
afterEach(() => {
  vi.restoreAllMocks()
  expect(warnings).toEqual([])
})

describe('Apollo Client', () => {
  // With fragments on abstract types, Apollo needs these, whatever the server.
  const possibleTypes = { Character: ['Human', 'Droid'], Found: ['Human', 'Droid', 'Starship'] }

  function createClient(headers: Record<string, string> = {}) {
    return new ApolloClient({
      link: new HttpLink({ uri: url, headers }),
      cache: new InMemoryCache({ possibleTypes }),
    })
  }

  const people = gql(`
    query People($first: Int!) { people: humans(first: $first) { id ...Card } }
    fragment Card on Human { name small: avatar(size: 32) { url } large: avatar(size: 256) { url } }
  `)
  const lukeInCache = {
    __typename: 'Human',
    id: '1000',
    name: 'Luke',
    'avatar({"size":32})': { __typename: 'Image', url: 'luke.png' },
    'avatar({"size":256})': { __typename: 'Image', url: 'luke.png' },
  }
  const noAvatars = { 'avatar({"size":32})': null, 'avatar({"size":256})': null }
  const leiaInCache = { ...lukeInCache, id: '1001', name: 'Leia', ...noAvatars }

  it('keeps aliases, arguments and fragments', async () => {
    const client = createClient()
    const { data } = await client.query({ query: people, variables: { first: 2 } })
    expect(data).toEqual({
      people: [
        {
          __typename: 'Human',
          id: '1000',
          name: 'Luke',
          small: { __typename: 'Image', url: 'luke.png' },
          large: { __typename: 'Image', url: 'luke.png' },
        },
        { __typename: 'Human', id: '1001', name: 'Leia', small: null, large: null },
      ],
    })
    expect(client.cache.extract()).toEqual({
      ROOT_QUERY: {
        __typename: 'Query',
        'humans({"first":2})': [{ __ref: 'Human:1000' }, { __ref: 'Human:1001' }],
      },
      'Human:1000': lukeInCache,
      'Human:1001': leiaInCache,
    })
  })

  it('keeps fragments on types, on a union and on an interface', async () => {
    const client = createClient()
    const query = gql(`query Search {
      search(text: "r") { ... on Character { id name } ... on Droid { primaryFunction } ... on Starship { id length } }
    }`)
    await client.query({ query })
    expect(client.cache.extract()).toEqual({
      ROOT_QUERY: {
        __typename: 'Query',
        'search({"text":"r"})': [
          { __ref: 'Droid:2001' },
          { __ref: 'Starship:3000' },
          { __ref: 'Human:1000' },
        ],
      },
      'Droid:2001': { __typename: 'Droid', id: '2001', name: 'R2-D2', primaryFunction: 'Astromech' },
      'Starship:3000': { __typename: 'Starship', id: '3000', length: 34.4 },
      'Human:1000': { __typename: 'Human', id: '1000', name: 'Luke' },
    })
  })

  it('a mutation changes what is kept', async () => {
    const client = createClient()
    await client.query({ query: people, variables: { first: 2 } })
    const mutation = gql(
      'mutation Rename($name: String!) { rename(id: "1000", name: $name) { who: human { id name } } }',
    )
    const { data } = await client.mutate({ mutation, variables: { name: 'Luke Skywalker' } })
    expect(data).toEqual({
      rename: {
        __typename: 'RenamePayload',
        who: { __typename: 'Human', id: '1000', name: 'Luke Skywalker' },
      },
    })
    expect(client.cache.extract()).toMatchObject({
      'Human:1000': { ...lukeInCache, name: 'Luke Skywalker' },
      'Human:1001': leiaInCache,
    })
  })

  it('gets partial data with its errors', async () => {
    const client = createClient()
    const answer = await client.query({ query: people, variables: { first: 1 }, errorPolicy: 'all' })
    expect(answer.data).toEqual({
      people: [{ __typename: 'Human', id: '1000', name: 'Luke', small: null, large: null }, null],
    })
    expect(answer.error).toMatchObject({
      errors: [
        { message: 'no avatar', path: ['people', 0, 'small'], locations: [{ line: 11, column: 3 }] },
        { message: 'no avatar', path: ['people', 0, 'large'], locations: [{ line: 15, column: 3 }] },
        { message: 'no Leia', path: ['people', 1], locations: [{ line: 2, column: 3 }] },
      ],
    })
    expect(client.cache.extract()).toMatchObject({
      ROOT_QUERY: { 'humans({"first":1})': [{ __ref: 'Human:1000' }, null] },
      'Human:1000': { ...lukeInCache, ...noAvatars },
    })
  })

  it('warns where nothing is shaped', async () => {
    const client = createClient({ 'x-shape': 'off' })
    await client.query({ query: gql('query Misspelt { humans { id nme } }') })
    expect(warnings.splice(0).join('\n')).toContain("Missing field 'nme' while writing result")
  })
})

describe('Relay', () => {
  function createEnvironment(headers: Record<string, string> = {}) {
    const store = new Store(new RecordSource())
    const network = Network.create(async ({ text: query }, variables) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      })
      return (await response.json()) as GraphQLResponse
    })
    return { environment: new Environment({ network, store }), records: () => store.getSource().toJSON() }
  }

  const query = (environment: Environment, request: ConcreteRequest, variables: Record<string, unknown>) =>
    fetchQuery(environment, request, variables).toPromise()

  const avatar = (size: number) => {
    const id = `client:1000:avatar(size:${size})`
    return { [id]: { __id: id, __typename: 'Image', url: 'luke.png' } }
  }
  const lukeInStore = {
    __id: '1000',
    __typename: 'Human',
    id: '1000',
    name: 'Luke',
    'avatar(size:32)': { __ref: 'client:1000:avatar(size:32)' },
    'avatar(size:256)': { __ref: 'client:1000:avatar(size:256)' },
  }
  const noAvatars = { 'avatar(size:32)': null, 'avatar(size:256)': null }
  const leiaInStore = { ...lukeInStore, __id: '1001', id: '1001', name: 'Leia', ...noAvatars }

  it('keeps aliases, arguments and fragments', async () => {
    const { environment, records } = createEnvironment()
    const data = await query(environment, peopleQuery, { first: 2 })
    expect(data).toMatchObject({ people: [{ id: '1000' }, { id: '1001' }] })
    expect(records()).toEqual({
      'client:root': {
        __id: 'client:root',
        __typename: '__Root',
        'humans(first:2)': { __refs: ['1000', '1001'] },
      },
      1000: lukeInStore,
      1001: leiaInStore,
      ...avatar(32),
      ...avatar(256),
    })
  })

  it('keeps fragments on types, on a union and on interfaces', async () => {
    const { environment, records } = createEnvironment()
    const data = await query(environment, searchQuery, { text: 'r' })
    expect(data).toEqual({
      search: [
        { name: 'R2-D2', appearsIn: ['JEDI'], primaryFunction: 'Astromech' },
        { length: 34.4 },
        { name: 'Luke', appearsIn: null }, // which this Luke has not, and which Relay would miss
      ],
    })
    const type = (name: string, isCharacter: boolean) => ({
      __id: `client:__type:${name}`,
      __typename: '__TypeSchema',
      __isCharacter: isCharacter,
      __isNode: true,
    })
    expect(records()).toEqual({
      'client:root': {
        __id: 'client:root',
        __typename: '__Root',
        'search(text:"r")': { __refs: ['2001', '3000', '1000'] },
      },
      2001: {
        __id: '2001',
        __typename: 'Droid',
        id: '2001',
        name: 'R2-D2',
        appearsIn: ['JEDI'],
        primaryFunction: 'Astromech',
      },
      3000: { __id: '3000', __typename: 'Starship', id: '3000', length: 34.4 },
      1000: { __id: '1000', __typename: 'Human', id: '1000', name: 'Luke', appearsIn: null },
      'client:__type:Droid': type('Droid', true),
      'client:__type:Starship': type('Starship', false),
      'client:__type:Human': type('Human', true),
    })
  })

  it('gets partial data with its errors', async () => {
    const { environment, records } = createEnvironment()
    const data = await query(environment, peopleQuery, { first: 1 })
    expect(data).toMatchObject({ people: [{ id: '1000' }, null] })
    expect(records()).toMatchObject({
      'client:root': { 'humans(first:1)': { __refs: ['1000', null] } },
      1000: {
        name: 'Luke',
        ...noAvatars,
        __errors: {
          'avatar(size:32)': [{ message: 'no avatar' }],
          'avatar(size:256)': [{ message: 'no avatar' }],
        },
      },
    })
  })

  it('warns where nothing is shaped', async () => {
    const { environment } = createEnvironment({ 'x-shape': 'off' })
    await query(environment, peopleQuery, { first: 2 })
    expect(warnings.splice(0).join('\n')).toContain('Payload did not contain a value for field')
  })
})
