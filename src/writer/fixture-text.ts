import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml'
import { unmarked } from '../core/values/exact-number.ts'
import type { KeyPath } from '../core/values/values.ts'
import { writeYaml } from './write-yaml.ts'

/** Says why a text can't be written or changed: the end of a sentence. */
export class UneditableError extends Error {}

export interface MapEntry {
  map: YAMLMap
  pair: Pair
}

/** A part of a text, and the text in its place. */
export interface Splice {
  start: number
  end: number
  written: string
}

/**
 * The text of a YAML or JSON file. Only what has to change is replaced, at its place in the document, so that everything
 * else stays as it is written: comments, anchors, order, quotes.
 */
export class FixtureText {
  readonly document: Document.Parsed

  /** @throws UneditableError for a text with errors */
  constructor(
    readonly text: string,
    readonly isJson = false,
  ) {
    // The YAML parser knows where JSON ends, too, once its comments are blank.
    this.document = parseDocument(isJson ? withoutJsonComments(text) : text, { logLevel: 'silent' })
    if (this.document.errors.length > 0) throw new UneditableError('the file has an error')
  }

  /** `undefined` for what is not in the document itself: reached through an alias, or merged. */
  find(path: KeyPath): Node | undefined {
    let node: unknown = this.document.contents
    for (const key of path) {
      if (isMap(node)) node = entryOf(node, String(key))?.pair.value
      else node = isSeq(node) ? node.items[Number(key)] : undefined
    }
    return isNode(node) ? node : undefined
  }

  /**
   * The names of anchors around a node, or inside of it, that are used.
   *
   * @param counts whether an alias is a use of its anchor
   */
  sharedAnchors(node: Node, counts: (alias: Alias) => boolean = () => true): string[] {
    const used = new Set<string>()
    visit(this.document, { Alias: (_, alias) => void (counts(alias) && used.add(alias.source)) })
    const names: string[] = []
    const [start, end] = node.range!
    visit(this.document, {
      Node(_, one) {
        const { anchor } = one as { anchor?: string }
        if (anchor === undefined || !used.has(anchor) || !one.range) return
        const isAround = one.range[0] <= start && end <= one.range[1]
        const isInside = start <= one.range[0] && one.range[1] <= end
        if (isAround || isInside) names.push(anchor)
      },
    })
    return names
  }

  write(value: unknown): string {
    if (this.isJson || (typeof value === 'string' && value.includes('\n')))
      return unmarked(JSON.stringify(value))
    // In a list, a text is quoted where it has to be inside of braces.
    return unmarked(stringify([value], { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }))
      .trim()
      .slice(1, -1)
      .trim()
      .replaceAll(/\n\s*/g, ' ')
  }

  withValue({ pair }: MapEntry, value: unknown): string {
    const { text } = this
    const written = this.write(value)
    const [, keyEnd] = (pair.key as Node).range!
    const node = pair.value as Node | null
    const colon = text.indexOf(':', keyEnd)
    if (!node?.range || colon === -1) return this.#replaced(keyEnd, keyEnd, `: ${written}`)
    const [start, valueEnd] = node.range
    const end = this.#trimmedEnd(start, valueEnd)
    const between = text.slice(colon + 1, start)
    // An object on its own lines becomes a value on the line of the key, before the comment there.
    if (!between.includes('\n')) {
      const isEmpty = start === end
      return this.#replaced(start, end, isEmpty && !/\s$/.test(between) ? ` ${written}` : written)
    }
    const comment = between.trim()
    return this.#replaced(colon + 1, end, ` ${written}${comment && ` ${comment}`}`)
  }

  /** Removes an entry and the comment behind it. The comments of its neighbours stay. */
  removal({ map, pair }: MapEntry): Splice[] {
    const { text } = this
    const at = map.items.indexOf(pair)
    const [before, next] = [map.items[at - 1], map.items[at + 1]]
    const [start, end] = [startOf(pair), this.#endOf(pair)]
    const splice = (from: number, to: number, written = '') => ({ start: from, end: to, written })
    if (map.items.length === 1 && !map.flow) return [splice(start, end, '{}')]
    const lineEnd = this.#lineEnd(end)
    const rest = text.slice(end, lineEnd)
    const [comma = ''] = /^\s*,\s*/.exec(rest) ?? []
    const isToLineEnd = restOfLine.test(rest) && (!map.flow || !next || comma !== '')
    const lineStart = text.lastIndexOf('\n', start - 1) + 1
    const isFirstInLine = text.slice(lineStart, start).trim() === ''
    const cut = () => {
      if (isToLineEnd && isFirstInLine) return splice(lineStart, Math.min(lineEnd + 1, text.length))
      // A comment behind several entries is about all of them.
      const isAlone = !before || this.#endOf(before) <= lineStart
      if (isToLineEnd && isAlone)
        return splice(start, next ? lineEnd + text.slice(lineEnd).search(/\S/) : lineEnd)
      return splice(start, next && comma === '' ? startOf(next) : end + comma.length)
    }
    if (!map.flow || next || !before) return [cut()]
    const endBefore = this.#endOf(before)
    const [commaBefore] = /^\s*,(?=[^]*\n)/.exec(text.slice(endBefore, start)) ?? []
    if (commaBefore === undefined) return [splice(endBefore, end)]
    return [splice(endBefore, endBefore + commaBefore.length, comma && commaBefore), cut()]
  }

  renaming({ pair }: MapEntry, name: string): Splice {
    const [start, end] = (pair.key as Node).range!
    return { start, end, written: this.#nameLike(pair, name) }
  }

  /** Adds an entry at the end of a map. */
  addition(map: YAMLMap, name: string, value: unknown): Splice[] {
    const { text } = this
    const last = map.items.at(-1)
    const key = this.#nameLike(last, name)
    if (!last) {
      const at = text.indexOf('{', map.range![0]) + 1
      const written = `${key}: ${this.write(value)}`
      return [{ start: at, end: at, written: this.isJson ? written : ` ${written} ` }]
    }
    const insertion = (at: number, written: string) => ({ start: at, end: at, written })
    const end = this.#endOf(last)
    const lineEnd = this.#lineEnd(end)
    const start = startOf(last)
    const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).replace(/[^\t]/g, ' ')
    if (!map.flow) return [insertion(lineEnd, `\n${indent}${key}: ${this.write(value)}`)]
    // A comment stays behind the entry that it is about.
    const rest = text.slice(end, lineEnd)
    if (!restOfLine.test(rest) || text.slice(0, start).search(/\n\s*$/) === -1)
      return [insertion(end, `, ${key}: ${this.write(value)}`)]
    const written = this.isJson
      ? JSON.stringify(value, null, indent.startsWith('\t') ? '\t' : 2).replaceAll('\n', `\n${indent}`)
      : this.write(value)
    const comma = rest.startsWith(',') ? ',' : ''
    return [insertion(end, comma ? '' : ','), insertion(lineEnd, `\n${indent}${key}: ${written}${comma}`)]
  }

  /** A key in the quotes of another one. */
  #nameLike(pair: Pair | undefined, name: string): string {
    const quote = pair && this.text[startOf(pair)]
    // Single quotes have no escapes for what YAML does not allow as it is.
    if (quote === "'" && !this.isJson && !/\p{Cc}/u.test(name)) return `'${name.replaceAll("'", "''")}'`
    return quote === '"' ? JSON.stringify(name) : this.write(name)
  }

  with(splices: readonly Splice[]): string {
    return splices
      .toSorted((a, b) => a.start - b.start)
      .reduceRight(
        (text, { start, end, written }) => text.slice(0, start) + written + text.slice(end),
        this.text,
      )
  }

  /** The text with a route in place of another, whose comments are gone too. */
  withReplaced(path: KeyPath, definition: object): string {
    const node = this.find(path)
    if (!node?.range) throw new UneditableError('the route is an alias')
    const [start, valueEnd] = node.range
    const isOutside = ({ range }: Alias) => !!range && (range[0] < start || range[0] >= valueEnd)
    const [anchor] = this.sharedAnchors(node, isOutside)
    if (anchor !== undefined)
      throw new UneditableError(`it has the anchor &${anchor}, which is used elsewhere in the file`)
    const end = this.#trimmedEnd(start, valueEnd)
    const isFlow = this.isJson || (node as { flow?: boolean }).flow
    const written = isFlow ? this.#flowText(definition) : writeYaml([definition]).trimEnd().slice(2)
    const indent = isFlow ? this.#indentAt(start) : this.#columnOf(start) - 2
    return this.#replaced(start, end, written.replaceAll(/\n(?=.)/g, `\n${' '.repeat(Math.max(0, indent))}`))
  }

  #flowText(definition: object): string {
    return this.isJson ? unmarked(JSON.stringify(definition, null, 2)) : this.write(definition)
  }

  /** The text with routes at the end of its list: definitions, or YAML where the file is written in lines. */
  withRoutes(definitions: readonly object[], yaml: string): string {
    const { contents } = this.document
    const list = isMap(contents) ? entryOf(contents, 'routes')?.pair.value : contents
    if (list === null || list === undefined || (isScalar(list) && list.value === null)) {
      const before = this.text.trimEnd()
      if (!isMap(contents)) {
        const added = this.isJson ? `${unmarked(JSON.stringify(definitions, null, 2))}\n` : yaml
        return before === '' || before === 'null' ? added : `${before}\n${added}`
      }
    }
    if (!isSeq(list)) throw new UneditableError('its routes are not a list')
    const [start, valueEnd] = list.range!
    if (list.flow) return this.#withFlowRoutes(list.items as Node[], valueEnd, definitions)
    const indent = this.#columnOf(start)
    const lines = yaml
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : ' '.repeat(indent) + line))
    const end = this.#lineEnd(this.#trimmedEnd(start, valueEnd))
    const isDense = list.items.length > 1 && !/\n[ \t]*\n[ \t]*-/.test(this.text.slice(start, valueEnd))
    if (endsWithKeptLines(list)) return this.#replaced(valueEnd, valueEnd, `${lines.join('\n')}\n`)
    const added = `${isDense ? '\n' : '\n\n'}${lines.join('\n')}`
    return this.#replaced(end, end, end === this.text.length ? `${added}\n` : added)
  }

  #withFlowRoutes(items: readonly Node[], valueEnd: number, definitions: readonly object[]): string {
    const { text } = this
    const close = text.lastIndexOf(']', valueEnd)
    const last = items.at(-1)?.range
    const before = last && text.slice(text.lastIndexOf('\n', last[0] - 1) + 1, last[0])
    const pad = before?.trim() === '' ? before : ' '.repeat(before?.length ?? this.#indentAt(close) + 2)
    const unit = pad.includes('\t') ? '\t' : 2
    const written = definitions
      .map((definition) => unmarked(JSON.stringify(definition, null, unit)).replaceAll('\n', `\n${pad}`))
      .join(`,\n${pad}`)
    const end = last ? last[1] : text.slice(0, close).trimEnd().length
    const hasComma = !last || text.slice(end, close).trimStart().startsWith(',')
    const closing = text.slice(end, close).includes('\n')
      ? ''
      : `\n${' '.repeat(Math.max(0, pad.length - 2))}`
    const after = hasComma && last ? text.indexOf(',', end) + 1 : end
    // A comment stays behind the route that it is about.
    const lineEnd = this.#lineEnd(after)
    const isComment = /^\s*(?:(?:#|\/\/).*|\/\*.*\*\/\s*)$/.test(text.slice(after, lineEnd))
    const at = last && isComment && lineEnd < close ? lineEnd : after
    return this.with([
      { start: after, end: after, written: hasComma ? '' : ',' },
      { start: at, end: at, written: `\n${pad}${written}${closing}` },
    ])
  }

  #endOf({ key, value }: Pair): number {
    const [, keyEnd] = (key as Node).range!
    const range = (value as Node | null)?.range
    return range ? this.#trimmedEnd(range[0], range[1]) : keyEnd
  }

  /** The end of a node without the white space behind it. */
  #trimmedEnd(start: number, end: number): number {
    return start + this.text.slice(start, end).trimEnd().length
  }

  #indentAt(offset: number): number {
    const line = this.text.slice(this.text.lastIndexOf('\n', offset - 1) + 1)
    return line.search(/\S/)
  }

  #lineEnd(offset: number): number {
    const end = this.text.indexOf('\n', offset)
    return end === -1 ? this.text.length : end
  }

  #columnOf(offset: number): number {
    return offset - this.text.lastIndexOf('\n', offset - 1) - 1
  }

  #replaced(start: number, end: number, written: string): string {
    return this.with([{ start, end, written }])
  }
}

/** Nothing but a comma and a comment. */
const restOfLine = /^\s*,?\s*(?:(?:#|\/\/).*|\/\*.*\*\/\s*)?$/

function startOf({ key }: Pair): number {
  return (key as Node).range![0]
}

/** Whether empty lines at the end are part of a text, as in `|+`. */
function endsWithKeptLines(node: unknown): boolean {
  if (isMap(node)) return endsWithKeptLines(node.items.at(-1)?.value)
  return isSeq(node)
    ? endsWithKeptLines(node.items.at(-1))
    : isScalar(node) && /\n\n$/.test(String(node.value))
}

/** An entry of the map itself, not a merged one. */
export function entryOf(map: YAMLMap, name: string): MapEntry | undefined {
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  return pair && { map, pair }
}

/** Comments and tabs become spaces, so that every place stays the same. */
function withoutJsonComments(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/[^\n]*|\/\*[^]*?\*\/|\t/g, (part) =>
    /["']/.test(part[0]!) ? part : part.replaceAll(/[^\n]/g, ' '),
  )
}
