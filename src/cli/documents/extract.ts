import {
  isNode,
  nameOf,
  parseCode,
  positionAt,
  unwrap,
  walk,
  type ParsedCode,
  type Node,
} from '../../loader/code.ts'

/** Interpolations are blank, so that the rest keeps its position. */
export interface DocumentText {
  text: string
  /** Line and column of the document's start in the file. Both count from 1. */
  line: number
  column: number
}

const graphqlFile = /\.(?:graphql|graphqls|gql)$/
const markupFile = /\.(?:vue|svelte|astro|html)$/
const tags = new Set(['gql', 'graphql'])

/**
 * A GraphQL file as a whole; in code the templates that are tagged `gql` or `graphql`, passed to such a function, after the
 * comment GraphQL, or beginning with it.
 *
 * @returns `undefined` for a syntax error
 */
export function extractDocuments(text: string, file: string): DocumentText[] | undefined {
  if (graphqlFile.test(file)) return [{ text, line: 1, column: 1 }]
  if (!/gql|graphql/i.test(text)) return []
  const isMarkup = markupFile.test(file)
  const code = parseCode(isMarkup ? onlyScripts(text) : text, isMarkup ? 'script.tsx' : file)
  return (
    code &&
    templatesIn(code).map((node) => ({ text: textInQuotes(text, node), ...positionAt(text, node.start + 1) }))
  )
}

/** Keeps positions: everything but the scripts is blank. */
function onlyScripts(text: string): string {
  const script = /(?:<script\b[^>]*>|^---\n)([\s\S]*?)(?:<\/script>|\n---$)/gim
  let result = ''
  for (const match of text.matchAll(script)) {
    const start = match.index + match[0].indexOf(match[1]!, match[0].search(/[>\n]/))
    result += blank(text.slice(result.length, start)) + match[1]!
  }
  return result + blank(text.slice(result.length))
}

function templatesIn({ body, comments }: ParsedCode): Node[] {
  const marks = comments.filter(({ value }) => /^\s*GraphQL\s*$/i.test(value)).map(({ end }) => end)
  const found = new Set<Node>()
  for (const node of walk(body)) {
    if (node.type === 'TaggedTemplateExpression' && isTag(node['tag'])) found.add(node['quasi'] as Node)
    if (node.type === 'CallExpression' && isTag(node['callee'])) {
      const [first] = node['arguments'] as Node[]
      const argument = first && unwrap(first)
      if (argument?.type === 'TemplateLiteral' || argument?.type === 'StringLiteral') found.add(argument)
    }
    if (node.type === 'TemplateLiteral' && (hasMark(node, marks) || beginsWithMark(node))) found.add(node)
  }
  return [...found].sort((a, b) => a.start - b.start)
}

function isTag(node: unknown): boolean {
  if (!isNode(node)) return false
  const name = nameOf(node.type === 'MemberExpression' ? node['property'] : node)
  return name !== undefined && tags.has(name)
}

function hasMark({ start, leadingComments }: Node, marks: readonly number[]): boolean {
  const comments = (leadingComments ?? []) as Node[]
  return comments.some(({ end }) => end <= start && marks.includes(end))
}

/** Whether a template literal begins with `#graphql`, as in projects of Shopify's Hydrogen. */
function beginsWithMark({ quasis }: Node): boolean {
  const [first] = quasis as { value: { raw: string } }[]
  return /^\s*#\s*GraphQL\b/i.test(first?.value.raw ?? '')
}

function textInQuotes(text: string, { type, start, end, expressions }: Node): string {
  let document = ''
  let read = start + 1
  for (const expression of type === 'TemplateLiteral' ? (expressions as Node[]) : []) {
    const dollar = text.lastIndexOf('${', expression.start)
    const close = text.indexOf('}', expression.end) + 1
    document += text.slice(read, dollar) + blank(text.slice(dollar, close))
    read = close
  }
  return document + text.slice(read, end - 1)
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}
