import { Document, isMap, visit, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { bidirectional, visible } from '../core/diagnostics/format.ts'
import { unmarked } from '../core/values/exact-number.ts'

/** The library breaks longer collections. */
const maxLine = 60

/** YAML as Prettier formats it, except for long lines; an empty line separates routes. A note is a comment above its route. */
export function writeYaml(routes: readonly object[], notes: readonly (string | undefined)[] = []): string {
  const document = new Document(routes, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      const type = typeof node.value === 'string' ? scalarType(node.value) : undefined
      if (type) node.type = type
    },
    Collection(_, node, path) {
      // The path: document, list, route.
      if (path.length <= 2) node.spaceBefore = path.length === 2 && node !== (path[1] as YAMLSeq).items[0]
      else if (isShort(node)) putOnOneLine(node)
    },
  })
  for (const [index, note] of notes.entries())
    if (note !== undefined)
      (document.contents as unknown as YAMLSeq<YAMLMap>).items[index]!.commentBefore = ` ${note}`
  return visible(unmarked(document.toString({ lineWidth: 0, singleQuote: true }))) // the library escapes only some
}

/** The style of a text, where the library's choice is ambiguous or hard to read. */
function scalarType(text: string): Scalar.Type | undefined {
  if (text === '<<') return 'QUOTE_SINGLE' // otherwise it merges, as in YAML 1.1
  if (text.search(bidirectional) !== -1) return 'QUOTE_DOUBLE' // where they are escaped
  if (!text.includes('\n')) return undefined
  const isPlainText = /^\S/.test(text) && /\S\n?$/.test(text) && !/[\t\r]|[ ]\n/.test(text)
  return isPlainText ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE'
}

function isShort(node: YAMLMap | YAMLSeq): boolean {
  const text = JSON.stringify(node)
  return text.length <= maxLine && !text.includes('\\n')
}

/** `{ id: 7 }` and `[7]`: the library pads both alike. */
function putOnOneLine(node: YAMLMap | YAMLSeq): void {
  node.flow = true
  const padding = isMap(node) ? ' ' : ''
  const write = node.toString.bind(node)
  node.toString = (context, ...rest) =>
    write(context && { ...context, flowCollectionPadding: padding }, ...rest)
}
