import type { YamlList, YamlMap, YamlNode, YamlScalar } from './yaml-node.ts'
import { lineEnd, spaces, toScalar, YamlText } from './yaml-text.ts'

/** Maximum nesting. The other parser reads deeper documents, and explains its own maximum. */
const maxDepth = 100
/** Maximum characters of a key. The other parser explains the limit of YAML, which is 1024. */
const maxKeyLength = 1000

// Each matches at the position of the reader.
const startMarker = /---(?: +#[^\n]*| *)\n/y
const colon = / *:(?=[ \n]|$)/y
const anchorName = /&[\w.-]+(?=[ \n]|$)/y
const anchorNameInFlow = /&[\w.-]+(?= )/y
const aliasName = /\*[\w.-]+(?=[ \n,\]}]|$)/y
const plain =
  /(?:[^ \n\t\-?:,[\]{}#&*!|>'"%@`]|-(?=[^ \n\t]))[^:#\n\t]*(?:(?::(?=[^ \n\t])|(?<=[^ \n\t])#)[^:#\n\t]*)*/y
const plainInFlow =
  /(?:[^ \n\t\-?:,[\]{}#&*!|>'"%@`]|-(?=[^ \n\t,[\]{}]))[^:#\n\t,[\]{}]*(?:(?::(?=[^ \n\t,[\]{}])|(?<=[^ \n\t])#)[^:#\n\t,[\]{}]*)*/y

/**
 * Parses what fixture files are made of: lists and maps in both styles, scalars in all styles, anchors and aliases. It exists
 * for the start of the dev server, where each parser of the registry takes longer to import and to warm up than all the rest
 * of a file's loading. It reads nothing that it is not sure of.
 *
 * @throws YamlError at the first mistake, and at what only the other parser reads: tags, directives, explicit keys, anchors of
 * keys, tabs, rare escapes
 */
export function parseSimpleYaml(text: string): YamlNode | undefined {
  return new Reader(text).readDocument()
}

/** Lists and maps, in block style and in flow style. */
class Reader extends YamlText {
  private depth = 0
  private readonly anchors = new Map<string, YamlNode>()
  /** Names of anchors whose nodes are being read. */
  private readonly open = new Set<string>()

  readDocument(): YamlNode | undefined {
    const { text } = this
    this.toContent()
    const hasMarker = this.indent === 0 && this.take(startMarker)
    if (hasMarker) this.toContent()
    for (const mark of ['\n---', '\n...', '\uFEFF']) {
      const offset = text.indexOf(mark, Math.max(0, this.lineStart - 1))
      if (offset !== -1) this.fail(offset)
    }
    if (this.indent === -1 && !hasMarker) return undefined
    const root = this.readNode(-1, this.indent)
    if (root.type === 'scalar' || root.type === 'alias' || this.indent !== -1) this.fail()
    return root
  }

  /**
   * A node in block style, up to the end of its last line.
   *
   * @param parent the column of the list or map that it is in
   * @param column its own column if it may be a list or a map in block style
   */
  private readNode(parent: number, column?: number): YamlNode {
    switch (this.text[this.position]) {
      case '[':
      case '{':
      case '*':
        return this.atLineEnd(this.readInFlow(parent))
      case '&':
        return this.readAnchored(anchorName, () =>
          this.isAtLineEnd() ? this.readBelow(parent) : this.readNode(parent),
        )
      case '|':
      case '>':
        return this.readBlockScalar(parent)
      case '"':
      case "'": {
        const scalar = this.readQuoted(parent)
        const isKey = column !== undefined && this.take(colon)
        return isKey ? this.readMap(column, scalar) : this.atLineEnd(scalar)
      }
      default: {
        if (column !== undefined && this.isAtDash()) return this.readList(column)
        const offset = this.position
        const source = this.readPlain(plain)
        const isKey = column !== undefined && this.take(colon)
        return isKey
          ? this.readMap(column, toKey(source, offset))
          : this.readPlainLines(source, offset, parent)
      }
    }
  }

  private readList(column: number): YamlList {
    this.enter()
    const list: YamlList = { type: 'list', offset: this.position, items: [] }
    do {
      this.position++
      list.items.push(this.readEntry(column, true))
    } while (this.indent === column && this.isAtDash())
    if (this.indent > column) this.fail()
    this.depth--
    return list
  }

  /** @param first its first key, behind which the position is */
  private readMap(column: number, first: YamlScalar): YamlMap {
    this.enter()
    const map: YamlMap = { type: 'map', offset: first.offset, pairs: [] }
    for (let key = first; ; key = this.readKey()) {
      this.checkKey(key)
      map.pairs.push({ key, value: this.readEntry(column, false) })
      if (this.indent !== column) break
    }
    if (this.indent > column) this.fail()
    this.depth--
    return map
  }

  private readKey(): YamlScalar {
    const offset = this.position
    const key = this.isAtQuote() ? this.readQuoted(offset) : toKey(this.readPlain(plain), offset)
    if (!this.take(colon)) this.fail()
    return key
  }

  private checkKey({ offset }: YamlScalar): void {
    if (this.position - offset > maxKeyLength || this.lineStart > offset) this.fail()
  }

  /** What is behind a dash or a colon. A list or a map may begin behind a dash, and on the next line. */
  private readEntry(column: number, isItem: boolean): YamlNode {
    const start = this.position
    this.take(spaces)
    const offset = this.position
    if (!this.isAtLineEnd()) return this.readNode(column, isItem ? offset - this.lineStart : undefined)
    this.position = start
    this.toNextLine()
    if (this.indent > column) return this.readNode(column, this.indent)
    const isList = !isItem && this.indent === column && this.isAtDash()
    return isList ? this.readList(column) : { type: 'scalar', offset, value: null }
  }

  /** A node that begins on the line after this one. */
  private readBelow(parent: number): YamlNode {
    this.toNextLine()
    if (this.indent <= parent) this.fail()
    return this.readNode(parent, this.indent)
  }

  /** @param readRest reads the node, behind the anchor */
  private readAnchored(pattern: RegExp, readRest: () => YamlNode): YamlNode {
    const start = this.position + 1
    if (!this.take(pattern)) this.fail()
    const name = this.text.slice(start, this.position)
    if (this.open.has(name)) this.fail()
    this.open.add(name)
    this.take(spaces)
    const node = readRest()
    if (node.type === 'alias' || node.hasAnchor) this.fail()
    node.hasAnchor = true
    this.anchors.set(name, node)
    this.open.delete(name)
    return node
  }

  /** A node in flow style. @param parent the column of the list or map in block style that it is in */
  private readInFlow(parent: number): YamlNode {
    const offset = this.position
    switch (this.text[offset]) {
      case '[':
        return this.readFlowList(parent)
      case '{':
        return this.readFlowMap(parent)
      case '"':
      case "'":
        return this.readQuoted(parent)
      case '&':
        return this.readAnchored(anchorNameInFlow, () => this.readInFlow(parent))
      case '*': {
        if (!this.take(aliasName)) this.fail()
        const name = this.text.slice(offset + 1, this.position)
        if (this.open.has(name)) this.fail()
        return { type: 'alias', offset, name, target: this.anchors.get(name) }
      }
      default:
        return toScalar(this.readPlain(plainInFlow), offset)
    }
  }

  private readFlowList(parent: number): YamlList {
    this.enter()
    const list: YamlList = { type: 'list', offset: this.position++, items: [] }
    this.skipInFlow(parent)
    while (this.text[this.position] !== ']') {
      list.items.push(this.readInFlow(parent))
      this.toNextInFlow(']', parent)
    }
    this.position++
    this.depth--
    return list
  }

  private readFlowMap(parent: number): YamlMap {
    this.enter()
    const map: YamlMap = { type: 'map', offset: this.position++, pairs: [] }
    this.skipInFlow(parent)
    while (this.text[this.position] !== '}') {
      const start = this.position
      const key = this.isAtQuote() ? this.readQuoted(start) : toKey(this.readPlain(plainInFlow), start)
      this.take(spaces)
      this.checkKey(key)
      map.pairs.push({ key, value: this.readFlowValue(parent) })
      this.toNextInFlow('}', parent)
    }
    this.position++
    this.depth--
    return map
  }

  private readFlowValue(parent: number): YamlNode | undefined {
    if (this.text[this.position] !== ':') return undefined
    this.position++
    this.take(spaces)
    const offset = this.position
    this.skipInFlow(parent)
    const isEmpty = ',}'.includes(this.text[this.position] ?? ' ')
    return isEmpty ? { type: 'scalar', offset, value: null } : this.readInFlow(parent)
  }

  private toNextInFlow(end: string, parent: number): void {
    this.skipInFlow(parent)
    const character = this.text[this.position]
    if (character === ',') {
      this.position++
      this.skipInFlow(parent)
    } else if (character !== end) this.fail()
  }

  private skipInFlow(parent: number): void {
    if (this.take(lineEnd)) {
      this.toContent()
      if (this.indent <= parent) this.fail()
    } else this.take(spaces)
  }

  private enter(): void {
    if (++this.depth > maxDepth) this.fail()
  }

  private atLineEnd<T extends YamlNode>(node: T): T {
    this.toNextLine()
    return node
  }
}

function toKey(source: string, offset: number): YamlScalar {
  const key = toScalar(source, offset)
  if (source === '<<') key.isMergeKey = true
  return key
}
