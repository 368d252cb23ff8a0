/* React components read a list page by page with Relay, through what relay-compiler makes of their fragments. */
import { createRequire } from 'node:module'
import { createElement, Suspense, act } from 'react'
import { RelayEnvironmentProvider, useLazyLoadQuery, usePaginationFragment } from 'react-relay'
import {
  Environment,
  Network,
  RecordSource,
  Store,
  type GraphQLResponse,
  type GraphQLTaggedNode,
  type OperationType,
} from 'relay-runtime'
import { expect, it } from 'vitest'
import { createChecker } from '../../../src/core/graphql-schema/create-checker.ts'
import { defaultGraphQL } from '../../../src/core/graphql/settings.ts'
import { compileRoutes } from '../../../src/core/table/compile-routes.ts'
import { compileWithRelay } from '../../relay.ts'
import { routesOf, send } from '../send.ts'

const require = createRequire(import.meta.url)
// The package has no types of its own.
const { create } = require('react-test-renderer') as {
  create: (element: unknown) => { unmount: () => void }
}

const sdl = `
  type Query { node(id: ID!): Node }
  interface Node { id: ID! }
  type User implements Node { id: ID!, name: String!, friends(first: Int, after: ID): UserConnection! }
  type UserConnection { edges: [UserEdge], pageInfo: PageInfo! }
  type UserEdge { cursor: String!, node: User }
  type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }`
const source = `
  graphql\`query AppQuery($id: ID!) { node(id: $id) { ...App_user @alias(as: "user") } }\`
  graphql\`
    fragment App_user on User @refetchable(queryName: "AppPageQuery")
      @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "ID" }) {
      name
      friends(first: $count, after: $cursor) @connection(key: "App_friends") { edges { node { id name } } }
    }\``

const { AppQuery: query, App_user: fragment } = compileWithRelay<GraphQLTaggedNode, 'AppQuery' | 'App_user'>(
  sdl,
  source,
  ['AppQuery', 'App_user'],
)
;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

const items = Array.from({ length: 5 }, (_, n) => ({
  __typename: 'User',
  id: `f${n + 1}`,
  name: `friend ${n + 1}`,
}))
const route = {
  path: '/graphql',
  paginate: { style: 'relay', field: 'node.friends', items },
  response: { body: { data: { node: { __typename: 'User', id: 'u1', name: 'Ada' } } } },
}

interface User {
  name: string
  friends: { edges: { node: { id: string; name: string } }[] }
}

it.each([
  ['shaped', { shape: true }],
  ['with a schema', { schema: sdl }],
])('%s: usePaginationFragment reads to the last page', async (_, { shape, schema }: { shape?: boolean; schema?: string }) => {
  const checker = schema === undefined ? undefined : createChecker([{ file: 'schema.graphql', text: schema }], { scalars: {} }).checker
  const { table } = compileRoutes(routesOf([{ ...route, ...(shape && { shape }) }]), { graphql: defaultGraphQL, checker })
  const asked: unknown[] = []
  const network = Network.create(async ({ text, name }, variables) => {
    asked.push([name, variables])
    const { status, body } = await send(table, 'POST /graphql', { body: JSON.stringify({ query: text, operationName: name, variables }) })
    expect(status).toBe(200)
    return body as GraphQLResponse
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()) })

  let shown: ReturnType<typeof usePaginationFragment<OperationType, never>> | undefined
  function Friends({ user }: { user: never }) {
    shown = usePaginationFragment<OperationType, never>(fragment, user)
    return null
  }
  function App() {
    const { node } = useLazyLoadQuery<OperationType>(query, { id: 'u1' }) as { node: { user: never } }
    return createElement(Friends, node)
  }
  const tree = createElement(RelayEnvironmentProvider, {
    environment,
    children: createElement(Suspense, { fallback: null }, createElement(App)),
  })
  let root: ReturnType<typeof create> | undefined
  act(() => void (root = create(tree)))
  while (!shown) await act(() => new Promise<void>((resolve) => setImmediate(resolve)))
  const names = () => (shown!.data as unknown as User).friends.edges.map(({ node }) => node.name)
  expect([(shown.data as unknown as User).name, names(), shown.hasNext]).toEqual(['Ada', ['friend 1', 'friend 2'], true])

  const seen: number[] = []
  while (shown.hasNext && seen.length < 10) {
    await act(() => new Promise<void>((resolve, reject) => {
      shown!.loadNext(2, { onComplete: (error) => (error ? reject(error) : resolve()) })
    }))
    seen.push(names().length)
  }
  expect([seen, names(), shown.hasNext]).toEqual([[4, 5], items.map(({ name }) => name), false])
  expect(asked).toEqual([
    ['AppQuery', { id: 'u1' }],
    ['AppPageQuery', { id: 'u1', count: 2, cursor: expect.any(String) as string }],
    ['AppPageQuery', { id: 'u1', count: 2, cursor: expect.any(String) as string }],
  ])
  act(() => root!.unmount())
}) // prettier-ignore
