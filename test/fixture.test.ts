import { describe, expect, it } from 'vitest'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { defineFixture } from '../src/fixture.ts'

describe('defineFixture', () => {
  it('returns what it is given', () => {
    const routes = [{ path: '/a', response: { body: 1 } }]
    expect(defineFixture(routes)).toBe(routes)
  })

  it('makes a wrong key a type error', () => {
    // Each line is checked by the compiler (`npm run typecheck`): it must be the error that it is said to be.
    // @ts-expect-error -- "pth" is no key of a route
    defineFixture([{ path: '/a', pth: '/b' }])
    // @ts-expect-error -- "path" is missing
    defineFixture([{ response: {} }])
    // @ts-expect-error -- "querry" is no key of a selector
    defineFixture([{ path: '/a', when: { querry: { a: 1 } } }])
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
    const typed = defineFixture([
      { path: '/b', scenario: ['x', 'y'] },
      {
        path: '/c/:id',
        scenario: 'x',
        response: [{ status: 503 }, ({ params }) => ({ body: params.id }), Response.json([])],
        repeat: true,
      },
      {
        path: '/a/:id',
        when: ({ params }) => params.id === '1',
        response: () => Promise.resolve({ status: 201 }),
      },
    ])
    expect(typed).toHaveLength(3)
  })
})

/** As GraphQL Code Generator writes it. */
type HeroDocument = TypedDocumentNode<
  { hero: { id: string; episode: 'JEDI' | 'EMPIRE' } | null },
  { id: string }
>
type CrewDocument = TypedDocumentNode<{ crew: { name: string }[] }>

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

describe('defineFixture with a contract', () => {
  const path = '/graphql'
  const jedi = { hero: { id: '1', episode: 'JEDI' } } as const

  it('accepts what fits', () => {
    const fixtures = [
      defineFixture<HeroDocument>([
        { path, when: { operationName: 'Hero' }, response: { body: { data: jedi } } },
        { path, response: { body: { data: null, errors: [{ message: 'no hero' }] } } },
        { path, response: [{ status: 503 }, ({ params }) => ({ headers: params, body: { data: jedi } })] },
      ]),
      defineFixture<HeroDocument | CrewDocument>([
        { path, response: { body: { data: jedi } } },
        { path, response: { body: { data: { crew: [{ name: 'a' }] } } } },
      ]),
      defineFixture<HeroDocument>(() => Promise.resolve([{ path, response: { body: { data: jedi } } }])),
      defineFixture<Paths>([
        { path: '/orders', response: { body: [{ id: 1 }] } },
        { path: '/orders', method: 'POST', response: { status: 201, body: { id: 1 } } },
        {
          path: '/orders/:id',
          response: ({ params }) => ({ body: { id: Number(params.id), state: 'open' } }),
        },
        {
          path: '/orders/:id',
          when: { params: { id: 404 } },
          response: { status: 404, body: { title: 'gone' } },
        },
      ]),
    ]
    expect(fixtures).toHaveLength(4)
  })

  it('makes drift a type error', () => {
    type Hero = HeroDocument
    // @ts-expect-error -- a missing field
    defineFixture<Hero>([{ path, response: { body: { data: { hero: { id: '1' } } } } }])
    // @ts-expect-error -- an unknown field
    defineFixture<Hero>([{ path, response: { body: { data: { hero: { ...jedi.hero, nmae: 'a' } } } } }])
    // @ts-expect-error -- an unknown value of an enum
    defineFixture<Hero>([{ path, response: { body: { data: { hero: { id: '1', episode: 'JEDY' } } } } }])
    const wrong = { hero: { id: 1, episode: 'JEDI' } }
    // @ts-expect-error -- the wrong type, from a function
    defineFixture<Hero>([{ path, response: () => ({ body: { data: wrong } }) }])
    // @ts-expect-error -- "pth" is no key of a route
    defineFixture<Hero>([{ path, pth: '/a' }])
    // @ts-expect-error -- the wrong type
    defineFixture<Paths>([{ path: '/orders', response: { body: [{ id: 'a' }] } }])
    // @ts-expect-error -- the body of another status
    defineFixture<Paths>([{ path: '/orders/:id', response: { status: 404, body: { id: 1, state: 'open' } } }])
    // @ts-expect-error -- an unknown status
    defineFixture<Paths>([{ path: '/orders', response: { status: 418 } }])
    // @ts-expect-error -- an unknown path
    defineFixture<Paths>([{ path: '/order' }])
    // @ts-expect-error -- an unknown method
    defineFixture<Paths>([{ path: '/orders', method: 'DELETE' }])
    expect.assertions(0)
  })
})
