/** A function whose result for an object is kept as long as the object. It must not be `undefined`. */
export function oncePerObject<K extends object, V>(make: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>()
  return (object) => {
    let value = known.get(object)
    if (value === undefined) known.set(object, (value = make(object)))
    return value
  }
}

/** The value of a key, which is made and kept if there is none. */
export function getOrMake<K, V>(
  map: { get: (key: K) => V | undefined; set: (key: K, value: V) => unknown },
  key: K,
  make: (key: K) => V,
): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make(key)))
  return value
}

/** Adds a value to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Lists of the items with the same key, in the order of the first of each. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}

/** Whether two lists have the same items in the same order. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
