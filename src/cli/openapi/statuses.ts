/**
 * The status that a route sends for each key of `responses`. `4XX` and `default` stand for the first status without
 * its own; a `default` beside `4XX` and `5XX` stands for none.
 *
 * @param success the key of the good answer
 */
export function statusesOf(keys: readonly string[], success: string): ReadonlyMap<string, number> {
  const statuses = new Map<string, number>()
  const taken = new Set(keys.map(Number))
  const take = (key: string, hundreds: number) => {
    let status = hundreds * 100
    while (taken.has(status)) status++
    taken.add(status)
    statuses.set(key, status)
  }
  const ranges = keys.filter((key) => /^\dXX$/i.test(key))
  for (const key of keys) if (/^\d{3}$/.test(key)) statuses.set(key, Number(key))
  for (const key of ranges) take(key, Number(key[0]))
  const others =
    success === 'default'
      ? 2
      : [5, 4].find((hundreds) => !ranges.some((key) => key.startsWith(`${hundreds}`)))
  if (keys.includes('default') && others !== undefined) take('default', others)
  return statuses
}
