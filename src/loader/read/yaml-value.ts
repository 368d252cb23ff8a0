import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml'

/** What is wrong with a YAML text, and the offset where it is. */
export class YamlError extends Error {
  constructor(
    message: string,
    readonly offset: number,
    readonly code: 'fixture-syntax' | 'fixture-too-complex' = 'fixture-syntax',
  ) {
    super(message)
  }
}

/** The nodes that aliases stand for. Found in one go: the library searches the whole document for each alias. */
export type AliasTargets = ReadonlyMap<Alias, Node>

export function findAliasTargets(document: Document): AliasTargets {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        if (target) targets.set(node, target)
      } else if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return targets
}

/** Characters that aliases may write out to: a few lines of them can stand for more than any memory holds. */
const maxExpansion = 20_000_000

/**
 * The value of a document. Not the library's own conversion, whose time grows with the square of the aliases, and which
 * makes texts of keys that are none and empty objects of sets.
 *
 * @throws YamlError
 */
export function toValue(document: Document, targets: AliasTargets): unknown {
  /** Values of anchors, with the characters that each stands for; `undefined` while it is being read. */
  const known = new Map<Node, { value: unknown; length: number } | undefined>()
  let length = 0
  let expanded = 0

  function convert(node: unknown): unknown {
    if (isAlias(node)) return resolve(node)
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null // a key without a value
    if (!node.anchor) return convertOwn(node)
    known.set(node, undefined)
    const before = length
    const value = convertOwn(node)
    known.set(node, { value, length: length - before })
    return value
  }

  function convertOwn(node: Node): unknown {
    length++
    if (isSeq(node)) return node.items.map(convert)
    if (isMap(node)) return convertMap(node)
    const { value } = node as Scalar
    if (typeof value === 'string') length += value.length
    return typeof value === 'symbol' ? '<<' : value
  }

  function resolve(alias: Alias): unknown {
    const target = targets.get(alias)
    if (!target) {
      throw new YamlError(
        `Unresolved alias (the anchor must be set before the alias): ${alias.source}`,
        startOf(alias)!,
      )
    }
    const found = known.get(target)
    if (!found)
      throw new YamlError(`The alias "${alias.source}" stands inside of what it names`, startOf(alias)!)
    length += found.length
    expanded += found.length
    if (expanded > maxExpansion) {
      throw new YamlError(
        `The aliases write out to more than ${maxExpansion / 1_000_000} million characters`,
        startOf(alias)!,
      )
    }
    return found.value
  }

  function convertMap(map: YAMLMap): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    const seen = new Set<string>()
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) {
        merge(object, key, value)
        continue
      }
      if (isAlias(key) || isScalar(key)) convert(key) // its alias may have no anchor, its anchor may have aliases
      const name = keyName(isAlias(key) ? targets.get(key) : key)
      const offset = startOf(key) ?? startOf(value) ?? startOf(map)!
      if (name === undefined) throw new YamlError('A key must be text', offset)
      if (seen.has(name)) throw new YamlError('Map keys must be unique', offset)
      seen.add(name)
      length += name.length
      setOwn(object, name, convert(value))
    }
    return object
  }

  function merge(object: Record<string, unknown>, key: unknown, value: unknown): void {
    const merged = convert(value)
    for (const source of Array.isArray(merged) ? (merged as unknown[]) : [merged]) {
      if (typeof source !== 'object' || source === null || Array.isArray(source))
        throw new YamlError('Merge sources must be maps or map aliases', startOf(key)!)
      for (const [name, entry] of Object.entries(source))
        if (!Object.hasOwn(object, name)) setOwn(object, name, entry)
    }
  }

  return convert(document.contents)
}

export function isMergeKey(key: unknown): key is Scalar {
  return isScalar(key) && typeof key.value === 'symbol'
}

/** A key as the name that it has in an object; `undefined` for a list or an object, which can't be one. */
export function keyName(key: unknown): string | undefined {
  if (key === null) return ''
  return isScalar(key) ? String(key.value ?? '') : undefined
}

export function startOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0]
}

/** `__proto__` is a name like any other. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}
