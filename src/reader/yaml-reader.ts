import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import {
  boolCoreTag,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  strTag,
  YAMLException,
} from 'js-yaml'
import { setOwn } from '../core/values/values.ts'

/** Nesting limit: the libraries are recursive, and V8 ends the process where the stack overflows in a pattern. */
export const maxDepth = 1000
/** Maximum characters that aliases may expand to: a few lines of aliases can expand to more than fits in memory. */
const maxExpansion = 20_000_000

export interface YamlProblem {
  reason: string
  fix?: string | undefined
  offset: number
}

/** An error in a text whose syntax is right. */
export class ValueError extends Error implements YamlProblem {
  constructor(
    readonly reason: string,
    readonly fix: string,
    readonly offset: number,
  ) {
    super(reason)
  }
}

/** An alias has the parts of what it stands for. */
export interface YamlNode {
  /** Offset of its first character, without an anchor or a tag. */
  offset: number
  value: unknown
  items?: YamlNode[]
  /** Entries in the order of the text, with those that are merged into the map. */
  entries?: YamlEntry[]
  written?: string
  isMergeKey?: boolean
  /** Characters that an alias adds. */
  length?: number
}

interface YamlEntry {
  name: string
  /** Offset of the key. */
  offset: number
  node: YamlNode
}

export class YamlReader {
  readonly #text: string
  readonly #events: readonly Event[]
  #index = 0
  /** Offset of the end of the last part that was read. */
  #end = 0
  /** `undefined` while the value of an anchor is being read. */
  readonly #anchors = new Map<string, YamlNode | undefined>()
  /** Characters of all values so far, and how many of them aliases have added. */
  #length = 0
  #expanded = 0
  #hasUnusualNumber = false

  /** @throws YAMLException */
  constructor(text: string) {
    this.#text = text
    this.#events = parseEvents(text, { maxDepth })
  }

  /** @throws ValueError */
  read(): { root: YamlNode | undefined; hasUnusualNumber: boolean } {
    if (this.#events.length === 0) return { root: undefined, hasUnusualNumber: false }
    this.#index = 1 // the document's own event
    const root = this.#readNode('')
    const hasMore = this.#events.length > this.#index + 1
    if (hasMore) YAMLException.throwAt(this.#text, this.#end, 'the file holds multiple documents')
    return { root, hasUnusualNumber: this.#hasUnusualNumber }
  }

  /**
   * @param indicator what stands before the node, which shows where it is if it is empty
   * @param around where it is if nothing shows it
   */
  #readNode(indicator: ':' | '-' | '', around = this.#end): YamlNode {
    const event = this.#events[this.#index++]!
    switch (event.type) {
      case EVENT_ID.ALIAS:
        return this.#readAlias(event)
      case EVENT_ID.SCALAR:
        return this.#begin(event, around, (node) => this.#readScalar(node, event, indicator))
      case EVENT_ID.SEQUENCE:
        return this.#begin(event, around, (node) => this.#readList(node, event))
      case EVENT_ID.MAPPING:
        return this.#begin(event, around, (node) => this.#readMap(node, event))
      default:
        throw new TypeError(`Unexpected event ${event.type}`)
    }
  }

  #begin(
    event: ScalarEvent | SequenceEvent | MappingEvent,
    offset: number,
    fill: (node: YamlNode) => void,
  ): YamlNode {
    const node: YamlNode = { offset, value: null }
    this.#length++
    if (event.anchorStart === -1) {
      fill(node)
      return node
    }
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    const before = this.#length
    this.#anchors.set(name, undefined)
    fill(node)
    node.length = this.#length - before
    this.#anchors.set(name, node)
    return node
  }

  #readAlias({ anchorStart, anchorEnd }: AliasEvent): YamlNode {
    this.#end = anchorEnd
    const offset = anchorStart - 1
    const name = this.#text.slice(anchorStart, anchorEnd)
    const target = this.#anchors.get(name)
    if (!target)
      throw this.#anchors.has(name)
        ? new ValueError(
            `the alias "*${name}" is inside its own value.`,
            'Write the value out where the alias is.',
            offset,
          )
        : new ValueError(
            `the alias "*${name}" has no anchor.`,
            `Write "&${name}" in front of the value that it stands for, before the alias.`,
            offset,
          )
    this.#length += target.length!
    this.#expanded += target.length!
    if (this.#expanded > maxExpansion)
      throw new ValueError(
        `the aliases expand to more than ${maxExpansion / 1_000_000} million characters.`,
        'Use fewer aliases. A body of any size can be read from a "file".',
        offset,
      )
    return { ...target, offset }
  }

  #readList(node: YamlNode, { start, tagStart, tagEnd }: SequenceEvent): void {
    this.#checkTag('seq', tagStart, tagEnd)
    this.#end = start
    const items: YamlNode[] = []
    while (this.#events[this.#index]!.type !== EVENT_ID.POP) items.push(this.#readNode('-'))
    this.#index++
    Object.assign(node, { offset: start, items, value: items.map(({ value }) => value) })
  }

  #readMap(node: YamlNode, { start, tagStart, tagEnd }: MappingEvent): void {
    this.#checkTag('map', tagStart, tagEnd)
    this.#end = start
    const object: Record<string, unknown> = {}
    const entries: YamlEntry[] = []
    const merged = new Set<string>()
    while (this.#events[this.#index]!.type !== EVENT_ID.POP) {
      const key = this.#readNode('')
      const value = this.#readNode(':', key.offset)
      if (key.isMergeKey) {
        for (const entry of mergedEntries(key, value)) {
          if (Object.hasOwn(object, entry.name)) continue
          merged.add(entry.name)
          entries.push(entry)
          setOwn(object, entry.name, entry.node.value)
        }
        continue
      }
      if (typeof key.value === 'object' && key.value !== null)
        throw new ValueError('a key is a list or an object.', 'Write a string as the key.', key.offset)
      const name = String(key.value ?? '')
      if (Object.hasOwn(object, name) && !merged.delete(name))
        throw new ValueError(`the key "${name}" occurs twice.`, 'Remove one of the two.', key.offset)
      entries.push({ name, offset: key.offset, node: value })
      setOwn(object, name, value.value)
    }
    this.#index++
    Object.assign(node, { offset: start, entries, value: object })
  }

  #readScalar(node: YamlNode, event: ScalarEvent, indicator: ':' | '-' | ''): void {
    const { style, valueStart, valueEnd, anchorEnd, tagStart, tagEnd } = event
    this.#end = Math.max(this.#end, anchorEnd, tagEnd)
    if (valueStart === -1) {
      node.offset = this.#findEmpty(indicator) ?? node.offset
      if (tagStart !== -1) node.value = this.#resolveTagged('', tagStart, tagEnd)
      return
    }
    const source = getScalarValue(this.#text, event)
    this.#length += source.length
    if (style === SCALAR_STYLE.PLAIN) {
      node.offset = valueStart
      node.isMergeKey = source === '<<' && tagStart === -1
    } else if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
      node.offset = valueStart - 1
    else node.offset = this.#end + this.#text.slice(this.#end, valueStart).search(/[|>]/)
    this.#end = valueEnd + (node.offset === valueStart - 1 ? 1 : 0)
    if (tagStart !== -1) node.value = this.#resolveTagged(source, tagStart, tagEnd)
    else node.value = style === SCALAR_STYLE.PLAIN ? resolvePlain(source) : source
    if (typeof node.value !== 'number') return
    node.written = source
    this.#hasUnusualNumber ||= source !== String(node.value)
  }

  /** A value that is not written is after its indicator. Without one, as in `{ a }`, it is where its key is. */
  #findEmpty(indicator: ':' | '-' | ''): number | undefined {
    const empty = indicator === ':' ? emptyValue : emptyItem
    empty.lastIndex = this.#end
    const [found] = (indicator !== '' && empty.exec(this.#text)) || []
    return found === undefined ? undefined : (this.#end += found.length)
  }

  #resolveTagged(source: string, start: number, end: number): unknown {
    const name = this.#tagName(start, end)
    const tag = [strTag, ...plainTags].find(({ tagName }) => tagName === name || name === '!')
    const value: unknown = tag?.resolve(source, true, name)
    if (!tag || value === NOT_RESOLVED) throw this.#unresolved(start, end)
    return value
  }

  #checkTag(kind: 'seq' | 'map', start: number, end: number): void {
    if (start !== -1 && !['!', tagPrefix + kind].includes(this.#tagName(start, end)))
      throw this.#unresolved(start, end)
  }

  #tagName(start: number, end: number): string {
    const written = this.#text.slice(start, end)
    return written.startsWith('!<') ? written.slice(2, -1) : written.replace(/^!!/, tagPrefix)
  }

  #unresolved(start: number, end: number): ValueError {
    return new ValueError(
      `Unresolved tag: ${this.#text.slice(start, end)}.`,
      'Remove it, or put the value in quotes. A file is sent with the key "file", as in response: { file: a.json }.',
      start,
    )
  }
}

const tagPrefix = 'tag:yaml.org,2002:'
/** Text from the end of a key, or of what is before an item, until after the indicator and white space. */
const emptyValue = /(?:\s|#.*)*: */y
const emptyItem = /(?:[\s\]}]|#.*)*- */y

const plainTags = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]

function resolvePlain(source: string): unknown {
  if (/^[^-+.\d~nNtTfF]/.test(source)) return source
  for (const tag of plainTags) {
    const value: unknown = tag.resolve(source, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value
  }
  // The library takes a number that is too large, such as 1e400, for a text.
  return decimal.test(source) ? Number(source) : source
}

const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

function mergedEntries(key: YamlNode, value: YamlNode): YamlEntry[] {
  return (value.items ?? [value]).flatMap(({ entries }) => {
    // An entry of the map itself stands after one that is merged into it, and takes precedence.
    if (entries) return [...new Map(entries.map((entry) => [entry.name, entry])).values()]
    throw new ValueError(
      '"<<" takes an object, or a list of objects.',
      'Give it the alias of an object.',
      key.offset,
    )
  })
}
