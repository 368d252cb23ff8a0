import { isRecord, type KeyPath } from '../values/values.ts'

/** A place in a JSON value where something can go wrong. */
export interface ValuePosition {
  path: KeyPath
  value: unknown
  /** The path without indexes, for lists of any length: `orders[].id`, `orders[].id last`. */
  name: string
  /** `orders[2].id`; empty for the root. */
  written: string
  /** Whether this is the first of the positions that are alike. */
  isFirst: boolean
}

interface Node {
  value: unknown
  key: string | number
  above: Node | undefined
}

/** All positions with the same path except for indexes. */
interface Alike {
  name: string
  members: Node[]
}

/** Values that are looked at, and paths of these: an object with ids as keys has many. */
const maxValues = 50_000
const maxPaths = 300

/**
 * From the outside in, in the order of the keys. Of those that are alike there are three: first all that are the first of their
 * kind, then those in the middle, then the last.
 */
export function positionsIn(root: unknown): ValuePosition[] {
  const all: Alike[] = [{ name: '', members: [{ value: root, key: '', above: undefined }] }]
  let left = maxValues
  for (const { name, members } of all) {
    const below = new Map<string, Alike>()
    const add = (part: string, node: Node) => {
      const alike = below.get(part) ?? { name: join(name, part), members: [] }
      below.set(part, alike)
      alike.members.push(node)
      left--
    }
    for (const above of members) {
      if (left <= 0) break
      const { value } = above
      if (Array.isArray(value)) value.forEach((item: unknown, key) => add('[]', { value: item, key, above }))
      else if (isRecord(value))
        for (const key of Object.keys(value)) add(partOf(key), { value: value[key], key, above })
    }
    all.push(...[...below.values()].slice(0, Math.max(0, maxPaths - all.length)))
  }
  return [
    ...all.map((alike) => positionOf(alike, 0, '')),
    ...all.filter(({ members }) => members.length > 2).map((alike) => positionOf(alike, 'middle', ' middle')),
    ...all.filter(({ members }) => members.length > 1).map((alike) => positionOf(alike, 'last', ' last')),
  ]
}

function positionOf({ name, members }: Alike, at: 0 | 'middle' | 'last', suffix: string): ValuePosition {
  const index = at === 0 ? 0 : at === 'last' ? members.length - 1 : members.length >> 1
  const node = members[index]!
  const path = pathOf(node)
  return {
    path,
    value: node.value,
    name: name + suffix,
    written: writtenPath(path),
    isFirst: at === 0,
  }
}

function pathOf({ above, key }: Node): KeyPath {
  return above ? [...pathOf(above), key] : []
}

/** `hero.friends[1].name` */
export function writtenPath(path: KeyPath): string {
  return path.reduce<string>(
    (written, key) => join(written, typeof key === 'number' ? `[${key}]` : partOf(key)),
    '',
  )
}

function partOf(key: string): string {
  return /^[\w$-]+$/.test(key) ? key : `[${JSON.stringify(key)}]`
}

function join(before: string, part: string): string {
  return before === '' || part.startsWith('[') ? before + part : `${before}.${part}`
}
