/** The list in an order that the seed decides. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed
  // A linear congruential generator (Numerical Recipes): the same order for the same seed, on every machine.
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  return list
    .map((value) => ({ value, rank: next() }))
    .sort((one, two) => one.rank - two.rank)
    .map(({ value }) => value)
}
