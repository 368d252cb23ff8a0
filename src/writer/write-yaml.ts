import { Document, isMap, visit, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'

/** Longest collection that stands on one line. The library breaks longer ones. */
const maxLine = 60

/**
 * Routes as the text of a fixture file: small objects and lists on one line, everything else line by line, and an empty line
 * between two routes. It is formatted as Prettier would, except for long lines.
 */
export function writeYaml(routes: readonly object[]): string {
  const document = new Document(routes, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      const type = typeof node.value === 'string' ? scalarType(node.value) : undefined
      if (type) node.type = type
    },
    Collection(_, node, path) {
      // Of the path, the first is the document, then the list, and then the route.
      if (path.length <= 2) node.spaceBefore = path.length === 2 && node !== (path[1] as YAMLSeq).items[0]
      else if (isShort(node)) putOnOneLine(node)
    },
  })
  return document.toString({ lineWidth: 0, singleQuote: true })
}

/** How a string is written where the library's choice is not read back as the same by everyone, or hard to read. */
function scalarType(text: string): Scalar.Type | undefined {
  if (text === '<<') return 'QUOTE_SINGLE' // otherwise it merges, as in YAML 1.1
  if (!text.includes('\n')) return undefined
  const isPlainText = /^\S/.test(text) && /\S\n?$/.test(text) && !/[\t\r]|[ ]\n/.test(text)
  return isPlainText ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE'
}

function isShort(node: YAMLMap | YAMLSeq): boolean {
  const text = JSON.stringify(node)
  return text.length <= maxLine && !text.includes('\\n')
}

/** `{ id: 7 }` and `[7]`: the library has the same spaces inside of both brackets. */
function putOnOneLine(node: YAMLMap | YAMLSeq): void {
  node.flow = true
  const padding = isMap(node) ? ' ' : ''
  const write = node.toString.bind(node)
  node.toString = (context, ...rest) =>
    write(context && { ...context, flowCollectionPadding: padding }, ...rest)
}
