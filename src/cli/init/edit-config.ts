import {
  declaredValue,
  findExport,
  findExported,
  isNode,
  isOurs,
  keyOf,
  nameOf,
  parseCode,
  propertyOf,
  unwrap,
  walk,
  type ParsedCode,
  type Node,
} from '../../loader/code.ts'
import { callOf, type KnownBundler } from './project.ts'

/** The new text, or why the config is left alone. */
export type EditedConfig = ({ text: string } | { isDone: true } | { reason: string }) & {
  /** The project's folder in the config: a path relative to it, or `false` for code. */
  root?: string | false | undefined
}

/** Calls a function of one of our entries with what a file exports; `undefined` where that is no expression. */
export function wrapExported(text: string, name: string, entry: string, local: string): string | undefined {
  const code = parseCode(text, name)
  const exported = code && findExport(code)
  if (!exported || exported.node.type.endsWith('Declaration')) return undefined
  const { start, end } = exported.node
  return insert(text, [
    insertImport(text, code, exported.isCommonJS, `{ ${local} }`, entry),
    { offset: start, text: `${local}(` },
    { offset: end, text: ')' },
  ])
}

/** Uses the middleware after `const app = express()`; `undefined` where there is no such line. */
export function editServer(text: string, name: string): string | undefined {
  const code = parseCode(text, name)
  const index =
    code?.body.findIndex((node) => /=\s*(?:express|connect)\(\);?$/.test(text.slice(node.start, node.end))) ??
    -1
  const made = code?.body[index]
  const [, app] = /^(?:export )?(?:const|let|var) (\w+)/.exec(text.slice(made?.start)) ?? []
  if (!code || !made || app === undefined) return undefined
  const body = code.body.slice(0, index + 1)
  return insert(text, [
    insertImport(text, { ...code, body }, body.some(isRequire), '{ createMiddleware }', 'connect'),
    { offset: made.end, text: `\n${app}.use(createMiddleware())${text[made.end - 1] === ';' ? ';' : ''}` },
  ])
}

export function editConfig(text: string, name: string, bundler: KnownBundler): EditedConfig {
  const code = parseCode(text, name)
  if (!code) return { reason: 'it has a syntax error' }
  const found = findExported(code)
  const isObject = found?.node.type === 'ObjectExpression'
  const root = isObject && bundler.root ? rootIn(text, found.node, bundler.root) : undefined
  if ([...walk(code.body)].some(isOurs)) return { isDone: true, root }
  if (!isObject) return { reason: 'it does not export one object' }
  const local = freeName(code)
  const inserted = insertPlugin(text, code, found.node, bundler.path, callOf(bundler, local))
  if (typeof inserted === 'string') return { reason: inserted, root }
  const insertions = [insertImport(text, code, found.isCommonJS, local, bundler.entry), ...inserted]
  return { text: insert(text, insertions), root }
}

function insert(text: string, insertions: readonly Insertion[]): string {
  let result = text
  for (const { offset, text } of insertions.toSorted((a, b) => b.offset - a.offset))
    result = result.slice(0, offset) + text + result.slice(offset)
  return result
}

const asModule = 'export default '

/** The object in a file of JSON, with comments or without. */
function objectIn(text: string): Node | undefined {
  const code = parseCode(asModule + text, 'config.ts')
  const object = code && findExported(code)?.node
  return object?.type === 'ObjectExpression' ? object : undefined
}

/** Adds a folder to the list `include`; `undefined` where there is none, or it has the folder. */
export function editTsconfig(text: string, folder: string): string | undefined {
  const object = objectIn(text)
  const list = object && propertyOf(object, 'include')?.['value']
  if (!isNode(list) || list.type !== 'ArrayExpression') return undefined
  const items = (list['elements'] as (Node | null)[]).filter(isNode)
  const names = items.map(({ value }) => String(value).replace(/^\.\/|(?:\/\*+)+$/g, ''))
  if (names.some((name) => /^(?:\.?$|\*\*)/.test(name) || `${folder}/`.startsWith(`${name}/`)))
    return undefined
  const inserted = insertItem(asModule + text, list, items, JSON.stringify(folder))
  return insert(asModule + text, inserted).slice(asModule.length)
}

/**
 * Adds a named object to the object at `key` of a JSON file, with comments or without; `undefined` where it is there, or
 * the file can't be read.
 */
export function addEntry(text: string, key: string, name: string, entry: object): string | undefined {
  const object = objectIn(text)
  if (!object) return undefined
  const group = propertyOf(object, key)?.['value']
  const [list, value] = isNode(group) ? [group, { [name]: entry }] : [object, { [key]: { [name]: entry } }]
  if (list.type !== 'ObjectExpression' || (list !== object && propertyOf(list, name))) return undefined
  const items = list['properties'] as Node[]
  const whole = asModule + text
  if (/^\s*\{\s*\}\s*$/.test(text)) return `${JSON.stringify(value, null, 2)}\n`
  const written = JSON.stringify(value, null, 2).slice(2, -2).replaceAll(/^ {2}/gm, '').trim()
  const indent = indentAt(whole, list.start)
  const lines = written.replaceAll('\n', `\n${indent}  `)
  return insert(whole, insertItem(whole, list, items, lines, '')).slice(asModule.length)
}

function rootIn(text: string, object: Node, key: string): EditedConfig['root'] {
  const value = propertyOf(object, key)?.['value']
  if (!isNode(value)) return undefined
  if (value.type === 'StringLiteral') return value['value'] as string
  const ownFolder = ['__dirname', 'import.meta.dirname', 'process.cwd()']
  return ownFolder.includes(text.slice(value.start, value.end)) ? undefined : false
}

function freeName({ body }: ParsedCode): string {
  const used = new Set([...walk(body)].flatMap((node) => nameOf(node) ?? []))
  return ['mockApi', 'mockApiPlugin', 'unpluginMockApi'].find((name) => !used.has(name)) ?? 'unpluginMockApi'
}

/** @returns why it can't be done */
function insertPlugin(
  text: string,
  code: ParsedCode,
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
  if (node.type !== 'CallExpression' || !isNode(callee) || nameOf(callee['property']) !== 'filter')
    return node
  return nameOf((node['arguments'] as Node[])[0]) === 'Boolean' ? unwrap(callee['object'] as Node) : node
}

/** Inserts an import after the others, in their style. */
function insertImport(text: string, { body }: ParsedCode, isCommonJS: boolean, local: string, entry: string) {
  const isImport = isCommonJS ? isRequire : ({ type }: Node) => type === 'ImportDeclaration'
  const last = body.findLast(isImport)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const code = isCommonJS
    ? `const ${local} = require('unplugin-mock-api/${entry}')`
    : `import ${local} from 'unplugin-mock-api/${entry}'`
  const model = last ?? body[0]
  const quote = /["']/.exec(text.slice(model?.start))?.[0] ?? "'"
  const line = code.replaceAll("'", quote) + (model && text[model.end - 1] === ';' ? ';' : '')
  return last
    ? { offset: endWithComment(text, last.end), text: `${newline}${line}` }
    : { offset: firstOffset(text, body), text: `${line}${newline}${newline}` }
}

function isRequire({ type, declarations }: Node): boolean {
  if (type !== 'VariableDeclaration') return false
  return (declarations as Node[]).some(
    ({ init }) => isNode(init) && [...walk(init)].some((node) => nameOf(node['callee']) === 'require'),
  )
}

/** A comment stays behind the import that it is about. */
function endWithComment(text: string, end: number): number {
  return end + /^(?:[^\S\n]*(?:\/\/[^\r\n]*|\/\*.*\*\/(?=\s*\n)))?/.exec(text.slice(end))![0].length
}

const ofFile = /^\/\/(?:\/\s*<|\s*@ts-)/

function firstOffset(text: string, body: readonly Node[]): number {
  const [first] = body
  if (!first) return text.length
  const comments = (first['leadingComments'] ?? []) as Node[]
  // A comment before an empty line belongs to the file, as do those that TypeScript wants at its beginning.
  const own = comments.findLastIndex((comment, index) => {
    const next = comments[index + 1] ?? first
    return ofFile.test(text.slice(comment.start)) || /\n\s*\n/.test(text.slice(comment.end, next.start))
  })
  return (comments[own + 1] ?? first).start
}

/** Nothing is replaced, so that the config keeps its formatting. */
interface Insertion {
  offset: number
  text: string
}

/**
 * The new last item follows the old one's example: a line of its own, a comma at the end.
 *
 * @param end the comma of an only item, which JSON does not have
 */
function insertItem(text: string, list: Node, items: readonly Node[], code: string, end = ','): Insertion[] {
  const last = items.at(-1)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const inner = text.slice(last?.end ?? list.start + 1, list.end - 1)
  const beforeEnd = list.end - 1 - (inner.length - inner.trimEnd().length)
  if (!last) {
    if (text[list.start] === '[' && inner.trim() === '') return [{ offset: list.end - 1, text: code }]
    const outer = indentAt(text, list.start)
    const line = `${newline}${outer}  ${code}${end}`
    return [{ offset: beforeEnd, text: inner.includes('\n') ? line : `${line}${newline}${outer}` }]
  }
  const isOnOwnLine = text.slice(items.at(-2)?.end ?? list.start, last.start).includes('\n')
  if (!isOnOwnLine) return [{ offset: last.end, text: `, ${code}` }]
  // After the comma and a comment on the same line.
  const [rest, comma] = /^\s*?(,?)[^\S\n]*(?:\/\/[^\r\n]*|\/\*.*?\*\/)?/.exec(inner) as unknown as [
    string,
    string,
  ]
  const line = `${newline}${indentAt(text, last.start)}${code}${comma}`
  const offset = last.end + rest.trimEnd().length
  if (comma) return [{ offset, text: line }]
  return offset === last.end
    ? [{ offset, text: `,${line}` }]
    : [
        { offset: last.end, text: ',' },
        { offset, text: line },
      ]
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[^\S\r\n]*/.exec(text.slice(start, offset))![0]
}
