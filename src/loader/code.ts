import { createRequire } from 'node:module'
import type { Jiti, createJiti } from 'jiti'

/**
 * A node of Babel's syntax tree. `start` and `end` are offsets in the text, without the parentheses around an expression.
 *
 * @see https://github.com/babel/babel/blob/main/packages/babel-parser/ast/spec.md
 */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export interface ParsedCode {
  body: Node[]
  comments: (Node & { value: string })[]
}

type File = { ast: { program: { body: Node[] }; comments: ParsedCode['comments'] } }

/** Imported with the first text. */
let jiti: Jiti | undefined

/**
 * Parses TypeScript or JavaScript with the Babel of jiti, and runs nothing: no other parser of TypeScript is small enough to bundle.
 *
 * @param name its extension decides whether there can be JSX
 * @returns `undefined` for a syntax error
 */
export function parseCode(text: string, name: string): ParsedCode | undefined {
  jiti ??= (createRequire(import.meta.url)('jiti') as { createJiti: typeof createJiti }).createJiti(
    import.meta.url,
    { fsCache: false },
  )
  let code: ParsedCode | undefined
  const keepTree = () => ({
    pre({ ast }: File) {
      code = { body: ast.program.body, comments: ast.comments }
      ast.program.body = [] // the rest of the transformation has nothing to do
    },
  })
  const isWithoutJsx = /\.[cm]?ts$/.test(name) // `<T>value` is a type assertion there
  // An error is part of the result, as code that throws it.
  jiti.transform({
    source: text,
    filename: isWithoutJsx ? 'code.ts' : 'code.tsx', // which decides whether there can be JSX
    ts: true,
    jsx: !isWithoutJsx,
    babel: { plugins: [keepTree] },
  })
  return code
}

export function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item)
  } else if (isNode(value)) {
    yield value
    for (const key in value) if (!ignored.has(key)) yield* walk(value[key])
  }
}

const ignored = new Set(['loc', 'extra', 'leadingComments', 'innerComments', 'trailingComments'])

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Line and column count from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

/** Removes what only TypeScript adds: `as`, `satisfies`, `!`, and parentheses. */
export function unwrap(node: Node): Node {
  const isWrapper = /^(?:TS(?:As|Satisfies|NonNull|TypeAssertion)|Parenthesized)/.test(node.type)
  return isWrapper && isNode(node['expression']) ? unwrap(node['expression']) : node
}

export function isOurs(node: unknown): boolean {
  return (
    isNode(node) &&
    node.type === 'StringLiteral' &&
    /^unplugin-mock-api(?:\/|$)/.test(node['value'] as string)
  )
}

export function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined
}

/** `plugins` in `{ plugins: [] }` and in `{ 'plugins': [] }`. */
export function keyOf(property: Node): string | undefined {
  const key = property['key']
  if (property['computed'] === true || !isNode(key)) return undefined
  return key.type === 'StringLiteral' ? (key['value'] as string) : nameOf(key)
}

/** The property with this name. If there are several, the last one counts. */
export function propertyOf(object: Node, name: string): Node | undefined {
  return (object['properties'] as Node[]).findLast((property) => keyOf(property) === name)
}

export interface Exported {
  node: Node
  isCommonJS: boolean
}

/** The default export: a literal, a constant, a `define…()`, or the only return of a function; `undefined` if code decides. */
export function findExported(code: ParsedCode): Exported | undefined {
  const exported = findExport(code)
  const node = exported && resolveLiteral(exported.node, code.body)
  return node && { ...exported, node }
}

/** Finds what is written after `export default` or `module.exports =`. */
export function findExport({ body }: ParsedCode): Exported | undefined {
  for (const statement of body) {
    const isCommonJS = statement.type !== 'ExportDefaultDeclaration'
    const node = isCommonJS ? moduleExports(statement) : statement['declaration']
    if (isNode(node)) return { node, isCommonJS }
  }
  return undefined
}

function moduleExports(statement: Node): Node | undefined {
  const expression = statement['expression']
  if (!isNode(expression) || expression.type !== 'AssignmentExpression') return undefined
  const { left, right } = expression as Node & { left: Node; right: Node }
  return nameOf(left['object']) === 'module' && nameOf(left['property']) === 'exports' ? right : undefined
}

function resolveLiteral(given: Node, body: readonly Node[]): Node | undefined {
  const node = unwrap(given)
  if (node.type === 'ObjectExpression' || node.type === 'ArrayExpression') return node
  if (node.type === 'CallExpression') {
    const [argument, ...others] = node['arguments'] as Node[]
    // Functions such as `defineConfig` return their argument.
    const isDefiner = /^define(?:[A-Z]\w*)?$/.test(nameOf(node['callee']) ?? '')
    return isDefiner && argument && others.length === 0 ? resolveLiteral(argument, body) : undefined
  }
  if (/Function/.test(node.type)) {
    const returned = returnedBy(node)
    return returned && resolveLiteral(returned, body)
  }
  const declared = declaredValue(nameOf(node), body)
  return declared && resolveLiteral(declared, body)
}

/** `undefined` if a function returns in several places. */
function returnedBy({ body }: Node): Node | undefined {
  if (!isNode(body)) return undefined
  if (body.type !== 'BlockStatement') return body
  const returns = [...walk(body)].filter(({ type }) => type === 'ReturnStatement')
  const [only] = returns
  const isLast = only === (body['body'] as Node[]).at(-1)
  return returns.length === 1 && isLast && isNode(only!['argument']) ? only!['argument'] : undefined
}

export function declaredValue(name: string | undefined, body: readonly Node[]): Node | undefined {
  if (name === undefined) return undefined
  const declared = body.flatMap(({ type, kind, declarations }) =>
    type === 'VariableDeclaration' && kind === 'const' ? (declarations as Node[]) : [],
  )
  const init = declared.find(({ id }) => nameOf(id) === name)?.['init']
  return isNode(init) ? init : undefined
}
