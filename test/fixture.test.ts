import { describe, expect, it } from 'vitest'
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
