import {
  declaredValue,
  findExported,
  isNode,
  keyOf,
  nameOf,
  parseCode,
  propertyOf,
  unwrap,
  walk,
  type Code,
  type Node,
} from '../code/code.ts'
import type { Bundler } from './project.ts'

/** The config with the plugin in it; or why it is left alone. */
export type EditedConfig = ({ text: string } | { isDone: true } | { reason: string }) & {
  /** The option that names the folder of the project, if it is there: a path relative to the config, or `false` for code. */
  root?: string | false | undefined
}

/** Adds the plugin to the text of a config. Everything else in it stays as it is. */
export function editConfig(text: string, name: string, bundler: Bundler): EditedConfig {
  const code = parseCode(text, name)
  if (!code) return { reason: 'it has a syntax error' }
  const found = findExported(code)
  const isObject = found?.node.type === 'ObjectExpression'
  const root = isObject && bundler.root ? rootIn(text, found.node, bundler.root) : undefined
  if (importsUs(code)) return { isDone: true, root }
  if (!isObject) return { reason: 'it does not export one object' }
  const local = freeName(code)
  const inserted = insertPlugin(text, code, found.node, bundler.path, bundler.call(local))
  if (typeof inserted === 'string') return { reason: inserted, root }
  const insertions = [insertImport(text, code, found.isCommonJS, local, bundler), ...inserted]
  return { text: applyInsertions(text, insertions), root }
}

function rootIn(text: string, object: Node, key: string): EditedConfig['root'] {
  const value = propertyOf(object, key)?.['value']
  if (!isNode(value)) return undefined
  if (value.type === 'StringLiteral') return value['value'] as string
  const ownFolder = ['__dirname', 'import.meta.dirname', 'process.cwd()']
  return ownFolder.includes(text.slice(value.start, value.end)) ? undefined : false
}

function importsUs(code: Code): boolean {
  return [...walk(code.body)].some(
    ({ type, value }) => type === 'StringLiteral' && /^unplugin-mock-api(?:\/|$)/.test(value as string),
  )
}

/** A name for the plugin that nothing else in the config has. */
function freeName({ body }: Code): string {
  const used = new Set([...walk(body)].flatMap((node) => nameOf(node) ?? []))
  return ['mockApi', 'mockApiPlugin', 'unpluginMockApi'].find((name) => !used.has(name)) ?? 'unpluginMockApi'
}

/** @returns why it can't be done */
function insertPlugin(
  text: string,
  code: Code,
  object: Node,
  path: readonly string[],
  call: string,
): Insertion[] | string {
  const [key, ...rest] = path
  const wanted = key ?? 'plugins'
  const properties = object['properties'] as Node[]
  const property = propertyOf(object, wanted)
  const unknown = properties.findLast((one) => keyOf(one) === undefined)
  if (unknown && (!property || unknown.start > property.start))
    return `"${wanted}" may come from the ${unknown.type === 'SpreadElement' ? 'spread' : 'computed key'} in it`
  if (!property) return insertItem(text, object, properties, `${wanted}: ${valueFor(path, call)}`)
  const given = isNode(property['value']) ? unwrap(property['value']) : property
  const value = declaredValue(nameOf(given), code.body) ?? given
  if (key !== undefined)
    return value.type === 'ObjectExpression'
      ? insertPlugin(text, code, value, rest, call)
      : `"${key}" is not an object literal`
  const list = withoutFilter(value)
  if (list.type !== 'ArrayExpression') return '"plugins" is not an array literal'
  const elements = list['elements'] as (Node | null)[]
  if (elements.includes(null)) return '"plugins" has a gap'
  return insertItem(text, list, elements as Node[], call)
}

function valueFor(path: readonly string[], call: string): string {
  return path.length === 0 ? `[${call}]` : `{ ${path.slice(1).concat('plugins').join(': { ')}: [${call}] }`
}

/** The list in `[…].filter(Boolean)`. */
function withoutFilter(node: Node): Node {
  const callee = node['callee']
  const isFilter = node.type === 'CallExpression' && isNode(callee) && nameOf(callee['property']) === 'filter'
  return isFilter && nameOf((node['arguments'] as Node[])[0]) === 'Boolean'
    ? unwrap(callee['object'] as Node)
    : node
}

/** The import stands behind the others, in their style. */
function insertImport(
  text: string,
  { body }: Code,
  isCommonJS: boolean,
  local: string,
  { entry }: Bundler,
): Insertion {
  const isImport = isCommonJS ? isRequire : ({ type }: Node) => type === 'ImportDeclaration'
  const last = body.findLast(isImport)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const code = isCommonJS
    ? `const ${local} = require('unplugin-mock-api/${entry}')`
    : `import ${local} from 'unplugin-mock-api/${entry}'`
  const { quote, end } = styleOf(text, last ?? body[0])
  const line = `${code.replaceAll("'", quote)}${end}`
  return last
    ? { offset: last.end, text: `${newline}${line}` }
    : { offset: firstOffset(text, body), text: `${line}${newline}${newline}` }
}

/** Whether a statement is `const a = require('b')`. */
function isRequire({ type, declarations }: Node): boolean {
  if (type !== 'VariableDeclaration') return false
  return (declarations as Node[]).some(
    ({ init }) => isNode(init) && [...walk(init)].some((node) => nameOf(node['callee']) === 'require'),
  )
}

/** The quotes and the ends of statements in a text. */
function styleOf(text: string, statement: Node | undefined): { quote: string; end: string } {
  const quote = /["']/.exec(statement ? text.slice(statement.start) : text)?.[0] ?? "'"
  return { quote, end: statement && text[statement.end - 1] === ';' ? ';' : '' }
}

/** Where the first import goes: before the first statement and the comment that belongs to it. */
function firstOffset(text: string, body: readonly Node[]): number {
  const [first] = body
  if (!first) return text.length
  const comments = (first['leadingComments'] ?? []) as Node[]
  // A comment that an empty line follows belongs to the file.
  const own = comments.findLastIndex((comment, index) => {
    const next = comments[index + 1] ?? first
    return /\n\s*\n/.test(text.slice(comment.end, next.start))
  })
  return (comments[own + 1] ?? first).start
}

/** A change of a text: only insertions, so that everything else keeps its formatting. */
interface Insertion {
  offset: number
  text: string
}

function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = text
  for (const { offset, text: inserted } of insertions.toSorted((a, b) => b.offset - a.offset))
    result = result.slice(0, offset) + inserted + result.slice(offset)
  return result
}

/**
 * Adds an item to the end of a list: an element of an array expression, or a property of an object expression. It stands on a
 * line of its own if the last item does, and has a comma after it if the last item has one.
 */
function insertItem(text: string, list: Node, items: readonly Node[], code: string): Insertion[] {
  const last = items.at(-1)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  if (!last) {
    const isArray = text[list.start] === '['
    const rest = text.slice(list.start + 1, list.end - 1)
    if (isArray && rest.trim() === '') return [{ offset: list.end - 1, text: code }]
    const outer = indentAt(text, list.start)
    const line = `${newline}${outer}  ${code},`
    return [
      {
        offset: list.end - 1 - trailingSpace(rest),
        text: rest.includes('\n') ? line : `${line}${newline}${outer}`,
      },
    ]
  }
  const before = items.length > 1 ? items.at(-2)!.end : list.start
  const isOnOwnLine = text.slice(before, last.start).includes('\n')
  if (!isOnOwnLine) return [{ offset: last.end, text: `, ${code}` }]
  // Behind the comma, and behind a comment that follows on the same line.
  const { 0: rest, groups } = /^\s*?(?<comma>,?)[^\S\n]*(?:\/\/[^\r\n]*|\/\*.*?\*\/)?/.exec(
    text.slice(last.end, list.end - 1),
  )!
  const comma = groups!['comma']!
  const line = `${newline}${indentAt(text, last.start)}${code}${comma}`
  const end = last.end + rest.trimEnd().length
  if (comma) return [{ offset: end, text: line }]
  return end === last.end
    ? [{ offset: end, text: `,${line}` }]
    : [
        { offset: last.end, text: ',' },
        { offset: end, text: line },
      ]
}

/** The white space before the first character of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[^\S\r\n]*/.exec(text.slice(start, offset))![0]
}

function trailingSpace(text: string): number {
  return text.length - text.trimEnd().length
}
