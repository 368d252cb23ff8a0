/* Fixture files in TypeScript: what functions get, and how drift from a schema shows. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { defineFixture, type Fixture, type FixtureRequest } from 'unplugin-mock-api/fixture'
import { expectTypeOf } from 'vitest'

expectTypeOf(defineFixture([{ path: '/a' }])).toEqualTypeOf<Fixture>()
expectTypeOf(defineFixture(async () => [{ path: '/a' }])).returns.toEqualTypeOf<Fixture | Promise<Fixture>>()

defineFixture([
  {
    path: '/orders/:id',
    when: (request) => {
      expectTypeOf(request).toEqualTypeOf<FixtureRequest>()
      return request.params['id'] === '7'
    },
    response: (request) => {
      expectTypeOf(request.method).toBeString()
      expectTypeOf(request.params).toEqualTypeOf<Readonly<Record<string, string>>>()
      expectTypeOf(request.query).toEqualTypeOf<Readonly<Record<string, string>>>()
      expectTypeOf(request.headers['accept']).toEqualTypeOf<string | readonly string[] | undefined>()
      expectTypeOf(request.cookies['session']).toEqualTypeOf<string | undefined>()
      expectTypeOf(request.body).toBeUnknown()
      expectTypeOf(request.operationName).toEqualTypeOf<string | undefined>()
      expectTypeOf(request.variables).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
      // @ts-expect-error -- no part of a request
      void request.parameters
      return { status: 201, headers: { 'x-a': 1 }, body: { id: request.params['id'] }, delay: 10 }
    },
  },
  { path: '/response', response: () => Response.json({ id: 7 }) },
  { path: '/later', response: async () => ({ body: await Promise.resolve(1) }) },
])
// @ts-expect-error -- a request is read-only
defineFixture([{ path: '/a', response: (request) => ((request.method = 'PUT'), { body: 1 }) }])
// @ts-expect-error -- a body that is not known cannot be read without a check
defineFixture([{ path: '/a', response: ({ body }) => ({ body: body.id }) }])
// @ts-expect-error -- an unknown key of a response
defineFixture([{ path: '/a', response: () => Promise.resolve({ statsu: 201 }) }])
// @ts-expect-error -- a selector without an answer
defineFixture([{ path: '/a', when: () => undefined }])
// @ts-expect-error -- an unknown key of a selector
defineFixture([{ path: '/a', when: { header: { a: '1' } } }])
// @ts-expect-error -- an unknown style
defineFixture([{ path: '/a', paginate: { style: 'pages', items: [] } }])
// @ts-expect-error -- an unknown key of a list
defineFixture([{ path: '/a', paginate: { perpage: 3, items: [] } }])

/** As GraphQL Code Generator writes it: `typeof HeroDocument` is what fixtures name. */
declare const HeroDocument: TypedDocumentNode<
  { hero: { id: string; name: string | null; episode: 'JEDI' | 'EMPIRE' } | null },
  { id: string }
>
type Hero = typeof HeroDocument
const path = '/graphql'
const hero = { id: '1', name: null, episode: 'JEDI' } as const

defineFixture<Hero>([
  { path, response: { body: { data: { hero } } } },
  { path, response: { body: { data: null, errors: [{ message: 'no hero' }] } } },
  { path, response: ({ variables }) => ({ body: { data: { hero: variables ? hero : null } } }) },
])
// @ts-expect-error -- a missing field
defineFixture<Hero>([{ path, response: { body: { data: { hero: { id: '1', name: null } } } } }])
// @ts-expect-error -- a missing field, from a function
defineFixture<Hero>([{ path, response: () => ({ body: { data: { hero: { id: '1' } } } }) }])
// @ts-expect-error -- an unknown value of an enum
defineFixture<Hero>([{ path, response: { body: { data: { hero: { ...hero, episode: 'JEDY' } } } } }])
// @ts-expect-error -- an unknown field
defineFixture<Hero>([{ path, response: { body: { data: { hero: { ...hero, nmae: 'a' } } } } }])
// @ts-expect-error -- null where the schema has none
defineFixture<Hero>([{ path, response: { body: { data: { hero: { ...hero, id: null } } } } }])
// @ts-expect-error -- the wrong root field
defineFixture<Hero>([{ path, response: { body: { data: { heroes: [] } } } }])
// @ts-expect-error -- an unknown key of a route
defineFixture<Hero>([{ path, respnse: { body: { data: { hero } } } }])
// @ts-expect-error -- a typo in one of several responses
defineFixture<Hero>([{ path, response: [{ status: 503 }, { body: { data: { hero: { idd: '1' } } } }] }])
// @ts-expect-error -- "pth" is no key of a route
defineFixture([{ path: '/a', pth: '/b' }])
// @ts-expect-error -- "path" is missing
defineFixture([{ response: {} }])
// @ts-expect-error -- a status is a number
defineFixture([{ path: '/a', response: { status: 'ok' } }])
// @ts-expect-error -- a function must return a list
defineFixture(() => ({ path: '/a' }))
// @ts-expect-error -- a predicate is synchronous
defineFixture([{ path: '/a', when: () => Promise.resolve(true) }])
// @ts-expect-error -- a scenario is text
defineFixture([{ path: '/a', scenario: 503 }])
// @ts-expect-error -- a list has responses
defineFixture([{ path: '/a', response: [{ status: 503 }, 'x'] }])

/** As openapi-typescript writes it. */
interface Paths {
  '/orders': {
    parameters: { query?: never }
    get: { responses: { 200: { content: { 'application/json': { id: number }[] } } } }
    post: { responses: { 201: { content: { 'application/json': { id: number } } } } }
    delete?: never
  }
  '/orders/{id}': {
    get: {
      parameters: { path: { id: number } }
      responses: {
        200: { headers: object; content: { 'application/json': { id: number; state: 'open' | 'closed' } } }
        404: { content: { 'application/problem+json': { title: string } } }
      }
    }
  }
}
const order = '/orders/:id'
defineFixture<Paths>([
  { path: '/orders', response: { body: [{ id: 1 }] } },
  { path: '/orders', method: 'POST', response: { status: 201, body: { id: 1 } } },
  { path: order, response: ({ params }) => ({ body: { id: Number(params['id']), state: 'open' } }) },
  { path: order, when: { params: { id: 404 } }, response: { status: 404, body: { title: 'gone' } } },
])
// @ts-expect-error -- the wrong type
defineFixture<Paths>([{ path: '/orders', response: { body: [{ id: 'a' }] } }])
// @ts-expect-error -- the body of another status
defineFixture<Paths>([{ path: order, response: { status: 404, body: { id: 1, state: 'open' } } }])
// @ts-expect-error -- an unknown status
defineFixture<Paths>([{ path: '/orders', response: { status: 418 } }])
// @ts-expect-error -- an unknown path
defineFixture<Paths>([{ path: '/order' }])
// @ts-expect-error -- an unknown method
defineFixture<Paths>([{ path: '/orders', method: 'DELETE' }])
