import { expect, it } from 'vitest'
import { createTurnstile } from '../../src/wire/turnstile.ts'

it('lets so many in at a time, in the order in which they came', async () => {
  const enter = createTurnstile(2)
  const entered: number[] = []
  const leaves = [1, 2, 3, 4].map((number) =>
    enter().then((leave) => {
      entered.push(number)
      return leave
    }),
  )
  const [first] = await Promise.all(leaves.slice(0, 2))
  expect(entered).toEqual([1, 2])
  first!()
  first!() // who has left once has left
  await leaves[2]
  expect(entered).toEqual([1, 2, 3])
  ;(await leaves[2]!)()
  await leaves[3]
  expect(entered).toEqual([1, 2, 3, 4])
})
