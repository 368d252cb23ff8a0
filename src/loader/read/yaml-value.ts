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
import { setOwn } from '../../core/values/values.ts'

/** An error in a document: its message, how to fix it, and its offset. */
export class YamlError extends Error {
  constructor(
    message: string,
    readonly fix: string | undefined,
    readonly offset: number,
    readonly code: 'fixture-syntax' | 'fixture-too-complex' = 'fixture-syntax',
  ) {
    super(message)
  }
}

/** The nodes that aliases refer to, found in one pass: the library would search the whole document for each alias. */
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

/** Maximum characters that aliases may expand to: a few lines of aliases can expand to more than fits in memory. */
const maxExpansion = 20_000_000

/** The value of a document, and whether it has a number that JavaScript writes differently, such as `01234` or `1.0`. */
export interface DocumentValue {
  value: unknown
  hasUnusualNumber: boolean
}

/**
 * The value of a document. The library's own conversion takes time quadratic in the number of aliases, and turns keys that
 * are not strings into strings, and sets into empty objects.
 *
 * @throws YamlError
 */
export function toValue(document: Document, targets: AliasTargets): DocumentValue {
  /** Values of anchors, with their lengths in characters; `undefined` while one is being read. */
  const known = new Map<Node, { value: unknown; length: number } | undefined>()
  let length = 0
  let expanded = 0
  let hasUnusualNumber = false

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
    const { value, source } = node as Scalar
    if (typeof value === 'string') length += value.length
    else if (typeof value === 'number' && source !== String(value)) hasUnusualNumber = true
    return typeof value === 'symbol' ? '<<' : value
  }

  function resolve(alias: Alias): unknown {
    const target = targets.get(alias)
    if (!target) {
      throw new YamlError(
        `the alias "*${alias.source}" has no anchor.`,
        `Write "&${alias.source}" in front of the value that it stands for, before the alias.`,
        startOf(alias)!,
      )
    }
    const found = known.get(target)
    if (!found)
      throw new YamlError(
        `the alias "*${alias.source}" is inside its own value.`,
        'Write the value out where the alias is.',
        startOf(alias)!,
      )
    length += found.length
    expanded += found.length
    if (expanded > maxExpansion) {
      throw new YamlError(
        `the aliases expand to more than ${maxExpansion / 1_000_000} million characters.`,
        'Use fewer aliases. A body of any size can be read from a "file".',
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
      if (name === undefined)
        throw new YamlError('a key is a list or an object.', 'Write a string as the key.', offset)
      if (seen.has(name))
        throw new YamlError(`the key "${name}" occurs twice.`, 'Remove one of the two.', offset)
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
        throw new YamlError(
          '"<<" takes an object, or a list of objects.',
          'Give it the alias of an object.',
          startOf(key)!,
        )
      for (const [name, entry] of Object.entries(source))
        if (!Object.hasOwn(object, name)) setOwn(object, name, entry)
    }
  }

  return { value: convert(document.contents), hasUnusualNumber }
}

export function isMergeKey(key: unknown): key is Scalar {
  return isScalar(key) && typeof key.value === 'symbol'
}

/** A key as a property name; `undefined` for a list or an object, which can't be a key. */
export function keyName(key: unknown): string | undefined {
  if (key === null) return ''
  return isScalar(key) ? String(key.value ?? '') : undefined
}

export function startOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0]
}
