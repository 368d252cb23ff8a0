/* A schema, from its file to what a client sees: validation, introspection, bubbling, filling, and its reload. */
import { describe, expect, it, vi } from 'vitest'
import { createFetchHandler } from '../../src/fetch.ts'
import { serve } from './of-test.ts'

const sdl = `
  type Query { hero(id: ID): Character!, heroes: [Character!]! }
  type Mutation { rename(id: ID!, name: String!): Character }
  interface Character { id: ID!, name: String!, episode: Episode, friends: [Character!], born: Date }
  type Droid implements Character { id: ID!, name: String!, episode: Episode, friends: [Character!], born: Date, primaryFunction: String }
  enum Episode { NEWHOPE EMPIRE JEDI }
  scalar Date
`
const fixture = `
- path: /graphql
  response:
    body:
      data: { hero: { __typename: Droid, id: '2001', name: R2-D2, friends: [{ id: '1', name: One }, { id: '2', name: Two }] } }
- path: /graphql
  when: { operationName: Fails }
  response:
    body:
      data: { hero: { __typename: Droid, id: '2001', friends: [{ id: '1' }, { id: '2' }] } }
      errors: [{ message: no name, path: [hero, friends, 1, name], extensions: { code: GONE } }]
`

async function start(files: Record<string, string>, graphql: object = {}) {
  const { send, project, log } = await serve(files, { watch: true, graphql })
  const ask = async (query: string, variables?: object, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ query, variables })
    const { status, text } = await send({
      method: 'POST',
      url: '/graphql',
      headers: { ...json, ...headers },
      body,
    })
    return { status, body: JSON.parse(text) as Record<string, unknown> }
  }
  return { ask, project, log }
}

const json = { 'content-type': 'application/json' }
const files = { 'schema.graphql': sdl, 'fixtures/graphql.yaml': fixture }
const schema = 'schema.graphql'

describe('a middleware', () => {
  it('answers as a server of the schema does', async () => {
    const { ask } = await start(files, { schema, scalars: { Date: '1977-05-25' } })
    // What the fixture has is sent in the shape of the query, what it lacks is filled in.
    expect(await ask('{ h: hero { id born __typename friends { name } } }')).toEqual({
      status: 200,
      body: { data: { h: { id: '2001', born: '1977-05-25', __typename: 'Droid', friends: [{ name: 'One' }, { name: 'Two' }] } } },
    })
    // A null where none may be takes its parents along, as far as the first that may be null.
    expect(await ask('query Fails {\n  hero {\n    name\n    friends { id n: name }\n  }\n}')).toMatchObject({
      status: 200,
      body: {
        data: { hero: { friends: null } },
        errors: [{ message: 'no name', locations: [{ line: 4, column: 18 }], path: ['hero', 'friends', 1, 'n'], extensions: { code: 'GONE' } }],
      },
    })
    expect(await ask('{ hero { nmae } }')).toMatchObject({ status: 200, body: { errors: [{ locations: [{ line: 1, column: 10 }] }] } })
    expect(await ask('{ hero { nmae } }', {}, { accept: 'application/graphql-response+json' })).toMatchObject({ status: 400 })
  }) // prettier-ignore

  it('reloads the schema, and keeps the last good one while it has errors', async () => {
    const { ask, project, log } = await start(files, { schema })
    const firstError = async (query: string) =>
      ((await ask(query)).body['errors'] as { message: string }[] | undefined)?.[0]?.message
    expect(await firstError('{ hero { height } }')).toMatch(/^Cannot query field "height"/)
    project.write('schema.graphql', sdl.replaceAll('born: Date', 'born: Date, height: Float'))
    await vi.waitFor(async () => expect(await firstError('{ hero { height } }')).toBeUndefined(), 30_000)
    project.write('schema.graphql', sdl.replace('type Query {', 'type Query'))
    await vi.waitFor(() => expect(log.join('\n')).toMatch(/schema\.graphql:\d+:\d+ .*\[schema-invalid\]/s), 30_000)
    expect(await firstError('{ hero { height } }')).toBeUndefined()
    project.write('schema.graphql', sdl)
    await vi.waitFor(async () => expect(await firstError('{ hero { height } }')).toMatch(/^Cannot query field/), 30_000)
  }) // prettier-ignore

  it('does not answer without validation where the schema has errors from the start', async () => {
    const broken = { ...files, 'schema.graphql': 'type Query { a Missing }' }
    const { ask, project } = await start(broken, { schema })
    expect(await ask('{ hero { id } }')).toMatchObject({
      status: 500,
      body: { errors: [{ extensions: { code: 'schema-invalid', place: 'schema.graphql:1:16' } }] },
    })
    project.write('schema.graphql', sdl)
    await vi.waitFor(async () => expect((await ask('{ hero { id } }')).status).toBe(200), 30_000)
  })

  it('takes the schema that a TypeScript fixture exports', async () => {
    const module = `
      export const schema = /* GraphQL */ \`type Query { answer: Int! }\`
      export default [{ path: '/graphql', response: { body: { data: { answer: 42 } } } }]`
    const { ask, project } = await start({ 'fixtures/graphql.ts': module })
    expect((await ask('{ answer }')).body).toEqual({ data: { answer: 42 } })
    expect((await ask('{ question }')).body).toMatchObject({ errors: [{ message: 'Cannot query field "question" on type "Query".' }] })
    project.write('fixtures/graphql.ts', module.replace('answer: Int!', 'question: Int!'))
    await vi.waitFor(async () => expect((await ask('{ question }')).body).toHaveProperty('data.question'), 30_000)
  }) // prettier-ignore
})

it.each<[schema: string, query: string, expected: object]>([
  ['type Query { a: Int b: Int }', '{ x: a }', { data: { x: 1 } }],
  ['type Query { a: Int b: Int }', '{ other }', { errors: [{ locations: [{ line: 1, column: 3 }] }] }],
  ['type Query {', '{ a }', { errors: [{ extensions: { code: 'schema-invalid' } }] }],
])('createFetchHandler with the schema %j answers %j', async (schema, query, expected) => {
  const routes = [{ path: '/graphql', response: { body: { data: { a: 1 } } } }]
  const handler = createFetchHandler(routes, { graphql: { schema }, logLevel: 'silent' })
  const body = JSON.stringify({ query })
  const request = new Request('http://localhost/graphql', { method: 'POST', body, headers: json })
  expect(await (await handler(request))!.json()).toMatchObject(expected)
})
