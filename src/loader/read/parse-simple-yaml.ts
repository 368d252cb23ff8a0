import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import type { Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import { YamlError, type YamlList, type YamlMap, type YamlNode, type YamlScalar } from './yaml-node.ts'

/** Maximum nesting. The other parser reads deeper documents, and explains its own maximum. */
const maxDepth = 100
/** Maximum characters of a key. The other parser explains the limit of YAML, which is 1024. */
const maxKeyLength = 1000

/** A tab that may be an indentation, an indented marker, the end of a document, or a byte order mark. */
const notSimple = /(?:^|[-?:]) *\t|^ +---|^\.\.\.|\uFEFF/m

/** Thrown for a text without an error that only the other parser reads. */
class NotSimpleError extends Error {}

/**
 * Parses a YAML document in a fraction of the time that the other parser needs.
 *
 * @throws YamlError without a fix: the other parser explains errors better
 * @throws NotSimpleError for what the two parsers read differently, and what has no position here, such as a tag or a directive
 */
export function parseSimpleYaml(text: string): YamlNode {
  if (notSimple.test(text)) throw new NotSimpleError()
  try {
    return new EventReader(text, parseEvents(text, { maxDepth })).readDocument()
  } catch (error) {
    if (!(error instanceof YAMLException) || !error.mark) throw new NotSimpleError()
    throw new YamlError(`${error.reason}.`, undefined, error.mark.position)
  }
}

/** Makes nodes of the parser's events, which come in the order of the text. */
class EventReader {
  private readonly anchors = new Map<string, YamlNode>()
  private index = 1
  /** Where the last part of the text ends that has been read. */
  private end = 0

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
  ) {}

  readDocument(): YamlNode {
    const [document] = this.events
    if (document?.type !== EVENT_ID.DOCUMENT || document.directives.length > 0) throw new NotSimpleError()
    const root = this.readNode('')
    if (!root || root.type === 'scalar' || this.index !== this.events.length - 1) throw new NotSimpleError()
    return root
  }

  /** @param indicator the character in front of the node if it is empty */
  private readNode(indicator: ':' | '-' | ''): YamlNode | undefined {
    const event = this.events[this.index++]!
    switch (event.type) {
      case EVENT_ID.ALIAS: {
        this.end = event.anchorEnd
        const name = this.nameOf(event)
        return { type: 'alias', offset: event.anchorStart - 1, name, target: this.anchors.get(name) }
      }
      case EVENT_ID.SCALAR: {
        const isEmpty = event.valueStart === -1 && event.anchorStart === -1 && event.tagStart === -1
        return isEmpty ? this.readEmpty(indicator) : this.readScalar(event)
      }
      case EVENT_ID.SEQUENCE:
        this.checkStart(event, indicator)
        return this.readList(event)
      case EVENT_ID.MAPPING:
        this.checkStart(event, indicator)
        return this.readMap(event)
      default:
        throw new NotSimpleError()
    }
  }

  /** The value of a key begins on a line of its own, unless it is in braces or brackets. This parser is more lenient. */
  private checkStart({ start }: { start: number }, indicator: string): void {
    const isOnLine = indicator === ':' && !this.text.slice(this.end, start).includes('\n')
    if (isOnLine && !'[{'.includes(this.text[start]!)) throw new NotSimpleError()
  }

  /** Each entry of a block begins on a line of its own, which this parser does not always check. */
  private checkLine(before: number, entry: YamlNode | undefined): void {
    if (entry && this.text.lastIndexOf('\n', entry.offset) < before - 1) throw new NotSimpleError()
  }

  private nameOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
    if (this.text[anchorEnd - 1] === ':') throw new NotSimpleError() // an error for the other parser
    return this.text.slice(anchorStart, anchorEnd)
  }

  private begin(
    node: YamlScalar | YamlList | YamlMap,
    event: ScalarEvent | SequenceEvent | MappingEvent,
  ): void {
    if (event.tagStart !== -1) throw new NotSimpleError()
    if (event.anchorStart === -1) return
    this.anchors.set(this.nameOf(event), node)
    node.hasAnchor = true
  }

  private readList(event: SequenceEvent): YamlList {
    const list: YamlList = { type: 'list', offset: event.start, items: [] }
    this.begin(list, event)
    const isFlow = this.text[event.start] === '['
    this.end = event.start + (isFlow ? 1 : 0)
    while (this.events[this.index]!.type !== EVENT_ID.POP) {
      const before = this.end
      const item = this.readNode('-')
      if (!isFlow && list.items.length > 0) this.checkLine(before, item)
      list.items.push(item)
    }
    this.index++
    if (isFlow) this.end = this.find(']', ',') + 1
    return list
  }

  private readMap(event: MappingEvent): YamlMap {
    const map: YamlMap = { type: 'map', offset: event.start, pairs: [] }
    this.begin(map, event)
    const isFlow = this.text[event.start] === '{'
    this.end = event.start + (isFlow ? 1 : 0)
    while (this.events[this.index]!.type !== EVENT_ID.POP) {
      const before = this.end
      const key = this.readNode('')
      if (!isFlow && map.pairs.length > 0) this.checkLine(before, key)
      const isName = key?.type === 'scalar' || key?.type === 'alias'
      if (!isName || this.end - key.offset > maxKeyLength) throw new NotSimpleError()
      if (key.type === 'scalar' && key.value === '<<' && this.text[key.offset] === '<') key.isMergeKey = true
      map.pairs.push({ key, value: this.readNode(':') })
    }
    if (this.text[event.start] === '&') map.offset = map.pairs[0]!.key!.offset // the anchor of the key
    this.index++
    if (isFlow) this.end = this.find('}', ',') + 1
    return map
  }

  /** A value that is not written is behind its indicator; without one, it has no position. */
  private readEmpty(indicator: ':' | '-' | ''): YamlScalar | undefined {
    const start = this.skipSpace(this.end)
    if (indicator === '' || this.text[start] !== indicator) return undefined
    this.end = start + 1
    while (this.text[this.end] === ' ') this.end++
    return { type: 'scalar', offset: this.end, value: null }
  }

  private readScalar(event: ScalarEvent): YamlScalar {
    if (event.valueStart === -1) throw new NotSimpleError()
    const value = getScalarValue(this.text, event)
    const scalar: YamlScalar = { type: 'scalar', offset: event.valueStart, value }
    this.begin(scalar, event)
    switch (event.style) {
      case SCALAR_STYLE.PLAIN: {
        this.end = event.valueEnd
        scalar.value = resolvePlain(value)
        if (typeof scalar.value === 'number') scalar.source = value
        break
      }
      case SCALAR_STYLE.SINGLE_QUOTED:
      case SCALAR_STYLE.DOUBLE_QUOTED: {
        // An escape of a character that does not exist is an error for the other parser alone.
        if (!event.fast && this.text.slice(event.valueStart, event.valueEnd).includes('\\U'))
          throw new NotSimpleError()
        scalar.offset--
        this.end = event.valueEnd + 1
        break
      }
      default:
        if (event.anchorEnd > this.end) this.end = event.anchorEnd
        scalar.offset = this.find('|>', ':-?')
        this.end = event.valueEnd
        if (this.end === this.text.length && this.text.endsWith(' ')) throw new NotSimpleError()
    }
    return scalar
  }

  /** The offset of the next of some characters, behind nothing but white space, comments and other characters. */
  private find(characters: string, others: string): number {
    let offset = this.skipSpace(this.end)
    while (offset < this.text.length && others.includes(this.text[offset]!))
      offset = this.skipSpace(offset + 1)
    if (offset >= this.text.length || !characters.includes(this.text[offset]!)) throw new NotSimpleError()
    return offset
  }

  private skipSpace(start: number): number {
    let offset = start
    for (;;) {
      const character = this.text[offset]
      if (character === '#') {
        const lineEnd = this.text.indexOf('\n', offset)
        offset = lineEnd === -1 ? this.text.length : lineEnd
      } else if (character === ' ' || character === '\n' || character === '\t' || character === '\r') offset++
      else return offset
    }
  }
}

const keywords = new Map<string, boolean | null>([
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])
const number = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/
const infinity = /^[-+]?\.(?:inf|Inf|INF)$/
const notANumber = /^\.(?:nan|NaN|NAN)$/

/** The value of a scalar without quotes in the core schema of YAML 1.2. */
function resolvePlain(source: string): string | number | boolean | null {
  const keyword = keywords.get(source)
  if (keyword !== undefined) return keyword
  if (!/^[-+.\d]/.test(source)) return source
  if (number.test(source)) return Number(source)
  if (infinity.test(source)) return source.startsWith('-') ? -Infinity : Infinity
  return notANumber.test(source) ? NaN : source
}
