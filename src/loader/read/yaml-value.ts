import { setOwn } from '../../core/values/values.ts'
import { YamlError, type YamlAlias, type YamlMap, type YamlNode } from './yaml-node.ts'

/** Maximum characters that aliases may expand to: a few lines of aliases can expand to more than fits in memory. */
const maxExpansion = 20_000_000

/** The value of a document, and whether it has a number that JavaScript writes differently, such as `01234` or `1.0`. */
interface DocumentValue {
  value: unknown
  hasUnusualNumber: boolean
}

/**
 * The value of a document.
 *
 * @throws YamlError
 */
export function toValue(document: YamlNode | undefined): DocumentValue {
  /** Values of anchors, with their lengths in characters; `undefined` while one is being read. */
  const known = new Map<YamlNode, { value: unknown; length: number } | undefined>()
  let length = 0
  let expanded = 0
  let hasUnusualNumber = false

  function convert(node: YamlNode | undefined): unknown {
    if (!node) return null
    if (node.type === 'alias') return resolve(node)
    if (!node.hasAnchor) return convertOwn(node)
    known.set(node, undefined)
    const before = length
    const value = convertOwn(node)
    known.set(node, { value, length: length - before })
    return value
  }

  function convertOwn(node: Exclude<YamlNode, YamlAlias>): unknown {
    length++
    if (node.type === 'list') return node.items.map(convert)
    if (node.type === 'map') return convertMap(node)
    const { value, source } = node
    if (typeof value === 'string') length += value.length
    else if (typeof value === 'number' && source !== String(value)) hasUnusualNumber = true
    return value
  }

  function resolve(alias: YamlAlias): unknown {
    const { name, offset, target } = alias
    if (!target) {
      throw new YamlError(
        `the alias "*${name}" has no anchor.`,
        `Write "&${name}" in front of the value that it stands for, before the alias.`,
        offset,
      )
    }
    const found = known.get(target)
    if (!found)
      throw new YamlError(
        `the alias "*${name}" is inside its own value.`,
        'Write the value out where the alias is.',
        offset,
      )
    length += found.length
    expanded += found.length
    if (expanded > maxExpansion) {
      throw new YamlError(
        `the aliases expand to more than ${maxExpansion / 1_000_000} million characters.`,
        'Use fewer aliases. A body of any size can be read from a "file".',
        offset,
      )
    }
    return found.value
  }

  function convertMap(map: YamlMap): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    const seen = new Set<string>()
    for (const { key, value } of map.pairs) {
      if (key?.type === 'scalar' && key.isMergeKey) {
        merge(object, key.offset, value)
        continue
      }
      if (key?.type === 'alias' || key?.type === 'scalar') convert(key) // its alias may have no anchor, its anchor may have aliases
      const name = keyName(key)
      const { offset } = key ?? value ?? map
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

  function merge(object: Record<string, unknown>, offset: number, value: YamlNode | undefined): void {
    const merged = convert(value)
    for (const source of Array.isArray(merged) ? (merged as unknown[]) : [merged]) {
      if (typeof source !== 'object' || source === null || Array.isArray(source))
        throw new YamlError(
          '"<<" takes an object, or a list of objects.',
          'Give it the alias of an object.',
          offset,
        )
      for (const [name, entry] of Object.entries(source))
        if (!Object.hasOwn(object, name)) setOwn(object, name, entry)
    }
  }

  return { value: convert(document), hasUnusualNumber }
}

/** A key as a property name; `undefined` for a list or an object, which can't be a key. */
export function keyName(key: YamlNode | undefined): string | undefined {
  const node = key?.type === 'alias' ? key.target : key
  if (!node) return ''
  return node.type === 'scalar' ? String(node.value ?? '') : undefined
}
