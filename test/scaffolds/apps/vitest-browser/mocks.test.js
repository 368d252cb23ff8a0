import { expect, it } from 'vitest'

it('gets page 3 of the list', async () => {
  const response = await fetch('/items?page=3')
  expect(response.headers.get('x-mock-route')).toBe('items, page 3')
  expect(await response.json()).toMatchObject({ page: 3, has_more: false })
})

it('gets errors and partial data with HTTP 200', async () => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'query FailingQuery { hero { heroFriends { name } } }' }),
  })
  expect(response.status).toBe(200)
  const { errors, data } = await response.json()
  expect(errors[0].path).toEqual(['hero', 'heroFriends', 1, 'name'])
  expect(data.hero.heroFriends[1].name).toBeNull()
})

it('leaves what is not its own to Vitest', async () => {
  const response = await fetch('/mocks.test.js')
  expect(response.headers.get('x-mock-route')).toBeNull()
  expect(await response.text()).toContain('leaves what is not its own')
})
