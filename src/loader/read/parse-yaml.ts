import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser, type Document } from 'yaml'
import { explainYaml } from './explain-yaml.ts'
import { YamlError, type YamlList, type YamlMap, type YamlNode, type YamlScalar } from './yaml-node.ts'

/** Maximum nesting of lists and maps. */
const maxDepth = 1000

const options = {
  schema: 'core', // even if a directive asks for YAML 1.1, which has types that JSON does not have
  merge: true,
  resolveKnownTags: false,
  uniqueKeys: false, // checked by toValue, in linear time
} as const

/**
 * Parses one YAML document like the library's `parseDocument`, but with a maximum depth: the library is recursive, and a
 * stack overflow inside V8's regular expression compiler ends the process.
 *
 * @throws YamlError at the first error
 */
export function parseYaml(text: string): YamlNode | undefined {
  const composer = new Composer(options)
  const [document, second] = withoutStackTraces(() => [
    ...firstTwo(composer.compose(tokensOf(text), true, text.length)),
  ])
  // An unknown tag, such as `!include`, would be ignored silently.
  const unknownTag = document!.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  const error = document!.errors[0] ?? unknownTag
  if (error?.code === 'RESOURCE_EXHAUSTION') throw error
  if (error) throw explainYaml(error, text)
  if (second) throw explainYaml({ message: multipleDocuments, pos: second.range }, text)
  return toNode(document as Document)
}

/** The library's own aliases search the whole document for their anchors. */
function toNode(document: Document): YamlNode | undefined {
  const anchors = new Map<string, YamlNode>()
  return convert(document.contents)

  function convert(node: unknown): YamlNode | undefined {
    if (isAlias(node))
      return { type: 'alias', offset: startOf(node), name: node.source, target: anchors.get(node.source) }
    if (isMap(node)) {
      const map = begin<YamlMap>({ type: 'map', offset: startOf(node), pairs: [] }, node.anchor)
      for (const { key, value } of node.items) map.pairs.push({ key: convert(key), value: convert(value) })
      return map
    }
    if (isSeq(node)) {
      const list = begin<YamlList>({ type: 'list', offset: startOf(node), items: [] }, node.anchor)
      for (const item of node.items) list.items.push(convert(item))
      return list
    }
    if (!isScalar(node)) return undefined
    const isMergeKey = typeof node.value === 'symbol'
    const value = isMergeKey ? '<<' : (node.value as YamlScalar['value'])
    return begin<YamlScalar>(
      { type: 'scalar', offset: startOf(node), value, source: node.source, isMergeKey },
      node.anchor,
    )
  }

  function begin<T extends YamlMap | YamlList | YamlScalar>(node: T, anchor: string | undefined): T {
    if (!anchor) return node
    node.hasAnchor = true
    anchors.set(anchor, node)
    return node
  }
}

function startOf({ range }: { range?: [number, number, number] | null }): number {
  return range![0]
}

/** The library creates an error object per mistake, and a text can have a hundred thousand of them. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The library's own message. */
const multipleDocuments = 'Source contains multiple documents'

function* firstTwo<T>(values: Iterable<T>): Generator<T, void> {
  let count = 0
  for (const value of values) {
    yield value
    if (++count === 2) return
  }
}

function* tokensOf(text: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > maxDepth)
      throw new YamlError(
        `it nests deeper than ${maxDepth} levels`,
        undefined,
        parser.offset,
        'fixture-too-complex',
      )
  }
  yield* parser.end()
}
