import { isNode, nameOf, parseCode, unwrap, walk, type Code, type Node } from '../code/parse-code.ts'

/** A GraphQL document in a file: everything around it, and what is interpolated, is blank, so that positions are the file's. */
export type DocumentText = string

/** Files whose text is a document as a whole. */
const graphqlFile = /\.(?:graphql|graphqls|gql)$/
/** Files with markup around their scripts. */
const markupFile = /\.(?:vue|svelte|astro|html)$/
const tags = new Set(['gql', 'graphql'])

/**
 * The documents in the text of a file: the whole of a GraphQL file; in code the template literals that are tagged `gql` or
 * `graphql`, that are passed to such a function, or that follow the comment GraphQL.
 *
 * @returns `undefined` if code has a syntax error
 */
export function extractDocuments(text: string, file: string): DocumentText[] | undefined {
  if (graphqlFile.test(file)) return [text]
  if (!/gql|graphql/i.test(text)) return []
  const isMarkup = markupFile.test(file)
  const code = parseCode(isMarkup ? onlyScripts(text) : text, isMarkup ? 'script.tsx' : file)
  return code && templatesIn(code).map((template) => documentIn(text, template))
}

/** The text of a component with everything but its scripts blank. */
function onlyScripts(text: string): string {
  const script = /(?:<script\b[^>]*>|^---\n)([\s\S]*?)(?:<\/script>|\n---$)/gim
  let result = ''
  for (const match of text.matchAll(script)) {
    const start = match.index + match[0].indexOf(match[1]!, match[0].search(/[>\n]/))
    result += blank(text.slice(result.length, start)) + match[1]!
  }
  return result + blank(text.slice(result.length))
}

function templatesIn({ body, comments }: Code): Node[] {
  const marks = comments.filter(({ value }) => /^\s*GraphQL\s*$/i.test(value)).map(({ end }) => end)
  const found = new Set<Node>()
  for (const node of walk(body)) {
    if (node.type === 'TaggedTemplateExpression' && isTag(node['tag'])) found.add(node['quasi'] as Node)
    if (node.type === 'CallExpression' && isTag(node['callee'])) {
      const [first] = node['arguments'] as Node[]
      const argument = first && unwrap(first)
      if (argument?.type === 'TemplateLiteral' || argument?.type === 'StringLiteral') found.add(argument)
    }
    if (node.type === 'TemplateLiteral' && hasMark(node, marks)) found.add(node)
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

function documentIn(text: string, { type, start, end, expressions }: Node): DocumentText {
  const inside = type === 'TemplateLiteral' ? (expressions as Node[]) : []
  let document = blank(text.slice(0, start + 1))
  for (const expression of inside) {
    const dollar = text.lastIndexOf('${', expression.start)
    const close = text.indexOf('}', expression.end) + 1
    document += text.slice(document.length, dollar) + blank(text.slice(dollar, close))
  }
  return document + text.slice(document.length, end - 1)
}

/** The same number of lines and characters, without any content. */
function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}
